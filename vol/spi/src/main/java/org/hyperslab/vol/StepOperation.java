package org.hyperslab.vol;

import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.StepPage;
import org.hyperslab.model.StepProgress;

/**
 * Operations on the steps of a file: what is appended in a step becomes visible to readers
 * together, when the step is published. The file has a table of steps, whose layout {@link
 * StepTable} describes. Elements of a step are appended by {@link DatasetOperation.SetExtent} and
 * {@link DatasetOperation.Write}, and are not changed once the step is published.
 *
 * <p>All fail with UnsupportedFeatureException on connectors whose files readers cannot follow.
 *
 * @param <R> the type of the result
 */
public sealed interface StepOperation<R> extends Operation<R> {

  /** {@return the handle of the file} */
  Handle file();

  @Override
  default Handle subject() {
    return file();
  }

  /**
   * Begins to publish steps of a file that is open for editing and has a table of steps. Rows that
   * no published step has are removed, the file is flushed, and other processes may read it from
   * then on. Until it is closed, rows are appended to the datasets of the table, and nothing else
   * is edited. InvalidUseException if there is no table, if the table names what is no extendible
   * dataset, or if the file's format does not permit readers beside a writer.
   *
   * @param file the handle of the file
   * @param datasets the paths of the datasets of the table, from the root group, in its order
   */
  record Start(Handle file, List<String> datasets) implements StepOperation<StepProgress>, Edit {
    /** Copies the paths. */
    public Start {
      datasets = List.copyOf(datasets);
    }
  }

  /**
   * Publishes steps whose rows have been written, in one go: a reader sees all or none of them, and
   * never a part of one. They survive as after a flush. InvalidUseException if the steps do not
   * follow the published ones, or if rows are missing.
   *
   * @param file the handle of the file
   * @param first the number of the first of the steps, from 0; that of the published steps
   * @param rows for each step the number of rows that each dataset of the table has at its end; no
   *     steps if only the progress is asked for
   * @param last whether no further step follows
   */
  record Publish(Handle file, long first, List<List<Long>> rows, boolean last)
      implements StepOperation<StepProgress>, Edit, Flushing {
    /**
     * Checks that the first step has a number, and that all steps have as many datasets.
     *
     * @throws InvalidUseException if not
     */
    public Publish {
      rows = rows.stream().map(List::copyOf).toList();
      long columns = rows.stream().mapToInt(List::size).distinct().count();
      if (first < 0 || columns > 1) {
        throw new InvalidUseException(
            "steps to publish: actual=first step "
                + first
                + ", rows of "
                + columns
                + " different numbers of datasets, expected=0 or more, and the same number");
      }
    }
  }

  /**
   * Returns published steps. A connector to another process may wait for the first of them; others
   * return at once, with no steps if there are none.
   *
   * @param file the handle of the file
   * @param follower a number that distinguishes the followers of one handle
   * @param next the number of the first step that the follower has not taken yet, from 0; it and
   *     later ones are returned
   * @param most the greatest number of steps to return; 0 if only the progress is asked for
   * @param window the number of steps that the writer may be ahead of {@code next}; 0 if the writer
   *     does not wait for this follower
   * @param waitMillis the longest time that a connector to another process waits for a step
   */
  record Next(Handle file, long follower, long next, int most, long window, long waitMillis)
      implements StepOperation<StepPage> {
    /**
     * Checks the numbers.
     *
     * @throws InvalidUseException if one is negative
     */
    public Next {
      if (next < 0 || most < 0 || window < 0 || waitMillis < 0) {
        throw new InvalidUseException(
            "steps to follow: actual=from "
                + next
                + ", at most "
                + most
                + ", window "
                + window
                + ", wait "
                + waitMillis
                + " ms, expected=0 or more");
      }
    }
  }

  /**
   * Ends following: the writer no longer waits for a follower. Does nothing if it is not known.
   *
   * @param file the handle of the file
   * @param follower the number of the follower
   */
  record Leave(Handle file, long follower) implements StepOperation<Void> {}
}
