package org.hyperslab.plugins.codec;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
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
import org.hyperslab.plugins.codec.proto.Messages.ErrorMessage;
import org.hyperslab.plugins.codec.proto.Messages.Failure;
import org.hyperslab.plugins.codec.proto.Messages.MpiFailure;
import org.hyperslab.vol.Connectors;

/** Encodes failures as messages. Thread rule: stateless. */
final class ErrorCodec {

  private static final int MAX_CAUSES = 16;
  private static final int LONGEST_TEXT = 64 << 10;

  private ErrorCodec() {}

  static byte[] encode(Throwable failure, UnaryOperator<String> told) {
    ErrorMessage.Builder message = ErrorMessage.newBuilder();
    Throwable next = typed(Connectors.causeOf(failure));
    for (int depth = 0; next != null && depth < MAX_CAUSES; depth++) {
      message.addChain(one(next, told));
      next = next.getCause();
    }
    return message.build().toByteArray();
  }

  /** Converts a failure to a typed one; an untyped exception is a defect on either side. */
  private static Throwable typed(Throwable failure) {
    boolean unforeseen =
        failure instanceof RuntimeException
            ? !(failure instanceof HyperslabException || failure instanceof UncheckedIOException)
            : failure instanceof Error && !(failure instanceof OutOfMemoryError);
    return unforeseen ? InternalErrorException.unexpected("operation", failure) : failure;
  }

  private static Failure one(Throwable failure, UnaryOperator<String> told) {
    Failure.Builder one = Failure.newBuilder().setText(TextFields.bytes(told.apply(text(failure))));
    if (failure instanceof CorruptFileException corrupt) {
      one.setFile(TextFields.bytes(told.apply(corrupt.file())))
          .setStructure(TextFields.bytes(corrupt.structure()))
          .setOffset(corrupt.offset());
    }
    if (failure instanceof MpiException mpi) {
      one.setMpi(
          MpiFailure.newBuilder()
              .setCall(TextFields.bytes(mpi.call()))
              .setRank(mpi.rank())
              .setCode(mpi.code())
              .setText(TextFields.bytes(mpi.text())));
    }
    return one.setKind(kind(failure)).build();
  }

  private static String text(Throwable failure) {
    String text =
        failure instanceof HyperslabException
            ? String.valueOf(failure.getMessage())
            : failure.toString();
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }

  private static Failure.Kind kind(Throwable failure) {
    if (!(failure instanceof HyperslabException typed)) {
      return Failure.Kind.REMOTE;
    }
    return switch (typed) {
      case CorruptFileException e -> Failure.Kind.CORRUPT_FILE;
      case UnsupportedFeatureException e -> Failure.Kind.UNSUPPORTED_FEATURE;
      case StorageException e -> Failure.Kind.STORAGE;
      case LimitExceededException e -> Failure.Kind.LIMIT_EXCEEDED;
      case InvalidUseException e -> Failure.Kind.INVALID_USE;
      case NotFoundException e -> Failure.Kind.NOT_FOUND;
      case AlreadyExistsException e -> Failure.Kind.ALREADY_EXISTS;
      case RemoteException e -> Failure.Kind.REMOTE;
      case MpiException e -> Failure.Kind.MPI;
      case InternalErrorException e -> Failure.Kind.INTERNAL;
    };
  }

  static HyperslabException decode(ErrorMessage message) {
    List<Failure> chain = new ArrayList<>(message.getChainList());
    if (chain.isEmpty() || chain.size() > MAX_CAUSES) {
      throw MalformedMessage.of(
          "error", "failures actual=" + chain.size() + ", expected=1.." + MAX_CAUSES);
    }
    HyperslabException cause = null;
    for (Failure failure : chain.reversed()) {
      cause = decode(failure, cause);
    }
    return cause;
  }

  private static HyperslabException decode(Failure failure, HyperslabException cause) {
    String text = TextFields.text(failure.getText());
    return switch (failure.getKind()) {
      case CORRUPT_FILE -> corrupt(failure, text, cause);
      case UNSUPPORTED_FEATURE -> new UnsupportedFeatureException(text, cause);
      case STORAGE -> new StorageException(text, cause);
      case INVALID_USE -> new InvalidUseException(text, cause);
      case LIMIT_EXCEEDED -> new LimitExceededException(text, cause);
      case NOT_FOUND -> new NotFoundException(text, cause);
      case ALREADY_EXISTS -> new AlreadyExistsException(text, cause);
      case INTERNAL -> new InternalErrorException(text, cause);
      case MPI -> mpi(failure.getMpi(), cause);
      case REMOTE, UNRECOGNIZED -> new RemoteException(text, cause);
    };
  }

  private static MpiException mpi(MpiFailure m, Throwable cause) {
    return new MpiException(
        TextFields.text(m.getCall()),
        m.getRank(),
        m.getCode(),
        TextFields.text(m.getText()),
        cause);
  }

  /** Splits the text of a corrupt file's exception into the parts from which it was composed. */
  private static CorruptFileException corrupt(Failure failure, String text, Throwable cause) {
    String file = TextFields.text(failure.getFile());
    String structure = TextFields.text(failure.getStructure());
    long offset = failure.getOffset();
    String before = structure + ": ";
    String after = ", at=" + file + (offset < 0 ? "" : "@" + offset);
    boolean whole =
        text.length() >= before.length() + after.length()
            && text.startsWith(before)
            && text.endsWith(after);
    String problem = whole ? text.substring(before.length(), text.length() - after.length()) : text;
    return new CorruptFileException(file, structure, offset, problem, cause);
  }
}
