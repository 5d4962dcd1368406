package org.hyperslab;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place in the program at which a file was opened, for warnings about files that were never
 * closed.
 *
 * @param caller the method that opened it; null if no method of a program did
 * @param trace the calls that led there; null unless warnings are to have them
 */
record OpeningPlace(@Nullable StackTraceElement caller, @Nullable Throwable trace) {

  /** The packages whose callers are named instead of their own methods. */
  private static final Set<String> LIBRARY =
      Set.of("org.hyperslab", "org.hyperslab.netcdf", "org.hyperslab.convert");

  private static final StackWalker WALKER = StackWalker.getInstance();

  /** Returns the place from which the library was called. */
  static OpeningPlace here(boolean withTrace) {
    Optional<StackTraceElement> caller =
        WALKER.walk(frames ->
            frames
                .dropWhile(frame -> isLibrary(frame.getClassName()))
                .findFirst()
                .map(StackWalker.StackFrame::toStackTraceElement));
    return new OpeningPlace(caller.orElse(null), withTrace ? new Throwable("opened here") : null);
  }

  private static boolean isLibrary(String type) {
    return LIBRARY.contains(type.substring(0, Math.max(0, type.lastIndexOf('.'))));
  }

  /** Returns the place as part of a sentence. */
  String sentence() {
    return caller == null
        ? ""
        : ", opened at "
            + caller.getClassName()
            + "."
            + caller.getMethodName()
            + "("
            + caller.getFileName()
            + ":"
            + caller.getLineNumber()
            + "),";
  }

  /** Returns the calls that led there, from a new line on; empty if they are not known. */
  String calls() {
    if (trace == null) {
      return "";
    }
    StringWriter text = new StringWriter();
    trace.printStackTrace(new PrintWriter(text));
    return System.lineSeparator() + text.toString().stripTrailing();
  }
}
