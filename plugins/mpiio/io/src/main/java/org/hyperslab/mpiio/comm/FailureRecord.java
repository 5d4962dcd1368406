package org.hyperslab.mpiio.comm;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * The parts of an exception, from which another rank creates an equal one.
 *
 * <p>Bytes of a failure: the number of exceptions (one byte), then the failure and its causes, each
 * as kind (one byte), {@code number} (long), {@code code} (int), and the strings {@code text},
 * {@code place} and {@code part} (int length, UTF-8).
 *
 * @param kind the type
 * @param text the message, or the part of it that the exception does not compose itself
 * @param place the file of a corrupt file, the call of an MPI failure; otherwise empty
 * @param part the structure in a corrupt file; otherwise empty
 * @param number the offset in a corrupt file, the rank of an MPI failure; otherwise 0
 * @param code the code of an MPI failure; otherwise 0
 */
record FailureRecord(Kind kind, String text, String place, String part, long number, int code) {

  private static final int MAX_CAUSES = 16;
  private static final int LONGEST_TEXT = 64 << 10;

  /** The types of exceptions. */
  enum Kind {
    CORRUPT_FILE,
    UNSUPPORTED_FEATURE,
    STORAGE,
    INVALID_USE,
    NOT_FOUND,
    ALREADY_EXISTS,
    REMOTE,
    MPI,
    INTERNAL,
    LIMIT_EXCEEDED
  }

  static FailureRecord of(Throwable failure) {
    if (!(failure instanceof HyperslabException typed)) {
      return plain(Kind.REMOTE, failure.toString());
    }
    String text = String.valueOf(typed.getMessage());
    return switch (typed) {
      case CorruptFileException e ->
          new FailureRecord(Kind.CORRUPT_FILE, e.problem(), e.file(), e.structure(), e.offset(), 0);
      case UnsupportedFeatureException e -> plain(Kind.UNSUPPORTED_FEATURE, text);
      case StorageException e -> plain(Kind.STORAGE, text);
      case LimitExceededException e -> plain(Kind.LIMIT_EXCEEDED, text);
      case InvalidUseException e -> plain(Kind.INVALID_USE, text);
      case NotFoundException e -> plain(Kind.NOT_FOUND, text);
      case AlreadyExistsException e -> plain(Kind.ALREADY_EXISTS, text);
      case RemoteException e -> plain(Kind.REMOTE, text);
      case MpiException e ->
          new FailureRecord(Kind.MPI, e.text(), e.call(), "", e.rank(), e.code());
      case InternalErrorException e -> plain(Kind.INTERNAL, text);
    };
  }

  private static FailureRecord plain(Kind kind, String text) {
    return new FailureRecord(kind, text, "", "", 0, 0);
  }

  HyperslabException exception(Throwable cause) {
    return switch (kind) {
      case CORRUPT_FILE -> new CorruptFileException(place, part, number, text, cause);
      case UNSUPPORTED_FEATURE -> new UnsupportedFeatureException(text, cause);
      case STORAGE -> new StorageException(text, cause);
      case INVALID_USE -> new InvalidUseException(text, cause);
      case LIMIT_EXCEEDED -> new LimitExceededException(text, cause);
      case NOT_FOUND -> new NotFoundException(text, cause);
      case ALREADY_EXISTS -> new AlreadyExistsException(text, cause);
      case REMOTE -> new RemoteException(text, cause);
      case MPI -> new MpiException(place, (int) number, code, text, cause);
      case INTERNAL -> new InternalErrorException(text, cause);
    };
  }

  FailureRecord withTextBehind(String more) {
    return new FailureRecord(kind, text + more, place, part, number, code);
  }

  static byte[] encode(Throwable failure) {
    List<FailureRecord> chain = new ArrayList<>();
    for (Throwable e = failure; e != null && chain.size() < MAX_CAUSES; e = e.getCause()) {
      chain.add(of(e));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(chain.size());
      for (FailureRecord each : chain) {
        each.write(out);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeByte(kind.ordinal());
    out.writeLong(number);
    out.writeInt(code);
    for (String each : new String[] {text, place, part}) {
      String shortened = each.length() <= LONGEST_TEXT ? each : each.substring(0, LONGEST_TEXT);
      byte[] utf8 = shortened.getBytes(StandardCharsets.UTF_8);
      out.writeInt(utf8.length);
      out.write(utf8);
    }
  }

  /**
   * Decodes a failure with its causes.
   *
   * @return the failure first, then its causes
   * @throws MpiException if the bytes are not a failure
   */
  static List<FailureRecord> decode(byte[] bytes) {
    List<FailureRecord> chain = new ArrayList<>();
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      for (int left = in.readByte(); left > 0; left--) {
        Kind kind = Kind.values()[in.readByte()];
        long number = in.readLong();
        int code = in.readInt();
        chain.add(new FailureRecord(kind, text(in), text(in), text(in), number, code));
      }
    } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException malformed) {
      throw malformed(bytes, malformed);
    }
    if (chain.isEmpty()) {
      throw malformed(bytes, null);
    }
    return chain;
  }

  private static String text(DataInputStream in) throws IOException {
    byte[] utf8 = in.readNBytes(in.readInt());
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private static MpiException malformed(byte[] bytes, Exception cause) {
    return new MpiException(
        "shared failure",
        MpiException.NO_RANK,
        MpiException.NO_CODE,
        "message: actual=" + bytes.length + " bytes that are not a failure, expected=a failure",
        cause);
  }

  /** Creates the exceptions of a chain, each the cause of the one before. */
  static HyperslabException exception(List<FailureRecord> chain) {
    HyperslabException failure = null;
    for (FailureRecord each : chain.reversed()) {
      failure = each.exception(failure);
    }
    return failure;
  }
}
