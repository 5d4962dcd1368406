package org.hyperslab.plugins.forwarding.task;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.hyperslab.testkit.Campaign;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Model checking of the task's state machine: whatever the interleaving of parents that end and
 * children that are attached and cancelled, a child becomes ready exactly when nothing is missing,
 * and falls exactly when something it needs cannot come. No wake-up is lost, none comes twice.
 */
@Campaign
final class TaskGraphLincheckTest {

  @Test
  void noWakeUpIsLost() {
    new ModelCheckingOptions()
        .iterations(40)
        .invocationsPerIteration(400)
        .threads(3)
        .actorsPerThread(2)
        .actorsBefore(0)
        .actorsAfter(0)
        .minimizeFailedScenario(true)
        // What the test itself notes down is no place where it matters who goes on.
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(AtomicIntegerArray.class.getName())
                .allMethods()
                .ignore())
        .check(Graph.class);
  }

  /** Two parents, of which children of every kind are made while the parents end. */
  public static final class Graph implements TaskNode.Listener {

    private static final int CHILDREN = 3;
    private final TaskNode[] parents = new TaskNode[2];
    private final TaskNode[] children = new TaskNode[CHILDREN];
    private final AtomicIntegerArray made = new AtomicIntegerArray(CHILDREN);
    private final AtomicIntegerArray ready = new AtomicIntegerArray(CHILDREN);
    private final AtomicIntegerArray ended = new AtomicIntegerArray(CHILDREN + 2);

    /** Parents that run, and children that are not attached yet. */
    public Graph() {
      for (int i = 0; i < 2; i++) {
        parents[i] = node("p" + i, 0, 0);
        parents[i].release();
        parents[i].start();
      }
      children[0] = node("both", 2, 0);
      children[1] = node("either", 0, 2);
      children[2] = node("mixed", 1, 1);
    }

    private TaskNode node(String label, int necessary, int sufficient) {
      return new TaskNode(TaskSpec.of(label), TaskBody.nothing(), this, necessary, sufficient);
    }

    @Override
    public void ready(TaskNode node) {
      for (int i = 0; i < CHILDREN; i++) {
        if (children[i] == node) {
          ready.incrementAndGet(i);
        }
      }
    }

    @Override
    public void ended(TaskNode node, TaskStatus status) {
      for (int i = 0; i < CHILDREN + 2; i++) {
        if (node == (i < CHILDREN ? children[i] : parents[i - CHILDREN])) {
          ended.incrementAndGet(i);
        }
      }
    }

    /** The first parent is done. */
    @Operation(runOnce = true)
    public void firstSucceeds() {
      parents[0].succeed();
    }

    /** The second parent is done. */
    @Operation(runOnce = true)
    public void secondSucceeds() {
      parents[1].succeed();
    }

    /** The second parent fails. */
    @Operation(runOnce = true)
    public void secondFails() {
      parents[1].fail(new IllegalStateException("failed"));
    }

    /** A child that needs both. */
    @Operation(runOnce = true)
    public void makeBoth() {
      make(0, TaskNode.Kind.NECESSARY, TaskNode.Kind.NECESSARY);
    }

    /** A child that either suffices for. */
    @Operation(runOnce = true)
    public void makeEither() {
      make(1, TaskNode.Kind.SUFFICIENT, TaskNode.Kind.SUFFICIENT);
    }

    /** A child ordered after the first that the second suffices for. */
    @Operation(runOnce = true)
    public void makeMixed() {
      make(2, TaskNode.Kind.AFTER, TaskNode.Kind.SUFFICIENT);
    }

    /** The first child is cancelled, before or after it is attached. */
    @Operation(runOnce = true)
    public void cancelBoth() {
      children[0].cancel();
    }

    private void make(int child, TaskNode.Kind first, TaskNode.Kind second) {
      parents[0].attach(children[child], first);
      parents[1].attach(children[child], second);
      children[child].release();
      made.set(child, 1);
    }

    /** What must hold when all have done their part. */
    @Validate
    public void everyEndHasArrived() {
      boolean firstDone = parents[0].status() == TaskStatus.DONE;
      TaskStatus second = parents[1].status();
      boolean secondDone = second == TaskStatus.DONE;
      boolean secondFailed = second == TaskStatus.FAILED;
      expect(0, firstDone && secondDone, secondFailed);
      expect(1, firstDone || secondDone, false);
      expect(2, firstDone && secondDone, secondFailed);
      for (int i = 0; i < CHILDREN + 2; i++) {
        check(ended.get(i) <= 1, "ended twice", i);
      }
    }

    private void expect(int child, boolean runs, boolean falls) {
      TaskStatus status = children[child].status();
      check(ready.get(child) <= 1, "ready twice", child);
      if (made.get(child) == 0 || status == TaskStatus.CANCELLED) {
        return;
      }
      TaskStatus expected =
          falls ? TaskStatus.FAILED : runs ? TaskStatus.SCHEDULED : TaskStatus.WAITING;
      check(status == expected, "status " + status + ", expected " + expected, child);
      check(ready.get(child) == (status == TaskStatus.SCHEDULED ? 1 : 0), "wake-up", child);
    }

    private static void check(boolean holds, String what, int which) {
      if (!holds) {
        throw new IllegalStateException(what + " of " + which);
      }
    }
  }
}
