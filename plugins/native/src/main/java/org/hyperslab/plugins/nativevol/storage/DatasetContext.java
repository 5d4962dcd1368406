package org.hyperslab.plugins.nativevol.storage;

import java.util.Optional;
import java.util.function.LongFunction;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.plugins.nativevol.file.FileSettings;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;
import org.hyperslab.plugins.nativevol.heap.HeapAccess;
import org.hyperslab.plugins.nativevol.transfer.CacheBudget;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;

/**
 * The parts of an open file that its datasets use.
 *
 * @param headers the object headers, with the messages and the heap that they share
 * @param resources threads and buffers for transfers
 * @param budget the memory for the file's cached chunks
 * @param paths finds a path of the object with a header's address, for messages
 */
public record DatasetContext(
    ObjectHeaders headers,
    TransferResources resources,
    CacheBudget budget,
    LongFunction<Optional<String>> paths) {

  /** {@return the open file: raw data, locks, metadata} */
  public NativeFile file() {
    return headers.file();
  }

  /** {@return the settings of the whole file} */
  public FileSettings settings() {
    return headers.settings();
  }

  /** {@return the heap for the out-of-line parts of elements} */
  public HeapAccess heap() {
    return headers.heap();
  }

  /** {@return the file's metadata} */
  public MetadataSpace space() {
    return headers.space();
  }
}
