package org.hyperslab.plugins.forwarding.task;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The state machine of a task, without threads and without locks.
 *
 * <p>{@code missing} counts what the task still waits for: each necessary and each earlier task,
 * one for all sufficient tasks together, and one that is held until the parents are attached. The
 * thread that decrements it to zero passes the task to the {@link Listener}. A parent keeps its
 * children in a stack, which its end closes in one step: a child is either on the stack and
 * notified, or finds the stack closed and notifies itself, so that no notification is lost. Every
 * change of status is one compare-and-exchange, and the thread that succeeds does what follows.
 *
 * <p>Failures are propagated with a work list instead of recursion, so that a chain of a million
 * tasks can fail without a deep stack.
 *
 * <p>Thread rule: any thread.
 */
final class TaskNode {

  /** Receives the events of tasks. */
  interface Listener {
    /** The task can run; called at most once. */
    void ready(TaskNode node);

    /** The task has ended; called once. */
    void ended(TaskNode node, TaskStatus status);
  }

  /** How a child depends on a parent. */
  enum Kind {
    /** The parent must be done. */
    NECESSARY,
    /** One of these parents must be done. */
    SUFFICIENT,
    /** The parent must have ended. */
    AFTER
  }

  /** A child on the stack of its parent. */
  private record Child(TaskNode node, Kind kind, Child next) {}

  /** A status, and the failure that belongs to it, so that both change in one step. */
  private record Phase(TaskStatus status, Throwable failure) {
    static final Phase WAITING = new Phase(TaskStatus.WAITING, null);
    static final Phase SCHEDULED = new Phase(TaskStatus.SCHEDULED, null);
    static final Phase RUNNING = new Phase(TaskStatus.RUNNING, null);
    static final Phase DONE = new Phase(TaskStatus.DONE, null);
  }

  /** A child that fails because of its parent. */
  private record Fall(TaskNode node, Throwable failure) {}

  private static final Child CLOSED = new Child(null, null, null);

  /** The longest chain of causes; longer ones are replaced by the oldest cause. */
  private static final int MAX_CAUSES = 16;

  private static final VarHandle PHASE;
  private static final VarHandle MISSING;
  private static final VarHandle SUFFICIENT_LEFT;
  private static final VarHandle CHILDREN;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      PHASE = lookup.findVarHandle(TaskNode.class, "phase", Phase.class);
      MISSING = lookup.findVarHandle(TaskNode.class, "missing", int.class);
      SUFFICIENT_LEFT = lookup.findVarHandle(TaskNode.class, "sufficientLeft", int.class);
      CHILDREN = lookup.findVarHandle(TaskNode.class, "children", Child.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String label;
  private final int priority;
  private final Listener listener;
  private final CompletableFuture<Void> completion = new CompletableFuture<>();
  private volatile Phase phase = Phase.WAITING;
  private volatile int missing;

  /** Sufficient parents that have not failed; negative once one is done. */
  private volatile int sufficientLeft;

  private volatile Child children;
  private TaskBody body;
  private long readyNumber;

  /**
   * Creates a task whose parents are to be attached.
   *
   * @param spec the dependencies and priority
   * @param body the action
   * @param listener receives the events
   * @param parents the number of necessary and earlier parents that will be attached
   * @param sufficient the number of sufficient parents that will be attached
   */
  TaskNode(TaskSpec spec, TaskBody body, Listener listener, int parents, int sufficient) {
    this.label = spec.label();
    this.priority = spec.priority();
    this.body = body;
    this.listener = listener;
    this.missing = 1 + parents + (sufficient > 0 ? 1 : 0);
    this.sufficientLeft = sufficient;
  }

  String label() {
    return label;
  }

  int priority() {
    return priority;
  }

  TaskStatus status() {
    return phase.status;
  }

  Throwable failure() {
    return phase.failure;
  }

  CompletableFuture<Void> completion() {
    return completion;
  }

  /** {@return the position in the order of becoming ready; set before the task is queued} */
  long readyNumber() {
    return readyNumber;
  }

  void readyNumber(long number) {
    this.readyNumber = number;
  }

  /** Makes {@code child} depend on this task; notifies it at once if this task has ended. */
  void attach(TaskNode child, Kind kind) {
    while (true) {
      Child top = children;
      if (top == CLOSED) {
        ArrayDeque<Fall> falls = new ArrayDeque<>();
        tell(child, kind, falls);
        settle(falls);
        return;
      }
      if (CHILDREN.compareAndSet(this, top, new Child(child, kind, top))) {
        return;
      }
    }
  }

  /** Allows the task to run, because all parents have been attached. */
  void release() {
    countDown();
  }

  /** Marks the task as running and returns its body; null if it was cancelled. */
  TaskBody start() {
    TaskBody taken = body;
    if (!PHASE.compareAndSet(this, Phase.SCHEDULED, Phase.RUNNING)) {
      return null;
    }
    body = null;
    return taken;
  }

  /** The running task's body has completed. */
  void succeed() {
    end(Phase.RUNNING, Phase.DONE);
  }

  /** The running task's body has failed. */
  void fail(Throwable cause) {
    end(Phase.RUNNING, new Phase(TaskStatus.FAILED, cause));
  }

  /** Cancels the task if it has not started; returns whether it is cancelled. */
  boolean cancel() {
    String message = "task \"" + label + "\": actual=cancelled, expected=run to its end";
    Phase cancelled = new Phase(TaskStatus.CANCELLED, new CancellationException(message));
    return end(Phase.WAITING, cancelled)
        || end(Phase.SCHEDULED, cancelled)
        || status() == TaskStatus.CANCELLED;
  }

  private boolean end(Phase from, Phase to) {
    ArrayDeque<Fall> falls = new ArrayDeque<>();
    boolean won = endOnce(from, to, falls);
    settle(falls);
    return won;
  }

  /** Fails children, and the tasks that need them in turn. */
  private static void settle(ArrayDeque<Fall> falls) {
    for (Fall fall = falls.poll(); fall != null; fall = falls.poll()) {
      // The child is waiting, because it waits for the parent that has failed.
      fall.node.endOnce(Phase.WAITING, new Phase(TaskStatus.FAILED, fall.failure), falls);
    }
  }

  private boolean endOnce(Phase from, Phase to, ArrayDeque<Fall> falls) {
    if (!PHASE.compareAndSet(this, from, to)) {
      return false;
    }
    body = null;
    Child told = reversed((Child) CHILDREN.getAndSet(this, CLOSED));
    listener.ended(this, to.status);
    for (Child child = told; child != null; child = child.next) {
      tell(child.node, child.kind, falls);
    }
    if (to.failure == null) {
      completion.complete(null);
    } else {
      completion.completeExceptionally(to.failure);
    }
    return true;
  }

  /** {@return the children in the order in which they were attached} */
  private static Child reversed(Child top) {
    Child reversed = null;
    for (Child child = top; child != null; child = child.next) {
      reversed = new Child(child.node, child.kind, reversed);
    }
    return reversed;
  }

  /** Notifies a child of the end of this task. */
  private void tell(TaskNode child, Kind kind, ArrayDeque<Fall> falls) {
    boolean done = phase.status == TaskStatus.DONE;
    boolean falling =
        switch (kind) {
          case AFTER -> {
            child.countDown();
            yield false;
          }
          case NECESSARY -> {
            if (done) {
              child.countDown();
            }
            yield !done;
          }
          case SUFFICIENT -> child.sufficientEnded(done);
        };
    if (falling) {
      falls.add(new Fall(child, failureFor(child, kind)));
    }
  }

  /** Counts the end of a sufficient parent; returns whether none can be done any more. */
  private boolean sufficientEnded(boolean done) {
    while (true) {
      int left = sufficientLeft;
      if (left < 0) {
        return false;
      }
      if (SUFFICIENT_LEFT.compareAndSet(this, left, done ? -1 : left - 1)) {
        if (done) {
          countDown();
        }
        return !done && left == 1;
      }
    }
  }

  private void countDown() {
    boolean last = (int) MISSING.getAndAdd(this, -1) == 1;
    if (last && PHASE.compareAndSet(this, Phase.WAITING, Phase.SCHEDULED)) {
      listener.ready(this);
    }
  }

  private CompletionException failureFor(TaskNode child, Kind kind) {
    String parent =
        kind == Kind.SUFFICIENT ? "the last of its sufficient parents, \"" : "its parent \"";
    Throwable cause = phase.failure;
    int causes = 1;
    while (cause.getCause() != null && causes < MAX_CAUSES) {
      cause = cause.getCause();
      causes++;
    }
    Throwable kept = causes < MAX_CAUSES ? phase.failure : cause;
    return new CompletionException(
        "task \""
            + child.label
            + "\": actual="
            + parent
            + label
            + "\" "
            + phase.status.name().toLowerCase(Locale.ROOT)
            + ", expected=done",
        kept);
  }

  @Override
  public String toString() {
    return "task \"" + label + "\" (" + status() + ")";
  }
}
