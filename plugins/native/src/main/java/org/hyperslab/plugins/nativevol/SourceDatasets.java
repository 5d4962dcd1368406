package org.hyperslab.plugins.nativevol;

import java.util.Optional;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/** Opens the datasets of which a virtual one is put together. */
interface SourceDatasets {

  /** A dataset that was opened as a source; closing it gives up its file. */
  interface Source extends AutoCloseable {

    /** {@return the dataset} */
    NativeDataset dataset();

    @Override
    void close();
  }

  /**
   * Opens a source.
   *
   * @param from the file of the virtual dataset
   * @param fileName the source's file as the mapping names it; "." for the same file
   * @param path the path of the source dataset
   * @return empty if the file or the dataset does not exist
   */
  Optional<Source> open(NativeFile from, String fileName, String path);
}
