package org.hyperslab.plugins.nativevol.virtual;

import java.util.Optional;
import org.hyperslab.plugins.nativevol.storage.SourcePlaces;

/** Opens the source datasets of virtual datasets. */
@FunctionalInterface
public interface SourceDatasets {

  /** An open source dataset; closing it releases its file. */
  interface Source extends AutoCloseable {

    /** {@return the source, usable until this is closed} */
    SourceDataset dataset();

    @Override
    void close();
  }

  /**
   * Opens a source.
   *
   * @param places where the files of sources are searched for
   * @param fileName the source's file as in the mapping; "." for the virtual dataset's own file
   * @param path the path of the source dataset
   * @return the source; empty if the file or the dataset does not exist
   */
  Optional<Source> open(SourcePlaces places, String fileName, String path);
}
