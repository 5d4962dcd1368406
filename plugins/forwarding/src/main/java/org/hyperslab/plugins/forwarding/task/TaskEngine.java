package org.hyperslab.plugins.forwarding.task;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.hyperslab.error.InvalidUseException;

/**
 * Runs tasks on a pool of threads, each as soon as its dependencies allow.
 *
 * <p>Differences from AXE: tasks that need a failed task fail with its failure as their cause; a
 * task created with a parent that has failed or was cancelled is created and fails; a barrier waits
 * for every task that has not ended, not only for those without children, so that it runs last even
 * if a task has started with one of several sufficient parents.
 *
 * <p>Thread rule: any thread. A body that waits for another task occupies a thread of the pool
 * meanwhile; it should return a stage instead.
 */
public final class TaskEngine implements AutoCloseable {

  private static final Comparator<TaskNode> URGENT_FIRST =
      Comparator.comparingInt(TaskNode::priority)
          .reversed()
          .thenComparingLong(TaskNode::readyNumber);

  /** Ends a thread; taken after all tasks. */
  private final TaskNode poison;

  private final PriorityBlockingQueue<TaskNode> ready =
      new PriorityBlockingQueue<>(64, URGENT_FIRST);
  private final Set<TaskNode> live = ConcurrentHashMap.newKeySet();
  private final AtomicLong readyNumbers = new AtomicLong();
  private final LongAdder done = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder cancelled = new LongAdder();
  private final Thread[] threads;
  private final TaskNode.Listener listener = new Events();
  private final Object idle = new Object();
  private volatile boolean closed;

  /**
   * Creates an engine and starts its threads.
   *
   * @param name the prefix of the threads' names
   * @param threads the number of bodies that may run at a time, 1 to 1024
   * @throws InvalidUseException if {@code threads} is out of bounds
   */
  public TaskEngine(String name, int threads) {
    if (threads < 1 || threads > 1024) {
      throw new InvalidUseException(
          "threads of a task engine: actual=" + threads + ", expected=1 to 1024");
    }
    this.poison =
        new TaskNode(TaskSpec.of("end").withPriority(Integer.MIN_VALUE), null, listener, 0, 0);
    poison.readyNumber(Long.MAX_VALUE);
    this.threads = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      this.threads[i] =
          Thread.ofPlatform().daemon().name(name + "-" + (i + 1)).start(this::runTasks);
    }
  }

  /** Handles changes of tasks' states. */
  private final class Events implements TaskNode.Listener {
    @Override
    public void ready(TaskNode node) {
      node.readyNumber(readyNumbers.getAndIncrement());
      ready.add(node);
    }

    @Override
    public void ended(TaskNode node, TaskStatus status) {
      (status == TaskStatus.DONE ? done : status == TaskStatus.FAILED ? failed : cancelled)
          .increment();
      live.remove(node);
      if (live.isEmpty()) {
        synchronized (idle) {
          idle.notifyAll();
        }
      }
    }
  }

  /**
   * Creates a task, which runs as soon as its dependencies allow.
   *
   * @param spec the dependencies and priority
   * @param body the action
   * @return the task
   * @throws InvalidUseException if the engine is closed
   */
  public Task submit(TaskSpec spec, TaskBody body) {
    requireOpen();
    int parents = spec.necessary().size() + spec.after().size();
    TaskNode node = new TaskNode(spec, body, listener, parents, spec.sufficient().size());
    enter(node);
    spec.necessary().forEach(parent -> parent.node().attach(node, TaskNode.Kind.NECESSARY));
    spec.after().forEach(parent -> parent.node().attach(node, TaskNode.Kind.AFTER));
    spec.sufficient().forEach(parent -> parent.node().attach(node, TaskNode.Kind.SUFFICIENT));
    node.release();
    return new Task(node);
  }

  /**
   * Creates a task without dependencies.
   *
   * @param label the name of the task
   * @param body the action
   * @return the task
   * @throws InvalidUseException if the engine is closed
   */
  public Task submit(String label, TaskBody body) {
    return submit(TaskSpec.of(label), body);
  }

  /**
   * Creates a task that runs when all tasks created before this call have ended in any way. Tasks
   * created later do not wait for it unless they name it.
   *
   * @param label the name of the task
   * @param body the action
   * @return the task
   * @throws InvalidUseException if the engine is closed
   */
  public Task barrier(String label, TaskBody body) {
    requireOpen();
    TaskNode[] before = live.toArray(TaskNode[]::new);
    TaskNode node = new TaskNode(TaskSpec.of(label), body, listener, before.length, 0);
    enter(node);
    for (TaskNode parent : before) {
      parent.attach(node, TaskNode.Kind.AFTER);
    }
    node.release();
    return new Task(node);
  }

  /** Adds a task; checks again for closing, which waits only for the tasks that it finds. */
  private void enter(TaskNode node) {
    live.add(node);
    if (closed) {
      node.cancel();
      requireOpen();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new InvalidUseException("task engine: actual=closed, expected=open");
    }
  }

  /** {@return the counters; not a consistent snapshot while tasks change} */
  public TaskCounts counts() {
    return new TaskCounts(live.size(), ready.size(), done.sum(), failed.sum(), cancelled.sum());
  }

  private void runTasks() {
    while (true) {
      TaskNode node = take();
      if (node == poison) {
        ready.add(poison);
        return;
      }
      TaskBody body = node.start();
      if (body != null) {
        run(node, body);
      }
    }
  }

  private TaskNode take() {
    while (true) {
      try {
        return ready.take();
      } catch (InterruptedException e) {
        // Left by a body; the thread belongs to the engine.
        continue;
      }
    }
  }

  private static void run(TaskNode node, TaskBody body) {
    CompletionStage<?> stage;
    try {
      stage = body.run();
    } catch (Throwable failure) {
      // Errors too: otherwise tasks that wait for this one would wait for ever.
      node.fail(failure);
      return;
    }
    if (stage == null) {
      node.succeed();
    } else {
      stage.whenComplete((value, failure) -> {
        if (failure == null) {
          node.succeed();
        } else {
          node.fail(failure);
        }
      });
    }
  }

  /**
   * Waits until all tasks have ended.
   *
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public void drain() throws InterruptedException {
    synchronized (idle) {
      while (!live.isEmpty()) {
        idle.wait();
      }
    }
  }

  /** Refuses new tasks, waits until all tasks have ended, and ends the threads. */
  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    while (true) {
      try {
        drain();
        ready.add(poison);
        for (Thread thread : threads) {
          if (thread != Thread.currentThread()) {
            thread.join();
          }
        }
        ready.remove(poison);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
