package org.hyperslab.plugins.libhdf5.file;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.plugins.libhdf5.call.AccessFlags;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.ProgramThread;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * A file of a driver of libhdf5 that only the driver can find: one that the program has registered,
 * such as h5py's for Python file objects, or one that stores a file in several files. It is read
 * and written by the functions {@code H5FD…} of libhdf5, which call the driver.
 *
 * <p>A driver of the program may need its thread: h5py's take the lock of the interpreter, which
 * that thread holds. All calls are therefore made by the thread that waits for the operation
 * ({@link ProgramThread#call}), and a thread of this store hands operations to the connector.
 *
 * <p>Offsets of a file that is split by kind of data go beyond 2<sup>63</sup>; such a file reports
 * the greatest length and can only be read.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public final class DriverStore implements ByteStore {

  /** {@code H5FD_MEM_DEFAULT} and {@code H5FD_MEM_SUPER}. */
  private static final int ANY = 0;

  private static final int SUPERBLOCK = 1;

  /** The number of kinds of memory, {@code H5FD_MEM_NTYPES}. */
  private static final int KINDS = 7;

  /** The most bytes of a call whose memory is not the caller's. */
  private static final long PART_BYTES = 1 << 20;

  private final Hdf5Calls hdf5;
  private final String name;
  private final boolean writable;

  /** Hands operations on this file to the connector, in their order. */
  private final ExecutorService hand;

  /** The driver's file ({@code H5FD_t *}); 0 once it is closed. */
  private volatile long file;

  /** The length of the file as the connector has it. */
  private volatile long size;

  /** Where what the driver has stored ends; bytes between this and the length are zeros. */
  private long stored;

  /** Where bytes end that the driver kept from an earlier content, though the file is empty. */
  private long remains;

  /** The thread that is in a function of the driver; null if none is. */
  private volatile Thread caller;

  private DriverStore(Hdf5Calls hdf5, String name, long file, boolean writable) {
    this.hdf5 = hdf5;
    this.name = name;
    this.file = file;
    this.writable = writable;
    this.hand =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("hyperslab-driver").factory());
  }

  /**
   * Opens a file by the driver of an access list.
   *
   * @param name its name for the driver
   * @param flags values of {@code H5F_ACC_…}
   * @param accessList the access property list
   * @throws StorageException if the driver refuses
   */
  public static DriverStore open(Hdf5Calls hdf5, String name, int flags, long accessList) {
    long file = opened(hdf5, name, flags, accessList);
    if (file == 0) {
      throw new StorageException(
          "file driver: actual=it does not open the file, expected=opened, at=" + name);
    }
    DriverStore store = new DriverStore(hdf5, name, file, (flags & AccessFlags.WRITABLE) != 0);
    try {
      store.measure();
    } catch (RuntimeException failure) {
      store.closeNow();
      throw failure;
    }
    return store;
  }

  private static long opened(Hdf5Calls hdf5, String name, int flags, long accessList) {
    try (Arena arena = Arena.ofConfined()) {
      long text = RawMemory.name(name, arena).address();
      return hdf5.call(Hdf5Function.FD_OPEN, text, flags, accessList, -1);
    }
  }

  /** Asks for the length. Each part of a split file has an end of its own. */
  private void measure() {
    stored = hdf5.call(Hdf5Function.FD_GET_END, file, ANY);
    if (stored == -1) {
      throw failed("length", 0, 0);
    }
    if (stored >= 0) {
      size = stored;
      setEnd(stored);
      return;
    }
    size = Long.MAX_VALUE;
    for (int kind = SUPERBLOCK; kind < KINDS; kind++) {
      hdf5.call(
          Hdf5Function.FD_SET_END, file, kind, hdf5.call(Hdf5Function.FD_GET_END, file, kind));
    }
  }

  /** Locks the file as libhdf5 does; a driver without locks succeeds. */
  public void lock() {
    if (hdf5.status(Hdf5Function.FD_LOCK, file, writable ? 1 : 0) < 0) {
      throw new StorageException(
          "lock: actual=refused by the file driver, expected=locked; another program may have the"
              + " file open, at="
              + name);
    }
  }

  /** Removes what a driver has kept of an earlier content of a file that is created. */
  public void empty() {
    if (stored != 0) {
      truncate(0);
      stored = 0;
      remains = hdf5.call(Hdf5Function.FD_GET_END, file, ANY);
    }
  }

  /** Returns whether the driver says that another store is the same file. */
  public boolean isSame(DriverStore other) {
    return hdf5.status(Hdf5Function.FD_COMPARE, file, other.file) == 0;
  }

  /** Hands what uses this store to a connector, by the thread of this store. */
  public <T> CompletableFuture<T> aside(Supplier<CompletableFuture<T>> action) {
    if (caller == Thread.currentThread()) {
      throw new InvalidUseException(
          "call of the file's own driver: actual=uses the file that it stores, expected=reads and"
              + " writes bytes only, at="
              + name);
    }
    return hand.isShutdown()
        ? action.get() // which the connector refuses, as the file is closed
        : CompletableFuture.supplyAsync(action, hand).thenCompose(stage -> stage);
  }

  /** Returns the driver's handle ({@code H5Fget_vfd_handle}). */
  long handle(long accessList) {
    long out = hdf5.scratch().address();
    RawMemory.setLong(out, 0);
    hdf5.checked(Hdf5Function.FD_GET_HANDLE, file, accessList, out);
    return RawMemory.getLong(out);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean readOnly() {
    return !writable;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void read(long offset, MemorySegment target) {
    long length = target.byteSize();
    if (size != Long.MAX_VALUE && (offset < 0 || length > size || offset > size - length)) {
      throw new StorageException(
          "read past the end: actual="
              + offset
              + "+"
              + length
              + " bytes, expected=at most "
              + size
              + ", at="
              + name
              + "; the file may be truncated");
    }
    transfer(offset, target, true);
  }

  @Override
  public void write(long offset, MemorySegment source) {
    requireWritable();
    long length = source.byteSize();
    if (offset < 0 || offset > Long.MAX_VALUE - length) {
      throw failed("write", offset, length);
    }
    transfer(offset, source, false);
  }

  private void requireWritable() {
    if (!writable) {
      throw new StorageException(
          "write refused: actual=opened for reading only, expected=opened for editing, at=" + name);
    }
  }

  /** Moves bytes by parts if the memory is the JVM's, which may move it. */
  private void transfer(long offset, MemorySegment memory, boolean reads) {
    long length = memory.byteSize();
    if (memory.isNative()) {
      inProgram(() -> move(offset, memory.address(), length, reads));
      return;
    }
    try (Arena arena = Arena.ofShared()) {
      MemorySegment part = arena.allocate(Math.clamp(length, 1, PART_BYTES), 8);
      for (long done = 0; done < length; done += PART_BYTES) {
        long at = offset + done;
        long count = Math.min(PART_BYTES, length - done);
        if (!reads) {
          MemorySegment.copy(memory, done, part, 0, count);
        }
        inProgram(() -> move(at, part.address(), count, reads));
        if (reads) {
          MemorySegment.copy(part, 0, memory, done, count);
        }
      }
    }
  }

  /** Calls the driver. Bytes that it has not stored are zeros. */
  private Void move(long offset, long address, long length, boolean reads) {
    if (length == 0) {
      return null;
    }
    if (!reads) {
      fillGap(offset);
      raw(Hdf5Function.FD_WRITE, "write", offset, address, length);
      return null;
    }
    long there = size == Long.MAX_VALUE ? length : Math.clamp(stored - offset, 0, length);
    if (there < length) {
      RawMemory.at(address + there, length - there).fill((byte) 0);
    }
    if (there > 0) {
      raw(Hdf5Function.FD_READ, "read", offset, address, there);
    }
    return null;
  }

  /** Writes zeros over an earlier content that the driver has kept before what is written. */
  private void fillGap(long offset) {
    long end = Math.min(offset, remains);
    if (stored >= end) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment zeros = arena.allocate(PART_BYTES, 8);
      while (stored < end) {
        long count = Math.min(PART_BYTES, end - stored);
        raw(Hdf5Function.FD_WRITE, "write", stored, zeros.address(), count);
      }
    }
  }

  private void raw(Hdf5Function call, String what, long offset, long address, long length) {
    boolean writes = call == Hdf5Function.FD_WRITE;
    if (writes && offset + length > size) {
      size = offset + length;
      setEnd(size);
    }
    if (hdf5.status(call, file, ANY, Hdf5Calls.DEFAULT, offset, length, address) < 0) {
      throw failed(what, offset, length);
    }
    if (writes) {
      stored = Math.max(stored, offset + length);
    }
  }

  private void setEnd(long end) {
    if (hdf5.status(Hdf5Function.FD_SET_END, file, SUPERBLOCK, end) < 0) {
      throw failed("change of the end", end, 0);
    }
  }

  @Override
  public void truncate(long sizeBytes) {
    requireWritable();
    if (sizeBytes < 0) {
      throw failed("change of the length", sizeBytes, 0);
    }
    inProgram(() -> {
      size = sizeBytes;
      stored = Math.min(stored, sizeBytes);
      setEnd(sizeBytes);
      if (hdf5.status(Hdf5Function.FD_TRUNCATE, file, Hdf5Calls.DEFAULT, 0) < 0) {
        throw failed("change of the length", sizeBytes, 0);
      }
      return null;
    });
  }

  @Override
  public void force(boolean withMetadata) {
    inProgram(() -> {
      if (writable && hdf5.status(Hdf5Function.FD_FLUSH, file, Hdf5Calls.DEFAULT, 0) < 0) {
        throw failed("flush", 0, size);
      }
      return null;
    });
  }

  @Override
  public void close() {
    if (file != 0) {
      ProgramThread.call(() -> {
        closeNow();
        return null;
      });
    }
  }

  /** Closes the file in this thread of the program. */
  public void closeNow() {
    long open = file;
    file = 0;
    hand.shutdown();
    if (open != 0 && hdf5.status(Hdf5Function.FD_CLOSE, open) < 0) {
      throw failed("close", 0, 0);
    }
  }

  private void inProgram(Callable<Void> call) {
    ProgramThread.call(() -> {
      if (file == 0) {
        throw new StorageException("file driver: actual=closed, expected=open, at=" + name);
      }
      Thread outer = caller;
      caller = Thread.currentThread();
      try {
        return call.call();
      } finally {
        caller = outer;
      }
    });
  }

  private StorageException failed(String what, long offset, long length) {
    return new StorageException(
        what
            + " failed: actual=refused by the file driver, expected="
            + length
            + " bytes, at="
            + name
            + "@"
            + Long.toUnsignedString(offset));
  }
}
