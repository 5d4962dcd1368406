package org.hyperslab.tools;

import java.util.ArrayList;
import java.util.List;

/** The output and the tolerances of a comparison, named as in {@code h5diff}. */
final class DiffOptions {

  /** Prints every difference. */
  public boolean report;

  /** Prints every difference, and the list of objects. */
  public boolean verbose;

  /** With {@link #verbose}: 0 to 3; 1 and more tell of attributes, 3 of file names. */
  public int level;

  /** Prints nothing. */
  public boolean quiet;

  /** Names what cannot be compared. */
  public boolean listNotComparable;

  /** Differences up to this are none; NaN for exact comparison. */
  public double delta = Double.NaN;

  /** Differences up to this part of the first value are none; NaN for exact comparison. */
  public double relative = Double.NaN;

  /** Differences below the epsilon of a floating-point type are none. */
  public boolean systemEpsilon;

  /** The maximum number of differences to print for a dataset or attribute. */
  public long most = Long.MAX_VALUE;

  /** Two values that are not numbers are equal. */
  public boolean equalNans = true;

  /** Compares what soft and external links lead to. */
  public boolean followLinks;

  /** With {@link #followLinks}: a link that leads nowhere is an error. */
  public boolean noDangling;

  /** Paths of objects that are left out, with all below them. */
  public final List<String> excludedPaths = new ArrayList<>();

  /** Paths of objects, each followed by an attribute's name, that are left out. */
  public final List<String> excludedAttributes = new ArrayList<>();

  /** Makes the options of a plain comparison. */
  public DiffOptions() {}

  boolean printsDifferences() {
    return (report || verbose) && !quiet;
  }

  boolean exact() {
    return Double.isNaN(delta) && Double.isNaN(relative);
  }
}
