package org.hyperslab.plugins.libhdf5.call;

import java.lang.foreign.Arena;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.vol.Connectors;

/**
 * Pushes failures with their messages on libhdf5's error stack, under a separate error class.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class ErrorStack {

  private static final int MAJOR = 0;
  private static final int MINOR = 1;

  /** The callbacks that open a file. */
  private static final Set<String> OPENING =
      Set.of(ClassSlot.FILE_OPEN.name(), ClassSlot.FILE_CREATE.name());

  private final Hdf5Calls hdf5;
  private final Map<String, Long> minors = new ConcurrentHashMap<>();
  private long errorClass;
  private long major;

  public ErrorStack(Hdf5Calls hdf5) {
    this.hdf5 = hdf5;
  }

  /** Pushes a failure and its causes on the stack; never throws. */
  public void push(String where, Throwable failure) {
    push(DEFAULT_STACK, where, failure);
  }

  private static final long DEFAULT_STACK = 0;

  /** Pushes a failure on a given stack. */
  public void push(long stack, String where, Throwable failure) {
    try {
      Throwable cause = Connectors.causeOf(failure);
      String text = cause.getMessage();
      if (text == null || !(cause instanceof HyperslabException)) {
        text = cause.toString();
      }
      Optional<SystemErrors> system = SystemErrors.behind(cause, OPENING.contains(where));
      if (system.isPresent()) {
        text += ", " + system.get().words();
      }
      if (System.getenv("HYPERSLAB_BRIDGE_TRACE") != null) {
        cause.printStackTrace();
      }
      pushText(stack, where, kind(cause), text);
    } catch (RuntimeException | Error e) {
      System.err.println("hyperslab: " + where + ": " + failure);
    }
  }

  private synchronized void pushText(long stack, String where, String kind, String text) {
    try (Arena arena = Arena.ofConfined()) {
      if (errorClass == 0) {
        errorClass =
            hdf5.id(
                Hdf5Function.E_REGISTER_CLASS,
                arena.allocateFrom("Hyperslab").address(),
                arena.allocateFrom("hyperslab").address(),
                arena.allocateFrom("0.1.0").address());
        major = message(arena, MAJOR, "Hyperslab connector");
      }
      long minor = minors.computeIfAbsent(kind, wanted -> message(arena, MINOR, wanted));
      hdf5.call(
          Hdf5Function.E_PUSH,
          stack,
          arena.allocateFrom("hyperslab").address(),
          arena.allocateFrom(where).address(),
          0,
          errorClass,
          major,
          minor,
          // A percent sign would start a conversion of an argument.
          arena.allocateFrom(text.replace("%", "%%")).address());
    }
  }

  private long message(Arena arena, int type, String text) {
    return hdf5.id(
        Hdf5Function.E_CREATE_MESSAGE, errorClass, type, arena.allocateFrom(text).address());
  }

  /** Returns the kind of failure in words, such as "not found" for NotFoundException. */
  private static String kind(Throwable failure) {
    String name = failure.getClass().getSimpleName().replaceAll("(Exception|Error)$", "");
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }
}
