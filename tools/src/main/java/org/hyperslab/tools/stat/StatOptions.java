package org.hyperslab.tools.stat;

import java.util.EnumSet;
import java.util.Set;

/** Selects the statistics to print, with the names of {@code h5stat}. */
final class StatOptions {

  /** The parts of a report. */
  public enum Part {
    /** The number of objects of each kind. */
    FILE,
    /** Bytes of metadata. */
    FILE_METADATA,
    /** The number of links of groups. */
    GROUPS,
    /** Bytes of groups' metadata. */
    GROUP_METADATA,
    /** Extents, layouts and filters of datasets. */
    DATASETS,
    /** Bytes of datasets' metadata. */
    DATASET_METADATA,
    /** Datatypes of datasets. */
    DATATYPES,
    /** The number of attributes of objects. */
    ATTRIBUTES,
    /** Free space of the file. */
    FREE_SPACE,
    /** The summary of the file's space. */
    SUMMARY
  }

  /** The requested parts; empty for all. */
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
   * Returns whether a part is printed. A whole report prints the bytes of all metadata in one
   * place.
   */
  boolean shows(Part part) {
    boolean ownMetadata = part == Part.GROUP_METADATA || part == Part.DATASET_METADATA;
    return parts.isEmpty() ? !ownMetadata : parts.contains(part);
  }
}
