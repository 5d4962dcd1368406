package org.hyperslab.plugins.forwarding.task;

import java.util.ArrayList;
import java.util.List;

/**
 * The dependencies and the priority of a task.
 *
 * <p>A task runs when all {@code necessary} tasks are done, at least one of the {@code sufficient}
 * tasks is done if there are any, and all tasks of {@code after} have ended in any way. It fails
 * without running when a necessary task fails or is cancelled, or when all sufficient tasks do. The
 * failure of a task in {@code after} has no effect.
 *
 * <p>A task may appear in several lists and several times.
 *
 * @param label the name of the task in messages
 * @param priority among tasks that wait for a thread, those with a higher number run first; tasks
 *     of equal priority run in the order in which they became ready
 * @param necessary tasks that must all be done
 * @param sufficient tasks of which one must be done, if the list is not empty
 * @param after tasks that must all have ended
 */
public record TaskSpec(
    String label, int priority, List<Task> necessary, List<Task> sufficient, List<Task> after) {

  /** Copies the lists. */
  public TaskSpec {
    necessary = List.copyOf(necessary);
    sufficient = List.copyOf(sufficient);
    after = List.copyOf(after);
  }

  /**
   * Makes a specification without dependencies, of priority 0.
   *
   * @param label the name of the task
   * @return the specification
   */
  public static TaskSpec of(String label) {
    return new TaskSpec(label, 0, List.of(), List.of(), List.of());
  }

  /**
   * Changes the priority.
   *
   * @param newPriority the priority
   * @return the changed specification
   */
  public TaskSpec withPriority(int newPriority) {
    return new TaskSpec(label, newPriority, necessary, sufficient, after);
  }

  /**
   * Adds necessary tasks.
   *
   * @param more the tasks
   * @return the changed specification
   */
  public TaskSpec needing(Task... more) {
    return new TaskSpec(label, priority, joined(necessary, more), sufficient, after);
  }

  /**
   * Adds sufficient tasks.
   *
   * @param more the tasks
   * @return the changed specification
   */
  public TaskSpec sufficing(Task... more) {
    return new TaskSpec(label, priority, necessary, joined(sufficient, more), after);
  }

  /**
   * Adds tasks that must have ended.
   *
   * @param more the tasks
   * @return the changed specification
   */
  public TaskSpec following(Task... more) {
    return new TaskSpec(label, priority, necessary, sufficient, joined(after, more));
  }

  private static List<Task> joined(List<Task> tasks, Task... more) {
    List<Task> all = new ArrayList<>(tasks);
    all.addAll(List.of(more));
    return all;
  }
}
