package org.hyperslab.tools.command;

import java.io.Console;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A progress bar on a terminal; prints nothing if the output is a pipe or a file.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class TerminalProgress implements AutoCloseable {

  private final boolean shown;
  private String task = "";
  private ProgressBar bar;

  private TerminalProgress(boolean shown) {
    this.shown = shown;
  }

  /**
   * Creates a bar, which is shown from the first advance on.
   *
   * @return the bar
   */
  public static TerminalProgress start() {
    return new TerminalProgress(
        System.console() instanceof Console console && console.isTerminal());
  }

  /**
   * Shows the progress of a task in bytes. A new task starts a new bar.
   *
   * @param newTask the name of the task
   * @param doneBytes the bytes done so far
   * @param totalBytes the bytes of the whole task
   */
  public void advanced(String newTask, long doneBytes, long totalBytes) {
    if (!shown) {
      return;
    }
    if (!newTask.equals(task)) {
      close();
      task = newTask;
      bar =
          new ProgressBarBuilder()
              .setTaskName(newTask)
              .setInitialMax(totalBytes)
              .setUnit(" MB", 1_000_000)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(100)
              .build();
    }
    bar.stepTo(doneBytes);
  }

  /**
   * Shows the number of objects done of a task whose total is not known.
   *
   * @param newTask the name of the task
   * @param objects the number of objects done so far
   */
  public void counted(String newTask, long objects) {
    if (!shown) {
      return;
    }
    if (!newTask.equals(task)) {
      close();
      task = newTask;
      bar =
          new ProgressBarBuilder()
              .setTaskName(newTask)
              .setInitialMax(-1)
              .setUnit(" objects", 1)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(200)
              .build();
    }
    bar.stepTo(objects);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
