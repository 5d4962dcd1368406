package org.hyperslab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.StepOptions;
import org.hyperslab.model.StepProgress;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.StepOperation;
import org.jspecify.annotations.Nullable;

/**
 * Writes one file in steps: collects appended rows, passes them on in few writes, and publishes the
 * steps that have ended. Refers to handles and not to objects of the API, so that a file which the
 * program has lost can be closed.
 *
 * <p><b>Locks.</b> {@code lock} guards what is collected, and is held for moments. {@code passing}
 * is held while rows are passed on and steps are published, so that this happens in order; threads
 * of the program meet it only if too much waits, or if every step is published when it ends.
 *
 * <p>Thread rule: any thread; the beginning and the end of a step are calls of one.
 */
final class StepWriter {

  /** The time between two questions whether followers have taken steps. */
  private static final long ASK_MILLIS = 1;

  private static final long NO_TIME = Long.MAX_VALUE;

  private final Connector connector;
  private final Handle file;
  private final String name;
  private final StepOptions options;
  private final Map<String, StepColumn> columns = new LinkedHashMap<>();
  private final Map<Long, StepColumn> byToken = new LinkedHashMap<>();

  private final ReentrantLock passing = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Under lock.
  private boolean open;
  private boolean closed;
  private long ended;
  private long waitingBytes;
  private List<List<Long>> unpublished = new ArrayList<>();
  private long dueNanos = NO_TIME;
  private @Nullable RuntimeException failed;

  // Under passing.
  private long published;
  private volatile long lastNanos;

  /** Starts the steps of a file whose table exists. */
  StepWriter(
      Connector connector, Handle file, String name, List<String> datasets, StepOptions options) {
    this.connector = connector;
    this.file = file;
    this.name = name;
    this.options = options;
    StepProgress progress = call(new StepOperation.Start(file, datasets));
    this.published = progress.published();
    this.ended = published;
    for (String path : datasets) {
      Handle handle = Handle.fresh();
      ObjectInfo object = call(new ObjectOperation.Open(handle, new Location(file, path)));
      DatasetInfo info = call(new DatasetOperation.Describe(handle, false, false));
      StepColumn column = new StepColumn(path, handle, info);
      columns.put(path, column);
      byToken.put(object.token().address(), column);
    }
    if (!options.flushEvery().isZero()) {
      Thread.ofPlatform().daemon().name("hyperslab-steps").start(this::publishInTime);
    }
  }

  private <R> R call(Operation<R> operation) {
    return Calls.await(connector.submit(operation));
  }

  /**
   * Returns the column of a dataset.
   *
   * @param token the address in the dataset's token
   * @param path its path, for messages
   */
  StepColumn column(long token, String path) {
    StepColumn column = byToken.get(token);
    if (column == null) {
      throw new InvalidUseException(
          "append in steps: actual="
              + path
              + ", expected=one of "
              + columns.keySet()
              + ", with which steps were started; at="
              + name);
    }
    return column;
  }

  // --- the program's calls ---

  /** Begins a step and returns its number. */
  long begin() {
    lock.lock();
    try {
      requireUsable();
      if (open) {
        throw new InvalidUseException(
            "beginStep: actual=step "
                + ended
                + " has begun, expected=no step, because steps are not nested, at="
                + name
                + "; call endStep or abandonStep first");
      }
      open = true;
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the step and returns its number. */
  long end() {
    long number;
    boolean now;
    lock.lock();
    try {
      requireOpen("endStep");
      List<Long> rows = new ArrayList<>(columns.size());
      columns.values().forEach(column -> rows.add(column.end()));
      unpublished.add(rows);
      open = false;
      number = ended++;
      now = options.flushEvery().isZero();
      if (dueNanos == NO_TIME) {
        dueNanos = System.nanoTime() + options.flushEvery().toNanos() - lastNanos;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    if (now) {
      publish(false);
    }
    return number;
  }

  /** Drops what was appended in the step. */
  void abandon() {
    passing.lock(); // so that nothing of the step is on its way
    lock.lock();
    try {
      requireOpen("abandonStep");
      columns.values().forEach(StepColumn::abandon);
      open = false;
    } finally {
      lock.unlock();
      passing.unlock();
    }
  }

  /** Appends rows to a dataset in the present step. */
  void append(StepColumn column, Object value) {
    if (value instanceof String text && column.takesTexts()) {
      lock.lock();
      try {
        requireOpen("append");
        waitingBytes += column.add(text);
      } finally {
        lock.unlock();
      }
    } else {
      Memory memory =
          value instanceof Memory given
              ? given.requireAccessible()
              : Memory.of(value, column.type());
      append(column, memory, JavaArrays.appended(memory.space().dims(), column.shape())[0]);
    }
    if (waitingBytes > options.bufferBytes()) {
      passOn();
    }
  }

  private void append(StepColumn column, Memory memory, long rows) {
    if (rows == 0) {
      return;
    }
    if (!column.isLarge(memory)) {
      lock.lock();
      try {
        requireOpen("append");
        waitingBytes += column.add(memory, rows);
        return;
      } finally {
        lock.unlock();
      }
    }
    passing.lock();
    try {
      passOn();
      DatasetOperation.Write write;
      DatasetOperation.SetExtent extent;
      lock.lock();
      try {
        requireOpen("append");
        write = column.direct(memory, rows);
        extent = column.extension();
      } finally {
        lock.unlock();
      }
      guarded(() -> {
        if (extent != null) {
          connector.submit(extent); // a failure is that of the write, too
        }
        call(write);
      });
    } finally {
      passing.unlock();
    }
  }

  /** Passes rows on before an operation that may need them; edits need a step. */
  void before(Operation<?> operation) {
    if (operation instanceof DatasetOperation<?>) {
      if (operation.edits()) {
        lock.lock();
        try {
          requireOpen("write");
        } finally {
          lock.unlock();
        }
      }
      passOn();
    }
  }

  /** Sets the extent of a dataset in the present step, which grows by rows that are written. */
  void setExtent(StepColumn column, DatasetOperation.SetExtent operation) {
    passing.lock();
    try {
      passOn();
      boolean grows;
      lock.lock();
      try {
        requireOpen("setExtent");
        grows = column.setExtent(operation.dims());
      } finally {
        lock.unlock();
      }
      if (grows) {
        guarded(() -> call(new DatasetOperation.SetExtent(column.handle(), operation.dims())));
      }
    } finally {
      passing.unlock();
    }
  }

  /** Publishes all steps that have ended, and waits for it. */
  void flush() {
    publish(false);
  }

  /** Drops the present step, publishes all others, and says that no step follows. */
  void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (open) {
        columns.values().forEach(StepColumn::abandon);
        open = false;
      }
    } finally {
      lock.unlock();
    }
    try {
      publish(true);
    } finally {
      lock.lock();
      try {
        closed = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void requireOpen(String what) {
    requireUsable();
    if (!open) {
      throw new InvalidUseException(
          what
              + ": actual=outside a step, expected=between beginStep and endStep, because steps are"
              + " started, at="
              + name);
    }
  }

  private void requireUsable() {
    if (closed) {
      throw new InvalidUseException("steps: actual=closed, expected=open, at=" + name);
    }
    if (failed != null) {
      throw new StorageException(
          "steps: actual=unusable after a write or publication that failed, expected=usable, at="
              + name
              + "; published steps are safe; close the file and open it again",
          failed);
    }
  }

  // --- passing on and publishing ---

  /** Passes on the rows that wait; if none do, it does nothing. */
  private void passOn() {
    passing.lock();
    try {
      List<DatasetOperation.SetExtent> extents = new ArrayList<>();
      List<DatasetOperation.Write> writes = new ArrayList<>();
      lock.lock();
      try {
        requireUsable();
        for (StepColumn column : columns.values()) {
          if (column.isWaiting()) {
            DatasetOperation.SetExtent extent = column.extension();
            if (extent != null) {
              extents.add(extent);
            }
            writes.addAll(column.take());
          }
        }
        waitingBytes = 0;
      } finally {
        lock.unlock();
      }
      if (!writes.isEmpty()) {
        guarded(() -> write(extents, writes));
      }
    } finally {
      passing.unlock();
    }
  }

  private void write(
      List<DatasetOperation.SetExtent> extents, List<DatasetOperation.Write> writes) {
    List<CompletableFuture<Void>> set = new ArrayList<>(extents.size());
    extents.forEach(extent -> set.add(connector.submit(extent).toCompletableFuture()));
    set.forEach(Calls::await);
    call(writes.size() == 1 ? writes.getFirst() : new DatasetOperation.WriteMulti(writes));
  }

  private void publish(boolean last) {
    passing.lock();
    try {
      long begun = System.nanoTime();
      List<List<Long>> steps;
      lock.lock();
      try {
        steps = unpublished;
        unpublished = new ArrayList<>();
        dueNanos = NO_TIME;
      } finally {
        lock.unlock();
      }
      if (steps.isEmpty() && !last) {
        return;
      }
      try {
        passOn();
        guarded(() -> publish(steps, last));
      } finally {
        putBack(steps);
      }
      lastNanos = Math.min(System.nanoTime() - begun, options.flushEvery().toNanos() / 2);
    } finally {
      passing.unlock();
    }
  }

  /** Puts back the steps that could not be published, because followers have not taken others. */
  private void putBack(List<List<Long>> steps) {
    lock.lock();
    try {
      if (!steps.isEmpty()) {
        steps.addAll(unpublished);
        unpublished = steps;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Publishes steps, and removes them from the list; waits for followers if it must. */
  private void publish(List<List<Long>> steps, boolean last) {
    long begun = System.nanoTime();
    boolean said = false;
    while (!steps.isEmpty() || (last && !said)) {
      StepProgress now = call(new StepOperation.Publish(file, published, steps, last));
      if (now.published() == published + steps.size()) {
        published = now.published();
        steps.clear();
        said = true;
        continue;
      }
      long possible = Math.min(now.allowed() - published, steps.size());
      if (possible > 0) {
        List<List<Long>> some = steps.subList(0, (int) possible);
        published = call(new StepOperation.Publish(file, published, some, false)).published();
        some.clear();
        begun = System.nanoTime();
      } else {
        requireTime(begun);
        pause();
      }
    }
  }

  private void requireTime(long begun) {
    if (System.nanoTime() - begun > options.timeout().toNanos()) {
      throw new Late(
          new StorageException(
              "publication of step "
                  + published
                  + ": actual=a follower with the policy BLOCK has taken no step for "
                  + options.timeout().toMillis()
                  + " ms, expected=that it takes steps, at="
                  + name
                  + "; the step is kept, and the next call tries again"));
    }
  }

  private void pause() {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(ASK_MILLIS);
      boolean interrupted = false;
      while (left > 0) {
        try {
          left = changed.awaitNanos(left);
        } catch (InterruptedException again) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A failure after which the steps can go on. */
  private static final class Late extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final StorageException failure;

    private Late(StorageException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  private void guarded(Runnable action) {
    try {
      action.run();
    } catch (Late late) {
      throw late.failure;
    } catch (RuntimeException failure) {
      lock.lock();
      try {
        failed = failure;
      } finally {
        lock.unlock();
      }
      throw failure;
    }
  }

  /** Publishes steps when they are due, until the file is closed; a thread of its own. */
  private void publishInTime() {
    while (awaitDue()) {
      try {
        publish(false);
      } catch (RuntimeException known) {
        // It is told by the program's next call, unless followers are late: then it is tried again.
        pause();
      }
    }
  }

  private boolean awaitDue() {
    lock.lock();
    try {
      while (!closed && failed == null) {
        long left = dueNanos == NO_TIME ? NO_TIME : dueNanos - System.nanoTime();
        if (left <= 0) {
          return true;
        }
        try {
          changed.awaitNanos(left);
        } catch (InterruptedException nobody) {
          return false; // no code has this thread to interrupt
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }
}
