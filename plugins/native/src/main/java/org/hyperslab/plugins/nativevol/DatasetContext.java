package org.hyperslab.plugins.nativevol;

import java.util.Optional;
import java.util.function.LongFunction;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.plugins.nativevol.file.FileSettings;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.transfer.CacheBudget;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;

/**
 * The parts of an open file that its datasets use.
 *
 * @param file the open file: raw data, locks, metadata
 * @param settings the settings of the whole file
 * @param resolver finds the content of shared messages, such as committed datatypes, and counts
 *     their users
 * @param heap reads and stores out-of-line values in the file's global heap
 * @param sources opens the source datasets of virtual datasets
 * @param resources threads and buffers for transfers
 * @param budget the memory for the file's cached chunks
 * @param paths finds a path of the object with a header's address, for messages
 */
record DatasetContext(
    NativeFile file,
    FileSettings settings,
    MessageSharing resolver,
    HeapOwner heap,
    SourceDatasets sources,
    TransferResources resources,
    CacheBudget budget,
    LongFunction<Optional<String>> paths) {

  /** {@return the file's metadata} */
  public MetadataSpace space() {
    return file.metadata();
  }
}
