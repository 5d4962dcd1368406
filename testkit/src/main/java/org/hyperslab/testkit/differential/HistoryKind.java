package org.hyperslab.testkit.differential;

import java.util.List;

/**
 * The kind of a history's file, and the sides that take part.
 *
 * <p>Sides are numbered as in {@link Turn#side}. HDF5 2.x takes part only where it is installed.
 */
enum HistoryKind {
  /** One file with addresses of eight bytes, bounds up to 1.10. */
  PLAIN(null, List.of(0, 1, 2), List.of(0, 1, 2)),

  /**
   * Addresses and lengths of four bytes. HDF5 2.2 reads only the first element of references in
   * such files, and does not take part.
   */
  SHORT_ADDRESSES(null, List.of(0, 1), List.of(0, 1)),

  /** Upper bounds above 1.10, with the references of HDF5 1.12; not for 1.10. */
  NEWER_BOUNDS(null, List.of(0, 2), List.of(0, 2)),

  /** A family of files of equal size. */
  FAMILY("family", List.of(0, 1, 2), List.of(0, 1, 2)),

  /** Metadata and raw data in two files, which this project only reads. */
  SPLIT("split", List.of(1, 2), List.of(0, 1, 2)),

  /** A file for each kind of data, which this project only reads. */
  MULTI("multi", List.of(1, 2), List.of(0, 1, 2));

  /** Bytes of each file of a family but the last. */
  static final int MEMBER_BYTES = 1 << 14;

  private static final List<HistoryKind> TURNS =
      List.of(
          PLAIN,
          NEWER_BOUNDS,
          PLAIN,
          SHORT_ADDRESSES,
          PLAIN,
          PLAIN,
          FAMILY,
          PLAIN,
          PLAIN,
          SPLIT,
          PLAIN,
          PLAIN,
          NEWER_BOUNDS,
          PLAIN,
          MULTI,
          PLAIN);

  private final String driver;
  private final List<Integer> editors;
  private final List<Integer> readers;

  HistoryKind(String driver, List<Integer> editors, List<Integer> readers) {
    this.driver = driver;
    this.editors = editors;
    this.readers = readers;
  }

  /** Returns the kind of the case with a given index; a third of all cases are special. */
  static HistoryKind of(int index) {
    return TURNS.get(index % TURNS.size());
  }

  /** Returns the file driver with which all sides open the file; null for the default. */
  String driver() {
    return driver;
  }

  /** Returns the sides that edit the file. */
  List<Integer> editors(boolean newest) {
    return present(editors, newest);
  }

  /** Returns the sides that read the file. */
  List<Integer> readers(boolean newest) {
    return present(readers, newest);
  }

  private static List<Integer> present(List<Integer> sides, boolean newest) {
    return sides.stream().filter(side -> newest || side < 2).toList();
  }

  /** Returns the name of the file, or the prefix of the names of its files. */
  String fileName() {
    return switch (this) {
      case PLAIN, SHORT_ADDRESSES, NEWER_BOUNDS -> "case.h5";
      case FAMILY -> "case-%05d.h5";
      case SPLIT, MULTI -> "case";
    };
  }
}
