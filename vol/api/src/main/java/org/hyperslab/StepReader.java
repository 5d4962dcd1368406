package org.hyperslab;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.FollowOptions;
import org.hyperslab.model.StepPage;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.Uninterrupted;
import org.jspecify.annotations.Nullable;

/**
 * Follows the steps of a file: {@code for (Step step : file.follow(options))} takes them in order,
 * each once, and ends when the writer has closed the file. There is one iterator; steps that it has
 * taken are not taken again.
 *
 * <p>Thread rule: one thread at a time, except {@link #close}.
 */
public final class StepReader implements Iterable<StepReader.Step>, AutoCloseable {

  /** The most steps that one operation asks for. */
  private static final int PAGE = 256;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** The longest time that one operation may wait, so that an end of the connection is noticed. */
  private static final long LONGEST_WAIT_MILLIS = 250;

  private final OpenFile file;
  private final Group root;
  private final FollowOptions options;
  private final long number = Handle.fresh().id();
  private final List<String> datasets;
  private final Map<String, Integer> columns = new HashMap<>();
  private final Map<String, Dataset> opened = new HashMap<>();
  private final Map<String, long[]> shapes = new HashMap<>();
  private final ArrayDeque<Step> taken = new ArrayDeque<>();
  private long next;
  private long skipped;
  private StepPage.Writer writer = StepPage.Writer.WRITING;
  private volatile boolean closed;

  StepReader(OpenFile file, Group root, FollowOptions options) {
    this.file = file;
    this.root = root;
    this.options = Arguments.require(options, "options", "FollowOptions");
    this.datasets = StepTables.datasets(root).orElseThrow(this::noSteps);
    for (int i = 0; i < datasets.size(); i++) {
      columns.put(datasets.get(i), i);
    }
    StepPage page = ask(0, window(), 0);
    this.next = options.fromNewest() ? Math.max(0, page.published() - 1) : 0;
    if (next > 0) {
      ask(0, window(), 0);
    }
  }

  private InvalidUseException noSteps() {
    return new InvalidUseException(
        "follow: actual=a file without steps, expected=one whose writer has called startSteps, at="
            + file.name()
            + "; what grows without steps can be read again after refresh()");
  }

  /** {@return the paths of the datasets that steps append to} */
  public List<String> datasets() {
    return datasets;
  }

  /** {@return what was known of the writer when the last step was asked for} */
  public StepPage.Writer writer() {
    return writer;
  }

  /** {@return how many steps were dropped by the policy {@link FollowOptions.Policy#KEEP_LAST}} */
  public long skipped() {
    return skipped;
  }

  /**
   * Takes the next step, waiting for it for some time.
   *
   * @param atMost the longest time to wait; zero to look once
   * @return the step; empty if none has been published in that time, or none will be, as {@link
   *     #writer} says
   */
  public Optional<Step> next(Duration atMost) {
    long end = System.nanoTime() + Arguments.require(atMost, "time", "a Duration").toNanos();
    while (true) {
      long asked = System.nanoTime();
      long wait = Math.clamp((end - asked) / NANOS_PER_MILLI, 0, LONGEST_WAIT_MILLIS);
      Optional<Step> step = look(wait);
      if (step.isPresent() || writer != StepPage.Writer.WRITING) {
        return step;
      }
      long now = System.nanoTime();
      long left = end - now;
      if (left <= 0) {
        return Optional.empty();
      }
      if (now - asked > options.poll().toNanos()) {
        continue; // another process has waited
      }
      long pause = Math.max(1, Math.min(left, options.poll().toNanos()) / NANOS_PER_MILLI);
      synchronized (this) {
        Uninterrupted.await(this, () -> !closed, pause);
      }
    }
  }

  private Optional<Step> look(long waitMillis) {
    if (closed) {
      throw new InvalidUseException(
          "follow: actual=a closed StepReader, expected=an open one, at=" + file.name());
    }
    if (taken.isEmpty() || options.policy() != FollowOptions.Policy.EVERY) {
      taken.clear();
      fetch(waitMillis);
    }
    Step step = taken.poll();
    if (step != null) {
      next = step.number() + 1;
    }
    return Optional.ofNullable(step);
  }

  private void fetch(long waitMillis) {
    if (options.policy() == FollowOptions.Policy.KEEP_LAST) {
      long first = ask(0, 0, 0).published() - options.window();
      if (first > next) {
        skipped += first - next;
        next = first;
      }
    }
    boolean every = options.policy() == FollowOptions.Policy.EVERY;
    StepPage page = ask(every ? PAGE : 1, window(), waitMillis);
    for (int i = 0; i < page.count(); i++) {
      taken.add(new Step(this, page.first() + i, page.rows().get(i), page.rows().get(i + 1)));
    }
  }

  private StepPage ask(int most, long window, long waitMillis) {
    StepPage page =
        file.call(new StepOperation.Next(file.handle(), number, next, most, window, waitMillis));
    writer = page.published() > next ? StepPage.Writer.WRITING : page.writer();
    return page;
  }

  private long window() {
    return options.policy() == FollowOptions.Policy.BLOCK ? options.window() : 0;
  }

  /**
   * {@return the iterator over the steps that have not been taken} It waits for each of them as
   * long as {@link FollowOptions#timeout}, and ends when the writer has closed the file. {@link
   * StorageException} if none is published in that time, or if the writer's process has ended
   * without closing the file.
   */
  @Override
  public Iterator<Step> iterator() {
    return new Iterator<>() {
      private @Nullable Step ahead;

      @Override
      public boolean hasNext() {
        if (ahead == null) {
          ahead = StepReader.this.next(options.timeout()).orElse(null);
        }
        if (ahead == null && writer != StepPage.Writer.ENDED) {
          throw late();
        }
        return ahead != null;
      }

      @Override
      public Step next() {
        Step step = hasNext() ? ahead : null;
        if (step == null) {
          throw new NoSuchElementException("no step follows step " + (next - 1));
        }
        ahead = null;
        return step;
      }
    };
  }

  private StorageException late() {
    return new StorageException(
        "step "
            + next
            + ": actual="
            + (writer == StepPage.Writer.LOST
                ? "its writer's process has ended without closing the file"
                : "not published within " + options.timeout().toMillis() + " ms")
            + ", expected=a step, or the end of the file, at="
            + file.name());
  }

  int column(String path) {
    Integer column = columns.get(path);
    if (column == null) {
      throw new NotFoundException(
          "dataset of steps: actual="
              + path
              + ", expected=one of "
              + datasets
              + ", at="
              + file.name());
    }
    return column;
  }

  synchronized Slice slice(String path, long first, long rows) {
    Dataset dataset = opened.computeIfAbsent(path, root::dataset);
    long[] dims = shapes.computeIfAbsent(path, _ -> dataset.shape()).clone();
    dims[0] = rows;
    long[] start = new long[dims.length];
    start[0] = first;
    boolean none = Arrays.stream(dims).anyMatch(length -> length == 0);
    return new Slice(
        dataset, none ? Selection.none() : Selection.box(start, dims), Dataspace.simple(dims));
  }

  /** Stops following; a writer does not wait for this reader any more. The file stays open. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      notifyAll();
      opened.values().forEach(Dataset::close);
    }
    if (!file.isClosed()) {
      file.call(new StepOperation.Leave(file.handle(), number));
    }
  }

  /** Returns the file and the number of the next step. */
  @Override
  public String toString() {
    return "StepReader[" + file.name() + ", next=" + next + "]";
  }

  /**
   * A step of a file that is followed: the rows that its writer has appended between two instants.
   * They do not change any more, and can be read as long as the {@link StepReader} is open.
   *
   * <p>Thread rule: any thread.
   */
  public static final class Step {

    private final StepReader reader;
    private final long number;
    private final List<Long> from;
    private final List<Long> to;

    private Step(StepReader reader, long number, List<Long> from, List<Long> to) {
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
}
