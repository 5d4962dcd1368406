package org.hyperslab.tools;

import java.util.EnumSet;
import java.util.Set;

/** Which statistics are printed; the words are those of {@code h5stat}. */
final class StatOptions {

  /** The parts of a report. */
  public enum Part {
    /** How many objects of each kind. */
    FILE,
    /** Bytes of metadata. */
    FILE_METADATA,
    /** How many links groups have. */
    GROUPS,
    /** Bytes of groups' metadata. */
    GROUP_METADATA,
    /** Extents, layouts and filters of datasets. */
    DATASETS,
    /** Bytes of datasets' metadata. */
    DATASET_METADATA,
    /** Datatypes of datasets. */
    DATATYPES,
    /** How many attributes objects have. */
    ATTRIBUTES,
    /** Free space. */
    FREE_SPACE,
    /** Where the file's bytes are. */
    SUMMARY
  }

  /** The parts that are asked for; empty for all. */
  public final Set<Part> parts = EnumSet.noneOf(Part.class);

  /** Groups of fewer links are small. */
  public int smallGroup = 10;

  /** One-dimensional datasets of fewer elements are small. */
  public int smallDataset = 10;

  /** Objects with at most this many attributes count as small. */
  public int fewAttributes = 10;

  /** Makes the options of a whole report. */
  public StatOptions() {}

  /**
   * Returns whether a part is printed; in a whole report, bytes of all metadata stand in one place.
   */
  boolean shows(Part part) {
    boolean ownMetadata = part == Part.GROUP_METADATA || part == Part.DATASET_METADATA;
    return parts.isEmpty() ? !ownMetadata : parts.contains(part);
  }
}
