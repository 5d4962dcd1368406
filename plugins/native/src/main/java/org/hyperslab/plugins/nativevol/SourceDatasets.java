package org.hyperslab.plugins.nativevol;

import java.util.Optional;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/** Opens the source datasets of virtual datasets. */
interface SourceDatasets {

  /** An open source dataset; closing it releases its file. */
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
   * @param fileName the source's file as in the mapping; "." for the virtual dataset's own file
   * @param path the path of the source dataset
   * @return the source; empty if the file or the dataset does not exist
   */
  Optional<Source> open(NativeFile from, String fileName, String path);
}
