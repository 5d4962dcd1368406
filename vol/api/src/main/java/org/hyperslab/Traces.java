package org.hyperslab;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Stack traces as programs see them. That of a refusal, which is the program's to correct, begins
 * with the method of the API that was called. That of another failure has the place where it arose,
 * which may be in another thread, followed by the waiting caller. A system property keeps the
 * library's own methods in both.
 *
 * <p>Thread rule: no state.
 */
final class Traces {

  /** The system property that has refusals keep the methods of this library, as "full". */
  static final String PROPERTY = "hyperslab.traces";

  private static final String API = "org.hyperslab";

  /** Packages, with those below them, whose methods are called by those of the API. */
  private static final List<String> BELOW =
      List.of(
          "org.hyperslab.vol.",
          "org.hyperslab.plugins.",
          "org.hyperslab.format.",
          "org.hyperslab.model.",
          "org.hyperslab.scales.",
          "java.",
          "jdk.");

  private Traces() {}

  /** Returns a failure for the caller of this method, which waited for it. */
  static HyperslabException here(HyperslabException failure) {
    StackTraceElement[] caller = new Throwable().getStackTrace();
    StackTraceElement[] arose = failure.getStackTrace();
    StackTraceElement[] whole = isBelow(arose, caller) ? arose : joined(arose, caller);
    HyperslabException told = failure.withMessage(failure.getMessage());
    boolean brief = isRefusal(failure) && !"full".equals(System.getProperty(PROPERTY));
    told.setStackTrace(brief ? fromApi(caller) : whole);
    return told;
  }

  /** Returns whether a trace ends with that of a caller of this class, that is, began below it. */
  private static boolean isBelow(StackTraceElement[] trace, StackTraceElement[] caller) {
    int known = Math.min(caller.length, 4); // those here, and the lines that called them
    int common = caller.length - known;
    return common > 0
        && trace.length >= common
        && Arrays.equals(trace, trace.length - common, trace.length, caller, known, caller.length);
  }

  private static StackTraceElement[] joined(StackTraceElement[] arose, StackTraceElement[] caller) {
    return Stream.concat(Arrays.stream(arose), Arrays.stream(caller))
        .toArray(StackTraceElement[]::new);
  }

  private static boolean isRefusal(HyperslabException failure) {
    return switch (failure) {
      case InvalidUseException _,
          NotFoundException _,
          AlreadyExistsException _,
          UnsupportedFeatureException _ ->
          true;
      case CorruptFileException _,
          StorageException _,
          RemoteException _,
          MpiException _,
          InternalErrorException _ ->
          false;
    };
  }

  /** Returns a trace from the method of the API on that the program called. */
  private static StackTraceElement[] fromApi(StackTraceElement[] trace) {
    int called = 0;
    for (int i = 0; i < trace.length; i++) {
      String type = trace[i].getClassName();
      if (type.substring(0, Math.max(0, type.lastIndexOf('.'))).equals(API)) {
        called = i;
      } else if (BELOW.stream().noneMatch(type::startsWith)) {
        break;
      }
    }
    return Arrays.copyOfRange(trace, called, trace.length);
  }
}
