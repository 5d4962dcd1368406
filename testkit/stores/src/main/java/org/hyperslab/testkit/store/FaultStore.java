package org.hyperslab.testkit.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.StoreDecorator;

/**
 * A store that fails on demand: the n-th request of a kind fails, once or permanently, with part of
 * a write done or none; or the disk is full. It keeps a {@link WriteLog} of the changes that
 * reached the other store, for replays of crashes.
 *
 * <p>Thread rule: that of the other {@link ByteStore}; with several threads, it is undefined which
 * of them meets a fault.
 */
public final class FaultStore extends StoreDecorator {

  /** The kinds of request that can fail. */
  public enum Operation {
    /** A read or scatter. */
    READ,
    /** A write or gather. */
    WRITE,
    /** A change of length. */
    TRUNCATE,
    /** A force of written bytes to the device. */
    FORCE
  }

  /**
   * A fault to inject.
   *
   * @param operation the kind of request
   * @param call the number of the request of that kind that fails, from 1 since the fault was set
   * @param forGood whether all later ones fail too
   * @param bytesDone the number of bytes of a write that reach the store before it fails
   */
  public record Fault(Operation operation, long call, boolean forGood, long bytesDone) {

    /**
     * Returns a fault of one request.
     *
     * @param operation the kind of request
     * @param call the number of the request of that kind, from 1
     * @return the fault
     */
    public static Fault once(Operation operation, long call) {
      return new Fault(operation, call, false, 0);
    }

    /**
     * Returns a fault of a request and all that follow it.
     *
     * @param operation the kind of request
     * @param call the number of the request of that kind, from 1
     * @return the fault
     */
    public static Fault forGood(Operation operation, long call) {
      return new Fault(operation, call, true, 0);
    }

    /**
     * Returns a fault of one write after some of its bytes.
     *
     * @param call the number of the write, from 1
     * @param bytesDone the number of its bytes that are written
     * @return the fault
     */
    public static Fault shortWrite(long call, long bytesDone) {
      return new Fault(Operation.WRITE, call, false, bytesDone);
    }
  }

  private static final class Armed {
    final Fault fault;
    long seen;

    Armed(Fault fault) {
      this.fault = fault;
    }

    boolean fires() {
      seen++;
      return seen == fault.call() || (fault.forGood() && seen > fault.call());
    }
  }

  private final WriteLog log = new WriteLog();
  private final List<Armed> armed = new ArrayList<>();
  private final Map<Operation, Long> calls = new EnumMap<>(Operation.class);
  private long spaceBytes = Long.MAX_VALUE;

  /**
   * Creates a store that forwards all requests until a fault is set.
   *
   * @param store the other store
   */
  public FaultStore(ByteStore store) {
    super(store);
  }

  /**
   * Sets a fault; several may be set.
   *
   * @param fault the fault
   */
  public synchronized void arm(Fault fault) {
    armed.add(new Armed(fault));
  }

  /** Removes all faults and the limit. */
  public synchronized void disarm() {
    armed.clear();
    spaceBytes = Long.MAX_VALUE;
  }

  /**
   * Makes writes beyond a limit fail as on a full disk, after writing the bytes that fit.
   *
   * @param bytes the limit in bytes
   */
  public synchronized void limitSpace(long bytes) {
    spaceBytes = bytes;
  }

  /**
   * Returns the number of requests, including failed ones.
   *
   * @param operation the kind of request
   * @return the number of requests
   */
  public synchronized long calls(Operation operation) {
    return calls.getOrDefault(operation, 0L);
  }

  /** {@return the log of the changes that have reached the other store} */
  public WriteLog log() {
    return log;
  }

  /** Counts the request and returns the fault that it meets, or null. */
  private synchronized Fault meet(Operation operation) {
    calls.merge(operation, 1L, Long::sum);
    Fault met = null;
    for (Armed candidate : armed) {
      if (candidate.fault.operation() == operation && candidate.fires()) {
        met = candidate.fault;
      }
    }
    return met;
  }

  private void failIfMet(Operation operation, long offset, long length) {
    if (meet(operation) != null) {
      throw broken(operation, offset, length);
    }
  }

  private StorageException broken(Operation operation, long offset, long length) {
    return new StorageException(
        operation
            + " failed: actual=injected fault, expected="
            + length
            + " bytes transferred, at="
            + store.name()
            + "@"
            + offset);
  }

  @Override
  public void read(long offset, MemorySegment target) {
    failIfMet(Operation.READ, offset, target.byteSize());
    store.read(offset, target);
  }

  @Override
  public void read(long offset, MemorySegment[] targets) {
    failIfMet(Operation.READ, offset, totalBytes(targets));
    store.read(offset, targets);
  }

  @Override
  public void write(long offset, MemorySegment source) {
    write(offset, new MemorySegment[] {source});
  }

  @Override
  public void write(long offset, MemorySegment[] sources) {
    long length = totalBytes(sources);
    Fault fault = meet(Operation.WRITE);
    long space = spaceFrom(offset);
    long allowed = fault == null ? length : Math.min(length, fault.bytesDone());
    long done = writePart(offset, sources, Math.min(allowed, space));
    if (fault != null) {
      throw broken(Operation.WRITE, offset + done, length);
    }
    if (done < length) {
      throw new StorageException(
          "no space left: actual="
              + done
              + " bytes written, expected="
              + length
              + ", at="
              + store.name()
              + "@"
              + offset);
    }
  }

  private synchronized long spaceFrom(long offset) {
    return Math.max(0, spaceBytes - offset);
  }

  private long writePart(long offset, MemorySegment[] sources, long allowed) {
    long done = 0;
    for (MemorySegment source : sources) {
      MemorySegment part = source.asSlice(0, Math.min(source.byteSize(), allowed - done));
      if (part.byteSize() > 0) {
        store.write(offset + done, part);
        log.addWrite(offset + done, part);
      }
      done += part.byteSize();
    }
    return done;
  }

  @Override
  public void truncate(long sizeBytes) {
    failIfMet(Operation.TRUNCATE, sizeBytes, 0);
    if (spaceFrom(sizeBytes) == 0 && sizeBytes > store.size()) {
      throw new StorageException(
          "no space left: actual=length " + sizeBytes + " wanted, at=" + store.name());
    }
    store.truncate(sizeBytes);
    log.add(new WriteLog.Truncated(sizeBytes));
  }

  @Override
  public void preallocate(long offset, long length) {
    long end = Math.addExact(offset, length);
    if (spaceFrom(end) == 0) {
      throw new StorageException(
          "no space left: actual=" + end + " bytes wanted, at=" + store.name());
    }
    store.preallocate(offset, length);
  }

  @Override
  public void force(boolean withMetadata) {
    failIfMet(Operation.FORCE, 0, 0);
    store.force(withMetadata);
    log.add(new WriteLog.Forced(withMetadata));
  }

  private static long totalBytes(MemorySegment[] segments) {
    return Arrays.stream(segments).mapToLong(MemorySegment::byteSize).sum();
  }
}
