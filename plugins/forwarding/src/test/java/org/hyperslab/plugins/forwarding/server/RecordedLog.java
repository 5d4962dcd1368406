package org.hyperslab.plugins.forwarding.server;

import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the lines of a log, each after its level. */
class RecordedLog implements System.Logger {

  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** {@return the lines so far} */
  List<String> lines() {
    return lines;
  }

  /** {@return the lines of an event so far} */
  List<String> of(String event) {
    return lines.stream().filter(line -> line.contains(" event=" + event)).toList();
  }

  @Override
  public String getName() {
    return "recorded";
  }

  @Override
  public boolean isLoggable(Level level) {
    return level.getSeverity() >= Level.DEBUG.getSeverity();
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
    log(level, bundle, message);
  }

  @Override
  public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
    lines.add(level + " " + format);
  }
}
