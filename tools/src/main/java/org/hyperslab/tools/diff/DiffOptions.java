package org.hyperslab.tools.diff;

import java.util.ArrayList;
import java.util.List;

/** The output and the tolerances of a comparison, named as in {@code h5diff}. */
final class DiffOptions {

  /** Prints every difference. */
  public boolean report;

  /** Prints every difference, and the list of objects. */
  public boolean verbose;

  /** The level of {@link #verbose}, 0 to 3; from 1, adds attributes, and at 3, file names. */
  public int level;

  /** Prints no differences; only the exit code shows them. */
  public boolean quiet;

  /** Receives what is found, instead of lines; null to print lines. */
  public DiffRecord record;

  /** Lists the objects that cannot be compared. */
  public boolean listNotComparable;

  /** The greatest absolute difference that is ignored; NaN for exact comparison. */
  public double delta = Double.NaN;

  /**
   * The greatest difference relative to the first value that is ignored; NaN for exact comparison.
   */
  public double relative = Double.NaN;

  /** Ignores differences below the epsilon of a floating-point type. */
  public boolean systemEpsilon;

  /** The maximum number of differences to print for a dataset or attribute. */
  public long most = Long.MAX_VALUE;

  /** Treats two NaNs as equal. */
  public boolean equalNans = true;

  /** Compares the targets of soft and external links. */
  public boolean followLinks;

  /** With {@link #followLinks}: treats a dangling link as an error. */
  public boolean noDangling;

  /** Paths of objects that are ignored, with everything below them. */
  public final List<String> excludedPaths = new ArrayList<>();

  /** Ignored attributes: an object's path followed by the attribute's name. */
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
