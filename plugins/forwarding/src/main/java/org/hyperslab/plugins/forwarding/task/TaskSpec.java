package org.hyperslab.plugins.forwarding.task;

import java.util.ArrayList;
import java.util.List;

/**
 * What a task waits for and how urgent it is.
 *
 * <p>A task runs when all {@code necessary} tasks are done, at least one of the {@code sufficient}
 * ones is done if any are named, and all tasks of {@code after} have ended in whatever way. It
 * fails, without running, when a necessary task fails or is cancelled, or when all the sufficient
 * ones do. The end of a task in {@code after} only orders: its failure does not travel.
 *
 * <p>A task may appear in several lists and several times.
 *
 * @param label names the task in messages
 * @param priority of tasks that could run, those with the higher number run first; equals in the
 *     order in which they became ready
 * @param necessary all must be done
 * @param sufficient one must be done, if the list is not empty
 * @param after all must have ended
 */
public record TaskSpec(
    String label, int priority, List<Task> necessary, List<Task> sufficient, List<Task> after) {

  /** Copies the lists. */
  public TaskSpec {
    necessary = List.copyOf(necessary);
    sufficient = List.copyOf(sufficient);
    after = List.copyOf(after);
  }

  /** A task that waits for nothing, of priority 0. */
  public static TaskSpec of(String label) {
    return new TaskSpec(label, 0, List.of(), List.of(), List.of());
  }

  /** The same with another priority. */
  public TaskSpec withPriority(int newPriority) {
    return new TaskSpec(label, newPriority, necessary, sufficient, after);
  }

  /** The same with more necessary tasks. */
  public TaskSpec needing(Task... more) {
    return new TaskSpec(label, priority, joined(necessary, more), sufficient, after);
  }

  /** The same with more sufficient tasks. */
  public TaskSpec sufficing(Task... more) {
    return new TaskSpec(label, priority, necessary, joined(sufficient, more), after);
  }

  /** The same with more tasks that must have ended. */
  public TaskSpec following(Task... more) {
    return new TaskSpec(label, priority, necessary, sufficient, joined(after, more));
  }

  private static List<Task> joined(List<Task> tasks, Task... more) {
    List<Task> all = new ArrayList<>(tasks);
    all.addAll(List.of(more));
    return all;
  }
}
