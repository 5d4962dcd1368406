package org.hyperslab.plugins.mpiio.dataset;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.mpiio.comm.SharedFailure;
import org.hyperslab.plugins.codec.DecodeLimits;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.EncodingCache;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.mpiio.agree.RootCalls;
import org.hyperslab.plugins.mpiio.dataset.OpenHandles.Opened;
import org.hyperslab.plugins.mpiio.query.QueryServer;
import org.hyperslab.plugins.nativevol.NativeConnector;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * Rank 0's answers to the questions of {@link RankQueries}. An object that another rank has opened
 * by itself stays open in the engine until that rank closes it, so that its place in the file is
 * not given to another object.
 *
 * <p>Thread rule: any thread; a conversation is confined to one.
 */
public final class QueryAnswers {

  /** The first byte of the answer to an operation that succeeded. */
  static final byte DONE = 0;

  /** The first byte of the answer to an operation that failed. */
  static final byte FAILED = 1;

  private static final byte[] GRANTED = {1};
  private static final byte[] NOTHING = new byte[0];

  private final NativeConnector engine;
  private final OpenHandles handles;
  private final Snapshots snapshots;
  private final long deadlineNanos;
  private final Map<Long, Semaphore> turns = new ConcurrentHashMap<>();

  /** Describes the storage of a dataset that was just opened. */
  @FunctionalInterface
  public interface Snapshots {
    /** Returns the description; empty for other objects. */
    byte[] of(Object result, Handle handle, boolean created);
  }

  public QueryAnswers(
      NativeConnector engine, OpenHandles handles, Snapshots snapshots, long deadlineNanos) {
    this.engine = engine;
    this.handles = handles;
    this.snapshots = snapshots;
    this.deadlineNanos = deadlineNanos;
  }

  /** Carries out an operation of rank 0. */
  RootCalls.Answer carriedOut(Operation<?> operation) {
    Handle opened = operation.opens().orElse(null);
    try {
      Object result = RootCalls.await(engine, operation);
      return new RootCalls.Answer(
          result, opened == null ? NOTHING : snapshots.of(result, opened, false));
    } catch (RuntimeException failure) {
      if (opened != null) {
        engine.submit(new ObjectOperation.Close(opened));
      }
      throw failure;
    }
  }

  /** Runs a transfer of rank 0 while no other rank runs one for the same file. */
  void exclusively(long fileNumber, long nanos, Runnable transfer) {
    Semaphore turn = turn(fileNumber);
    if (!acquired(turn, nanos)) {
      throw RankQueries.late(fileNumber);
    }
    try {
      transfer.run();
    } finally {
      turn.release();
    }
  }

  private Semaphore turn(long fileNumber) {
    return turns.computeIfAbsent(fileNumber, number -> new Semaphore(1, true));
  }

  private static boolean acquired(Semaphore turn, long nanos) {
    try {
      return turn.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns what answers another rank. */
  QueryServer.Conversation conversation() {
    return new OfRank();
  }

  /** The answers to one rank. */
  private final class OfRank implements QueryServer.Conversation {

    /** The objects that the rank has opened by itself, by its own handles. */
    private final Map<Long, Handle> objects = new HashMap<>();

    private Semaphore held;

    @Override
    public byte[] answer(byte[] question) {
      ByteBuffer bytes = ByteBuffer.wrap(question);
      return switch (bytes.get()) {
        case RankQueries.OPERATION -> operation(bytes);
        case RankQueries.CLOSED -> closed(bytes.getLong());
        case RankQueries.ACQUIRE -> acquired(bytes.getLong());
        case RankQueries.RELEASE -> released();
        default -> NOTHING;
      };
    }

    private byte[] operation(ByteBuffer bytes) {
      List<Handle> borrowed = new ArrayList<>();
      try {
        return done(executed(bytes, borrowed));
      } catch (RuntimeException | Error failure) {
        byte[] error = OperationCodec.encodeError(SharedFailure.typed(failure, "question"));
        return ByteBuffer.allocate(1 + error.length).put(FAILED).put(error).array();
      } finally {
        borrowed.forEach(handle -> engine.submit(new ObjectOperation.Close(handle)));
      }
    }

    private static byte[] done(byte[] answer) {
      return ByteBuffer.allocate(1 + answer.length).put(DONE).put(answer).array();
    }

    private byte[] executed(ByteBuffer bytes, List<Handle> borrowed) {
      Map<Long, Handle> named = named(bytes, borrowed);
      byte[] control = new byte[bytes.getInt()];
      bytes.get(control);
      byte[] payload = new byte[bytes.remaining()];
      bytes.get(payload);
      Handle fresh = Handle.fresh();
      long[] theirs = {0};
      Operation<?> operation =
          OperationCodec.decode(
              new EncodedMessage(control, List.of(MemorySegment.ofArray(payload))),
              DecodeLimits.DEFAULT,
              id -> {
                Handle handle = named.get(id);
                theirs[0] = handle == null ? id : theirs[0];
                return handle == null ? fresh.id() : handle.id();
              },
              new EncodingCache());
      if (!RankQueries.areEnoughFor(operation)) {
        throw new InvalidUseException(
            "question of a rank: actual=" + operation.getClass() + ", expected=one that reads");
      }
      RootCalls.Answer answer = carriedOut(operation);
      if (operation.opens().isPresent()) {
        objects.put(theirs[0], fresh);
      }
      return RootCalls.packed(
          OperationCodec.encodeResult(operation, answer.result()), answer.snapshot());
    }

    /** Returns the engine's handles of the objects that an operation names. */
    private Map<Long, Handle> named(ByteBuffer bytes, List<Handle> borrowed) {
      Map<Long, Handle> named = new HashMap<>();
      for (int left = bytes.getInt(); left > 0; left--) {
        long id = bytes.getLong();
        long file = bytes.getLong();
        long token = bytes.getLong();
        Handle own = objects.get(id);
        named.put(id, own == null ? found(file, token, borrowed) : own);
      }
      return named;
    }

    /** Returns a handle of an object that all ranks have opened. */
    private Handle found(long fileNumber, long token, List<Handle> borrowed) {
      Opened file = handles.awaitFile(fileNumber, deadlineNanos);
      if (file == null) {
        throw new InvalidUseException(
            "file of an object: actual=number "
                + fileNumber
                + ", which rank 0 has not open, expected=open");
      }
      if (token == RankQueries.NO_OBJECT) {
        return file.handle();
      }
      Handle handle = Handle.fresh();
      borrowed.add(handle);
      RootCalls.await(
          engine, new ObjectOperation.OpenToken(handle, file.handle(), new ObjectToken(token)));
      return handle;
    }

    private byte[] closed(long id) {
      Handle handle = objects.remove(id);
      if (handle != null) {
        engine.submit(new ObjectOperation.Close(handle));
      }
      return null;
    }

    private byte[] acquired(long fileNumber) {
      Semaphore turn = turn(fileNumber);
      if (!QueryAnswers.acquired(turn, deadlineNanos)) {
        return NOTHING;
      }
      held = turn;
      return GRANTED;
    }

    private byte[] released() {
      if (held != null) {
        held.release();
        held = null;
      }
      return null;
    }

    @Override
    public void close() {
      released();
      List.copyOf(objects.keySet()).forEach(this::closed);
    }
  }
}
