package org.hyperslab;

import java.util.List;
import org.hyperslab.error.NotFoundException;

/**
 * A step of a file that is followed: the rows that its writer has appended between two instants.
 * They do not change any more, and can be read as long as the {@link StepReader} is open.
 *
 * <p>Thread rule: any thread.
 */
public final class Step {

  private final StepReader reader;
  private final long number;
  private final List<Long> from;
  private final List<Long> to;

  Step(StepReader reader, long number, List<Long> from, List<Long> to) {
    this.reader = reader;
    this.number = number;
    this.from = from;
    this.to = to;
  }

  /** {@return its number, from 0} */
  public long number() {
    return number;
  }

  /**
   * {@return the number of rows that a dataset has gained in this step}
   *
   * @param path the dataset's path, one of {@link StepReader#datasets}
   * @throws NotFoundException if steps do not append to that dataset
   */
  public long rows(String path) {
    int column = reader.column(path);
    return to.get(column) - from.get(column);
  }

  /**
   * {@return the first row of this step in a dataset, from 0}
   *
   * @param path the dataset's path
   * @throws NotFoundException if steps do not append to that dataset
   */
  public long firstRow(String path) {
    return from.get(reader.column(path));
  }

  /**
   * {@return the rows that a dataset has gained in this step, to be read}
   *
   * @param path the dataset's path
   * @throws NotFoundException if steps do not append to that dataset
   */
  public Slice slice(String path) {
    return reader.slice(path, firstRow(path), rows(path));
  }

  /** Returns its number and its file. */
  @Override
  public String toString() {
    return "Step[" + number + " of " + reader + "]";
  }
}
