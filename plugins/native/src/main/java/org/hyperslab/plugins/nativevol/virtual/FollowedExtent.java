package org.hyperslab.plugins.nativevol.virtual;

import java.util.Arrays;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.plugins.nativevol.storage.DatasetDescription;
import org.hyperslab.plugins.nativevol.storage.DatasetHeader;
import org.hyperslab.plugins.nativevol.storage.SourcePlaces;

/**
 * The mappings of an open virtual dataset, and its extent, which follows those of its sources when
 * a program asks for it, as in the C library.
 *
 * <p>Thread rule: under the read or write lock of the dataset's file.
 */
public final class FollowedExtent {

  private final DatasetHeader header;
  private final SourceDatasets sources;

  /** The mappings as last decoded; null until they are needed. */
  private volatile Decoded decoded;

  /** The mappings of a layout message. */
  private record Decoded(DataLayoutMessage message, VirtualMap map) {}

  /**
   * Creates the extent of a dataset.
   *
   * @param header the dataset's header
   * @param sources opens the source datasets
   */
  public FollowedExtent(DatasetHeader header, SourceDatasets sources) {
    this.header = header;
    this.sources = sources;
  }

  /**
   * {@return the sources of the dataset}
   *
   * @param places where their files are
   * @param space the extent of the dataset
   */
  public VirtualSources sources(SourcePlaces places, Dataspace space) {
    DataLayoutMessage message = header.description().layout();
    return new VirtualSources(
        header.context(),
        sources,
        places,
        (DataLayoutMessage.Virtual) message.layout(),
        map(message, space.rank()),
        space);
  }

  @SuppressWarnings(
      "ReferenceEquality") // a message is decoded again when the file may have changed
  private VirtualMap map(DataLayoutMessage message, int rank) {
    Decoded known = decoded;
    if (known == null || known.message != message) {
      VirtualMap map =
          VirtualSources.read(header.context(), (DataLayoutMessage.Virtual) message.layout(), rank);
      known = new Decoded(message, map);
      decoded = known;
    }
    return known.map;
  }

  /**
   * Lets the extent follow that of the sources.
   *
   * @param places where the files of the sources are
   * @return whether the file records another extent
   */
  public boolean follow(SourcePlaces places) {
    DatasetDescription now = header.description();
    if (!now.isVirtual() || !map(now.layout(), now.space().rank()).isMoving()) {
      return false;
    }
    Dataspace stated = header.statedSpace();
    long[] extent =
        VirtualNesting.follow(header.context().file().name(), sources(places, stated)::extent);
    if (!header.followsSources() || !Arrays.equals(extent, now.space().dims())) {
      header.useExtent(extent, true);
    }
    return !Arrays.equals(extent, stated.dims());
  }
}
