package org.hyperslab.plugins.codec;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.plugins.codec.proto.Messages;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;

/**
 * Encodes operations, results and errors as {@link EncodedMessage} bytes, and decodes them. Bytes
 * are not trusted: every number in them is checked before it is used, and an invalid one is a
 * {@link org.hyperslab.error.HyperslabException}.
 *
 * <p>A decoded operation is equal to the encoded one except for its memory side. Only the selected
 * elements of a write are sent, so the decoded transfer selects all of a buffer in which they are
 * packed; a decoded read has a new buffer of that form. {@link #decodeResult} stores the elements
 * read in the selection of the original operation.
 *
 * <p>Thread rule: stateless; segments follow the rules of their arenas.
 */
public final class OperationCodec {

  private OperationCodec() {}

  /**
   * Encodes an operation. The payload refers to the operation's buffers where the selected elements
   * lie in long runs; otherwise it is a copy.
   *
   * @param operation the operation
   * @return the encoded operation
   * @throws org.hyperslab.error.InvalidUseException if a transfer's memory side is invalid: a
   *     selection beyond the buffer, or a type not in memory form
   */
  public static EncodedMessage encode(Operation<?> operation) {
    return encode(operation, DecodeLimits::fresh, new EncodingCache());
  }

  /**
   * Encodes an operation as {@link #encode(Operation)} does, with memory for copies from {@code
   * memory}.
   *
   * @param operation the operation
   * @param memory allocates memory for elements that have to be gathered
   * @param cache the cache of the sender's encodings
   * @return the encoded operation
   */
  public static EncodedMessage encode(
      Operation<?> operation, LongFunction<MemorySegment> memory, EncodingCache cache) {
    return OperationEncoder.encode(operation, memory, cache);
  }

  /**
   * Decodes an operation. A write refers to the payload's memory if that is one segment.
   *
   * @param encoded the message, and the elements beside it
   * @param limits bounds on what is decoded
   * @return the operation
   * @throws CorruptFileException if the bytes are not an operation, or exceed the limits
   * @throws UnsupportedFeatureException if it is one that this build does not know
   */
  public static Operation<?> decode(EncodedMessage encoded, DecodeLimits limits) {
    return decode(encoded, limits, LongUnaryOperator.identity(), new EncodingCache());
  }

  /**
   * Decodes an operation as {@link #decode(EncodedMessage, DecodeLimits)} does, replacing the
   * handles of another process by those of this one.
   *
   * @param encoded the message, and the elements beside it
   * @param limits bounds on what is decoded
   * @param handles maps the number of a handle in the message to the number here
   * @param cache the cache of the receiver's encodings
   * @return the operation
   */
  public static Operation<?> decode(
      EncodedMessage encoded, DecodeLimits limits, LongUnaryOperator handles, EncodingCache cache) {
    return guarded(
        "operation",
        () -> {
          checkSizes(encoded, limits);
          if (MultiFrame.isFramed(encoded.control())) {
            return several(encoded, limits, handles, cache);
          }
          Messages.OperationMessage message =
              parse(Messages.OperationMessage.parser(), encoded.control(), "operation");
          return OperationDecoder.decode(message, encoded, limits, handles, cache);
        });
  }

  private static Operation<?> several(
      EncodedMessage encoded, DecodeLimits limits, LongUnaryOperator handles, EncodingCache cache) {
    byte kind = MultiFrame.kind(encoded.control());
    boolean writes = kind == MultiFrame.WRITES;
    if (!writes && kind != MultiFrame.READS) {
      throw new UnsupportedFeatureException(
          "operation: actual=several of kind " + kind + ", expected=reads or writes");
    }
    List<DatasetOperation.Read> reads = new ArrayList<>();
    List<DatasetOperation.Write> written = new ArrayList<>();
    long left = limits.bufferBytes();
    for (EncodedMessage part : MultiFrame.split(encoded, kind)) {
      DecodeLimits rest =
          new DecodeLimits(limits.controlBytes(), limits.payloadBytes(), left, limits.memory());
      if (MultiFrame.isFramed(part.control())) {
        throw MalformedMessage.of(
            "transfers of several datasets", "part actual=several, expected=one");
      }
      switch (decode(part, rest, handles, cache)) {
        case DatasetOperation.Read read when !writes -> {
          reads.add(read);
          left -= read.target().elements().byteSize();
        }
        case DatasetOperation.Write write when writes -> written.add(write);
        case Operation<?> other ->
            throw MalformedMessage.of(
                "transfers of several datasets",
                "part actual="
                    + other.getClass().getSimpleName()
                    + ", expected="
                    + (writes ? "Write" : "Read"));
      }
    }
    return writes
        ? new DatasetOperation.WriteMulti(written)
        : new DatasetOperation.ReadMulti(reads);
  }

  /**
   * Encodes the result of an operation; for a read, the content of its buffer.
   *
   * @param operation the operation, which {@link #decode} has returned
   * @param result the result; null if the operation's result is {@link Void}
   * @return the encoded result
   */
  public static EncodedMessage encodeResult(Operation<?> operation, Object result) {
    return ResultEncoder.encode(operation, result);
  }

  /**
   * Decodes the result of an operation; for a read, fills its buffer.
   *
   * @param <R> the type of the result
   * @param operation the operation
   * @param encoded the message, and the elements beside it
   * @return the result of the operation
   * @throws CorruptFileException if the bytes are not a result of such an operation
   */
  @SuppressWarnings("unchecked") // the decoder answers by the class of the operation
  public static <R> R decodeResult(Operation<R> operation, EncodedMessage encoded) {
    if (ResultDecoder.isNothing(operation, encoded)) {
      return null;
    }
    return (R)
        guarded(
            "result",
            () -> {
              if (operation instanceof DatasetOperation.ReadMulti reads) {
                return fill(reads, encoded);
              }
              Messages.ResultMessage message =
                  parse(Messages.ResultMessage.parser(), encoded.control(), "result");
              return ResultDecoder.decode(operation, message, encoded);
            });
  }

  private static Object fill(DatasetOperation.ReadMulti reads, EncodedMessage encoded) {
    List<EncodedMessage> results = MultiFrame.split(encoded, MultiFrame.RESULTS);
    if (results.size() != reads.parts().size()) {
      throw MalformedMessage.of(
          "results of several reads",
          "actual=" + results.size() + ", expected=" + reads.parts().size());
    }
    for (int i = 0; i < results.size(); i++) {
      decodeResult(reads.parts().get(i), results.get(i));
    }
    return null;
  }

  /**
   * {@return the memory into which the payload of a read's result may be received so that {@link
   * #decodeResult} need not copy it: the buffer itself, if it is native memory that is read in
   * full}
   *
   * @param operation the operation
   * @param bytes the length of the payload, in bytes
   */
  public static Optional<MemorySegment> directTarget(Operation<?> operation, long bytes) {
    return operation instanceof DatasetOperation.Read read
        ? new MemorySide(read.transfer(), read.target()).direct(bytes)
        : Optional.empty();
  }

  /**
   * Encodes a failure: kind, text and causes, without stack traces.
   *
   * @param failure the failure
   * @return the encoded failure
   */
  public static byte[] encodeError(Throwable failure) {
    return encodeError(failure, text -> text);
  }

  /**
   * Encodes a failure with edited messages, for a receiver that must not see all details.
   *
   * @param failure the failure
   * @param told edits a text or a file name
   * @return the encoded failure
   */
  public static byte[] encodeError(Throwable failure, UnaryOperator<String> told) {
    return ErrorCodec.encode(failure, told);
  }

  /**
   * Decodes a failure into an exception of the same kind, text and causes; a failure other than a
   * {@link org.hyperslab.error.HyperslabException} becomes a {@link
   * org.hyperslab.error.RemoteException} that names its class.
   *
   * @param bytes the encoded message
   * @return the exception
   * @throws CorruptFileException if the bytes are not a failure
   */
  public static HyperslabException decodeError(byte[] bytes) {
    return guarded(
        "error", () -> ErrorCodec.decode(parse(Messages.ErrorMessage.parser(), bytes, "error")));
  }

  private static void checkSizes(EncodedMessage encoded, DecodeLimits limits) {
    if (encoded.control().length > limits.controlBytes()) {
      throw MalformedMessage.of(
          "operation",
          "control bytes actual="
              + encoded.control().length
              + ", expected=at most "
              + limits.controlBytes());
    }
    if (encoded.payloadBytes() > limits.payloadBytes()) {
      throw MalformedMessage.of(
          "operation",
          "payload bytes actual="
              + encoded.payloadBytes()
              + ", expected=at most "
              + limits.payloadBytes());
    }
  }

  private static <M extends MessageLite> M parse(Parser<M> parser, byte[] bytes, String what) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new CorruptFileException(
          "message", what, CorruptFileException.NO_OFFSET, e.getMessage(), e);
    }
  }

  /**
   * Runs a decoder and reports plain exceptions from constructors of values as errors of the
   * message.
   */
  private static <T> T guarded(String what, Supplier<T> decoder) {
    try {
      return decoder.get();
    } catch (ArithmeticException | IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new CorruptFileException(
          "message", what, CorruptFileException.NO_OFFSET, String.valueOf(e.getMessage()), e);
    }
  }
}
