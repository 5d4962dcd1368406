package org.hyperslab.plugins.mpiio.agree;

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

/** Failures of one rank as the others report them. Thread rule: no state. */
public final class Failures {

  private Failures() {}

  /** A failure as a typed one: what is none is a surprise, and named as such. */
  public static HyperslabException typed(Throwable failure, String what) {
    return switch (failure) {
      case HyperslabException already -> already;
      case OutOfMemoryError memory ->
          new StorageException(
              "memory: actual=exhausted, expected=enough for "
                  + what
                  + "; give the JVM more, or move less at a time",
              memory);
      default -> InternalErrorException.unexpected(what, failure);
    };
  }

  /** A failure of the same kind whose text says on which rank it happened. */
  static HyperslabException onRank(HyperslabException failure, String ranks) {
    String text = failure.getMessage() + " (on " + ranks + ")";
    return switch (failure) {
      case CorruptFileException e ->
          new CorruptFileException(
              e.file(), e.structure(), e.offset(), problem(e) + " (on " + ranks + ")", e);
      case UnsupportedFeatureException e -> new UnsupportedFeatureException(text, e);
      case StorageException e -> new StorageException(text, e);
      case InvalidUseException e -> new InvalidUseException(text, e);
      case NotFoundException e -> new NotFoundException(text, e);
      case AlreadyExistsException e -> new AlreadyExistsException(text, e);
      case RemoteException e -> new RemoteException(text, e);
      case MpiException e -> new MpiException(e.call(), e.rank(), e.code(), e.text(), e);
      case InternalErrorException e -> new InternalErrorException(text, e);
    };
  }

  /** What a corrupt file's message says between structure and place. */
  private static String problem(CorruptFileException e) {
    String before = e.structure() + ": ";
    String after = ", at=" + e.file() + (e.offset() < 0 ? "" : "@" + e.offset());
    String text = e.getMessage();
    boolean whole =
        text.length() >= before.length() + after.length()
            && text.startsWith(before)
            && text.endsWith(after);
    return whole ? text.substring(before.length(), text.length() - after.length()) : text;
  }
}
