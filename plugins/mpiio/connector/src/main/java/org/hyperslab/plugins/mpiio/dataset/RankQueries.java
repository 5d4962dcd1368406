package org.hyperslab.plugins.mpiio.dataset;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.MpiException;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.plugins.mpiio.agree.RootCalls;
import org.hyperslab.plugins.mpiio.dataset.OpenHandles.Opened;
import org.hyperslab.plugins.mpiio.query.QueryLine;
import org.hyperslab.plugins.mpiio.query.QueryServer;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * What one rank asks rank 0's engine by itself, while the other ranks do something else: it opens
 * objects, reads metadata, and reads elements that need a whole engine.
 *
 * <p>Rank 0 asks its own engine. The others ask a thread of rank 0 on a connection beside MPI: MPI
 * would need rank 0 to call it, and often admits one thread only.
 *
 * <p>Thread rule: any thread.
 */
public final class RankQueries implements AutoCloseable {

  /** A question: carry out an operation. */
  static final byte OPERATION = 0;

  /** A message: an object is closed. */
  static final byte CLOSED = 1;

  /** A question: wait until this rank may transfer elements of a file alone. */
  static final byte ACQUIRE = 2;

  /** A message: another rank may. */
  static final byte RELEASE = 3;

  /** The place of a file in a list of handles, instead of the address of an object. */
  static final long NO_OBJECT = -1;

  private static final byte[] NOWHERE = new byte[0];

  private final OpenHandles handles;
  private final long deadlineNanos;
  private final Supplier<QueryServer> listen;

  /** On rank 0: its engine, as other ranks use it. */
  private final QueryAnswers own;

  /** On other ranks: what they have opened by themselves. */
  private final Set<Handle> opened = ConcurrentHashMap.newKeySet();

  private QueryServer server;
  private boolean isRefused;
  private QueryLine line;

  private RankQueries(
      OpenHandles handles, long deadlineNanos, QueryAnswers own, Supplier<QueryServer> listen) {
    this.handles = handles;
    this.deadlineNanos = deadlineNanos;
    this.own = own;
    this.listen = listen;
  }

  /** Returns the questions of ranks that read metadata together only: none. */
  public static RankQueries none() {
    return new RankQueries(null, 0, null, () -> null);
  }

  /** Returns the questions of a rank other than 0. */
  public static RankQueries ofRank(OpenHandles handles, long deadlineNanos) {
    return new RankQueries(handles, deadlineNanos, null, () -> null);
  }

  /**
   * Returns the questions of rank 0, and its answers.
   *
   * @param others the number of other ranks
   * @param oneMachine whether all ranks are on this machine
   */
  public static RankQueries ofRoot(
      OpenHandles handles,
      long deadlineNanos,
      QueryAnswers answers,
      int others,
      boolean oneMachine) {
    return new RankQueries(
        handles,
        deadlineNanos,
        answers,
        () -> {
          try {
            return new QueryServer(others, oneMachine, answers::conversation);
          } catch (IOException | SecurityException notAllowed) {
            return null;
          }
        });
  }

  /** Returns whether a rank may carry out an operation by itself: one that changes nothing. */
  public static boolean areEnoughFor(Operation<?> operation) {
    return switch (operation) {
      case FileOperation.Describe describe -> true;
      case FileOperation<?> other -> false;
      case ObjectOperation.Refresh refresh -> false;
      case DatasetOperation.SetAccess access -> false;
      case DatasetOperation.Multi transfers -> false;
      default -> !operation.edits() && !operation.flushes() && !operation.closes();
    };
  }

  /**
   * Returns, on rank 0, where other ranks can ask; empty if they cannot. Starts to listen at the
   * first call.
   */
  public synchronized byte[] address() {
    if (server == null && !isRefused) {
      server = listen.get();
      isRefused = server == null;
    }
    return server == null ? NOWHERE : server.address();
  }

  /** Takes over rank 0's address, on all ranks. */
  public synchronized void reach(byte[] address) {
    if (own == null && handles != null && line == null && address.length > 0) {
      line = new QueryLine(address, deadlineNanos);
    }
  }

  /** Returns whether a rank can ask; the same on all ranks once a file is open. */
  public synchronized boolean arePossible() {
    return server != null || line != null;
  }

  /** Carries out an operation in rank 0's engine, for this rank alone. */
  public RootCalls.Answer ask(Operation<?> operation) {
    if (own != null) {
      return own.carriedOut(operation);
    }
    byte[] answer = line.ask(question(operation));
    ByteBuffer bytes = ByteBuffer.wrap(answer);
    if (bytes.get() != QueryAnswers.DONE) {
      byte[] error = new byte[bytes.remaining()];
      bytes.get(error);
      throw OperationCodec.decodeError(error);
    }
    RootCalls.Answer unpacked = RootCalls.unpacked(bytes, operation);
    operation.opens().ifPresent(opened::add);
    return unpacked;
  }

  private byte[] question(Operation<?> operation) {
    EncodedMessage encoded = OperationCodec.encode(operation);
    byte[] control = encoded.control();
    int used = operation.uses().size();
    int length =
        Byte.BYTES
            + Integer.BYTES
            + used * 3 * Long.BYTES
            + Integer.BYTES
            + control.length
            + Math.toIntExact(encoded.payloadBytes());
    ByteBuffer bytes = ByteBuffer.allocate(length).put(OPERATION).putInt(used);
    operation.uses().forEach(handle -> putHandle(bytes, handles.require(handle)));
    bytes.putInt(control.length).put(control);
    for (MemorySegment part : encoded.payload()) {
      bytes.put(part.toArray(ValueLayout.JAVA_BYTE));
    }
    return bytes.array();
  }

  private static void putHandle(ByteBuffer bytes, Opened opened) {
    boolean isFile = opened.key() == null;
    bytes
        .putLong(opened.handle().id())
        .putLong(isFile ? opened.file().number() : opened.key().fileNumber())
        .putLong(isFile ? NO_OBJECT : opened.key().token());
  }

  /** Lets rank 0 forget an object that this rank has closed. */
  public void closed(Handle handle) {
    QueryLine mine = opened.remove(handle) ? line() : null;
    if (mine != null) {
      mine.tell(ByteBuffer.allocate(1 + Long.BYTES).put(CLOSED).putLong(handle.id()).array());
    }
  }

  private synchronized QueryLine line() {
    return line;
  }

  /** Runs a transfer of elements while no other rank runs such a one for the same file. */
  void exclusively(long fileNumber, Runnable transfer) {
    if (own != null) {
      own.exclusively(fileNumber, deadlineNanos, transfer);
      return;
    }
    if (line.ask(message(ACQUIRE, fileNumber)).length == 0) {
      throw late(fileNumber);
    }
    try {
      transfer.run();
    } finally {
      line.tell(message(RELEASE, fileNumber));
    }
  }

  private static byte[] message(byte kind, long fileNumber) {
    return ByteBuffer.allocate(1 + Long.BYTES).put(kind).putLong(fileNumber).array();
  }

  /** Returns the failure of a rank that has waited too long for its turn. */
  static HyperslabException late(long fileNumber) {
    return new MpiException(
        "atomic transfer",
        MpiException.NO_RANK,
        MpiException.NO_CODE,
        "actual=another rank is still transferring elements of file number "
            + fileNumber
            + ", expected=its end within hyperslab_deadline");
  }

  @Override
  public synchronized void close() {
    if (server != null) {
      server.close();
      server = null;
    }
    if (line != null) {
      line.close();
      line = null;
    }
  }
}
