package org.hyperslab.plugins.mpiio.agree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.store.FileSystemTraits;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.nativevol.NativeConnector;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Operation;

/**
 * Executes calls in rank 0's engine for all ranks.
 *
 * <p>Thread rule: confined to the thread that makes collective calls.
 */
public final class RootCalls {

  private final Agreement agreement;
  private final NativeConnector engine;
  private final Consumer<Operation<?>> check;
  private final Hints hints;

  /**
   * Creates calls that rank 0's engine carries out for all ranks.
   *
   * @param agreement keeps the ranks in step
   * @param engine the engine; null on all ranks but rank 0
   * @param check throws the failure of an operation that fails without the engine
   * @param hints the hints for new files
   */
  public RootCalls(
      Agreement agreement, NativeConnector engine, Consumer<Operation<?>> check, Hints hints) {
    this.agreement = agreement;
    this.engine = engine;
    this.check = check;
    this.hints = hints;
  }

  /** Returns the engine; null on all ranks but rank 0. */
  public NativeConnector engine() {
    return engine;
  }

  /** Returns what ranks agree by. */
  public Agreement agreement() {
    return agreement;
  }

  /**
   * The result of a call.
   *
   * @param result the result of the operation
   * @param snapshot the additional bytes; empty if there are none
   */
  public record Answer(Object result, byte[] snapshot) {
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /**
   * Executes an operation on rank 0; all ranks get its result or error. Collective.
   *
   * @param call the call, which the ranks compare first; null if they have agreed already
   * @param operation the operation
   * @param more returns additional bytes for a result, which rank 0 sends with it
   */
  public Answer call(ComparedCall call, Operation<?> operation, Function<Object, byte[]> more) {
    Object[] mine = new Object[1];
    Supplier<byte[]> work = work(operation, more, mine);
    byte[] answer = call == null ? agreement.fromRoot(work) : agreement.requireFromRoot(call, work);
    return unpacked(answer, operation, mine[0]);
  }

  /**
   * Executes an operation without a result on rank 0, and returns its failure. Collective.
   *
   * @param call the call, which the ranks compare first; null if they have agreed already, without
   *     facts
   * @param operation the operation
   * @param facts numbers of which rank 0 gets the minimum over all ranks
   * @param first the work of rank 0 with the minima before the operation
   * @return the failure on all ranks, or null
   * @throws HyperslabException if the ranks do not agree on the call; then nothing was done
   */
  public HyperslabException attempt(
      ComparedCall call, Operation<?> operation, long[] facts, Consumer<long[]> first) {
    HyperslabException[] mine = new HyperslabException[1];
    Function<long[], byte[]> work =
        least -> {
          try {
            first.accept(least);
            await(engine, operation);
            return new byte[0];
          } catch (RuntimeException | Error e) {
            mine[0] = SharedFailure.typed(e, operation.getClass().getSimpleName());
            return OperationCodec.encodeError(mine[0]);
          }
        };
    byte[] error =
        call == null
            ? agreement.fromRoot(() -> work.apply(facts))
            : agreement.requireFromRoot(call, facts, work);
    return mine[0] != null || error.length == 0 ? mine[0] : OperationCodec.decodeError(error);
  }

  /**
   * Creates the file of a create operation according to the hints, if these require it, and returns
   * the operation, changed to accept the existing file.
   */
  static Operation<?> made(Operation<?> operation, Hints hints) {
    if (!(operation instanceof FileOperation.Create create)
        || create.name().contains("://")
        || !create.options().access().properties().isEmpty()
        || !FileSystemTraits.create(Path.of(create.name()), hints)) {
      return operation;
    }
    return new FileOperation.Create(
        create.file(), create.name(), create.options().withExclusive(false));
  }

  private Supplier<byte[]> work(
      Operation<?> operation, Function<Object, byte[]> more, Object[] mine) {
    return () -> {
      check.accept(operation);
      mine[0] = await(engine, made(operation, hints));
      return packed(OperationCodec.encodeResult(operation, mine[0]), more.apply(mine[0]));
    };
  }

  /**
   * Does the same as {@link #call}, but deferred; see {@link Agreement#defer}.
   *
   * @param call the call
   * @param operation the operation
   * @param take receives the answer; an exception that it throws is the operation's failure
   * @param failed receives the operation's failure
   */
  public void defer(
      ComparedCall call,
      Operation<?> operation,
      Function<Object, byte[]> more,
      Consumer<Answer> take,
      Consumer<HyperslabException> failed) {
    Object[] mine = new Object[1];
    agreement.defer(
        call,
        work(operation, more, mine),
        (answer, failure) -> {
          if (failure != null) {
            failed.accept(failure);
            return;
          }
          try {
            take.accept(unpacked(answer, operation, mine[0]));
          } catch (RuntimeException e) {
            failed.accept(SharedFailure.typed(e, operation.getClass().getSimpleName()));
          }
        });
  }

  /** Returns a value that rank 0 supplies; collective. */
  public byte[] ask(Supplier<byte[]> work) {
    return agreement.fromRoot(work);
  }

  /** Executes an operation and throws its failure. */
  public static Object await(NativeConnector engine, Operation<?> operation) {
    try {
      return engine.submit(operation).toCompletableFuture().join();
    } catch (CompletionException e) {
      if (Connectors.causeOf(e) instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** Returns the result's two parts, each preceded by its length, and the snapshot. */
  public static byte[] packed(EncodedMessage result, byte[] snapshot) {
    byte[] control = result.control();
    int payload = Math.toIntExact(result.payloadBytes());
    int length = Math.addExact(2 * Integer.BYTES + control.length, payload);
    byte[] all = new byte[Math.addExact(length, snapshot.length)];
    ByteBuffer bytes = ByteBuffer.wrap(all);
    bytes.putInt(control.length).put(control).putInt(payload);
    int at = bytes.position();
    for (MemorySegment part : result.payload()) {
      int partBytes = Math.toIntExact(part.byteSize());
      MemorySegment.copy(part, ValueLayout.JAVA_BYTE, 0, all, at, partBytes);
      at += partBytes;
    }
    bytes.position(at).put(snapshot);
    return all;
  }

  private Answer unpacked(byte[] answer, Operation<?> operation, Object mine) {
    ByteBuffer bytes = ByteBuffer.wrap(answer);
    if (engine == null) {
      return unpacked(bytes, operation);
    }
    next(bytes, bytes.getInt());
    next(bytes, bytes.getInt());
    return new Answer(mine, next(bytes, bytes.remaining()));
  }

  /** Returns what {@link #packed} put together; a read's buffer is filled. */
  public static Answer unpacked(ByteBuffer bytes, Operation<?> operation) {
    byte[] control = next(bytes, bytes.getInt());
    byte[] payload = next(bytes, bytes.getInt());
    byte[] snapshot = next(bytes, bytes.remaining());
    EncodedMessage encoded = new EncodedMessage(control, List.of(MemorySegment.ofArray(payload)));
    return new Answer(OperationCodec.decodeResult(operation, encoded), snapshot);
  }

  private static byte[] next(ByteBuffer bytes, int length) {
    byte[] part = new byte[length];
    bytes.get(part);
    return part;
  }
}
