package org.hyperslab.format.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.hyperslab.error.StorageException;

/**
 * Requests to one file that the kernel executes while their caller continues: Linux's {@code
 * io_uring}, without a library. Requests are written to a queue in memory shared with the kernel,
 * and submitted by one system call; their results are read from another such queue without one.
 *
 * <p>The kernel accesses the memory of a request until it has ended, and no scope of Java protects
 * that memory: its owner must keep it alive until then. Source: io_uring_setup(2),
 * io_uring_enter(2), linux/io_uring.h of Linux 5.6.
 *
 * <p>Thread rule: safe. A call never waits for another call, except {@link #close} and {@link
 * ByteStore.Pending#await}.
 */
final class RequestRing implements AutoCloseable {

  /** The greatest number of requests in progress. */
  static final int DEPTH = 32;

  /** The longest part of a request that is submitted at a time; the kernel's limit is 2 GiB. */
  private static final long PART_BYTES = 1 << 30;

  private static final long SYS_IO_URING_SETUP = 425;
  private static final long SYS_IO_URING_ENTER = 426;
  private static final long ENTER_GETEVENTS = 1;

  /** One mapping for both queues (5.4), no lost results (5.5), reads and writes (5.6). */
  private static final int FEATURES = 1 | 1 << 1 | 1 << 3;

  private static final byte OP_READ = 22;
  private static final byte OP_WRITE = 23;

  /** Has a kernel thread execute the request, so that submitting it does not copy its bytes. */
  private static final byte ASYNC = 1 << 4;

  private static final int ENTRY_BYTES = 64;
  private static final int RESULT_BYTES = 16;
  private static final long OFFSET_OF_ENTRIES = 0x10000000L;
  private static final int EINTR = 4;
  private static final int EAGAIN = 11;

  /** The result of a request whose thread ended before the kernel executed it. */
  private static final int ECANCELED = 125;

  private final PosixFile file;
  private final String name;
  private final int descriptor;
  private final MemorySegment rings;
  private final MemorySegment entries;
  private final Layout layout;
  private final Cleaner.Cleanable freeing;

  /** Held by whoever submits requests or reads results. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Submitted[] inProgress = new Submitted[DEPTH];
  private final ArrayDeque<Integer> free = new ArrayDeque<>();
  private boolean closed;

  /** The offsets of the queues' numbers in the shared memory, and the masks of their indices. */
  private record Layout(
      int submitTail,
      int submitMask,
      int submitArray,
      int resultHead,
      int resultTail,
      int resultMask,
      int results) {}

  private RequestRing(
      PosixFile file,
      String name,
      int descriptor,
      MemorySegment rings,
      MemorySegment entries,
      Layout layout) {
    this.file = file;
    this.name = name;
    this.descriptor = descriptor;
    this.rings = rings;
    this.entries = entries;
    this.layout = layout;
    this.freeing = PosixFile.whenLost(this, () -> free(descriptor, rings, entries));
    for (int i = 0; i < DEPTH; i++) {
      free.add(i);
    }
  }

  /**
   * Returns a ring for a file; empty if the kernel has none, is too old or denies it, as in many
   * containers.
   *
   * @param file the open file, which must stay open until the ring is closed
   * @param name the name of the store, for errors
   */
  static Optional<RequestRing> open(PosixFile file, String name) {
    if (Calls.SYSCALL == null || Calls.MMAP == null || Calls.MUNMAP == null) {
      return Optional.empty();
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment parameters = arena.allocate(Parameters.BYTES, Long.BYTES);
      int descriptor =
          (int) Calls.system(SYS_IO_URING_SETUP, DEPTH, parameters.address(), 0, 0, 0, 0);
      if (descriptor < 0) {
        return Optional.empty();
      }
      RequestRing ring = mapped(file, name, descriptor, parameters);
      if (ring == null) {
        PosixFile.close(descriptor);
      }
      return Optional.ofNullable(ring);
    }
  }

  private static RequestRing mapped(
      PosixFile file, String name, int descriptor, MemorySegment parameters) {
    if ((parameters.get(JAVA_INT, Parameters.FEATURES) & FEATURES) != FEATURES) {
      return null;
    }
    int array = parameters.get(JAVA_INT, Parameters.SUBMIT_ARRAY);
    int results = parameters.get(JAVA_INT, Parameters.RESULTS);
    int submissions = parameters.get(JAVA_INT, Parameters.SUBMIT_ENTRIES);
    long bytes =
        Math.max(
            array + 4L * submissions,
            results + (long) RESULT_BYTES * parameters.get(JAVA_INT, Parameters.RESULT_ENTRIES));
    MemorySegment rings = Calls.map(descriptor, bytes, 0);
    if (rings == null) {
      return null;
    }
    MemorySegment entries =
        Calls.map(descriptor, (long) ENTRY_BYTES * submissions, OFFSET_OF_ENTRIES);
    if (entries == null) {
      Calls.unmap(rings);
      return null;
    }
    Layout layout =
        new Layout(
            parameters.get(JAVA_INT, Parameters.SUBMIT_TAIL),
            rings.get(JAVA_INT, parameters.get(JAVA_INT, Parameters.SUBMIT_MASK)),
            array,
            parameters.get(JAVA_INT, Parameters.RESULT_HEAD),
            parameters.get(JAVA_INT, Parameters.RESULT_TAIL),
            rings.get(JAVA_INT, parameters.get(JAVA_INT, Parameters.RESULT_MASK)),
            results);
    return new RequestRing(file, name, descriptor, rings, entries, layout);
  }

  /**
   * Starts a request.
   *
   * @param write whether the file is written
   * @param memory memory outside the heap, of at least one byte, which stays until the end
   * @param ended runs when the request has succeeded
   * @return the request; empty if it cannot be started now, because the queue is full or in use
   */
  Optional<ByteStore.Pending> start(
      boolean write, long offset, MemorySegment memory, Runnable ended) {
    if (!lock.tryLock()) {
      return Optional.empty();
    }
    try {
      takeResults();
      Integer place = closed ? null : free.poll();
      if (place == null) {
        return Optional.empty();
      }
      Submitted request = new Submitted(write, offset, memory, ended);
      inProgress[place] = request;
      if (submit(place)) {
        return Optional.of(request);
      }
      release(place);
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Submits what is left of a request; returns false if the kernel does not take it now. */
  private boolean submit(int place) {
    Submitted request = inProgress[place];
    int tail = rings.get(JAVA_INT, layout.submitTail);
    int index = tail & layout.submitMask;
    MemorySegment entry = entries.asSlice((long) ENTRY_BYTES * index, ENTRY_BYTES);
    entry.fill((byte) 0);
    entry.set(JAVA_BYTE, 0, request.write ? OP_WRITE : OP_READ);
    entry.set(JAVA_BYTE, 1, ASYNC);
    entry.set(JAVA_INT, 4, file.descriptor());
    entry.set(JAVA_LONG, 8, request.offset + request.moved);
    entry.set(JAVA_LONG, 16, request.memory.address() + request.moved);
    entry.set(JAVA_INT, 24, (int) Math.min(PART_BYTES, request.left()));
    entry.set(JAVA_LONG, 32, place);
    rings.set(JAVA_INT, layout.submitArray + 4L * index, index);
    Calls.INT.setRelease(rings, (long) layout.submitTail, tail + 1);
    long taken;
    do {
      taken = Calls.system(SYS_IO_URING_ENTER, descriptor, 1, 0, 0, 0, 0);
    } while (taken == -EINTR);
    if (taken == 1) {
      return true;
    }
    Calls.INT.setRelease(rings, (long) layout.submitTail, tail); // only the call above reads it
    return false;
  }

  /** Notes the results that the kernel has written; called with the lock held. */
  private void takeResults() {
    int head = rings.get(JAVA_INT, layout.resultHead);
    int tail = (int) Calls.INT.getAcquire(rings, (long) layout.resultTail);
    while (head != tail) {
      long at = layout.results + (long) RESULT_BYTES * (head & layout.resultMask);
      int place = (int) rings.get(JAVA_LONG, at);
      int result = rings.get(JAVA_INT, at + Long.BYTES);
      head++;
      Calls.INT.setRelease(rings, (long) layout.resultHead, head);
      take(place, result);
    }
  }

  private void take(int place, int result) {
    Submitted request = inProgress[place];
    boolean again = request.takes(result);
    if (again && submit(place)) {
      return;
    }
    if (again) {
      request.fail(new IOException("the kernel does not continue the request"));
    }
    release(place);
    try {
      if (request.failure == null) {
        request.success.run();
      }
    } finally {
      request.ended = true; // or whoever awaits the request would wait forever
    }
  }

  private void release(int place) {
    inProgress[place] = null;
    free.add(place);
  }

  /** Waits until the kernel has at least one result that has not been taken. */
  private void awaitResult() {
    Calls.system(SYS_IO_URING_ENTER, descriptor, 0, 1, ENTER_GETEVENTS, 0, 0);
  }

  /** Waits for the requests in progress, whose memory is in use, and frees the queues. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      takeResults();
      while (free.size() < DEPTH) {
        awaitResult();
        takeResults();
      }
      freeing.clean();
    } finally {
      lock.unlock();
    }
  }

  private static void free(int descriptor, MemorySegment rings, MemorySegment entries) {
    Calls.unmap(entries);
    Calls.unmap(rings);
    PosixFile.close(descriptor);
  }

  /** A request that the kernel has. */
  private final class Submitted implements ByteStore.Pending {
    private final boolean write;
    private final long offset;
    private final MemorySegment memory;
    private final Runnable success;
    private long moved;
    private StorageException failure;
    private volatile boolean ended;

    Submitted(boolean write, long offset, MemorySegment memory, Runnable success) {
      this.write = write;
      this.offset = offset;
      this.memory = memory;
      this.success = success;
    }

    long left() {
      return memory.byteSize() - moved;
    }

    /** Notes the result of a part; returns whether more is to be moved. */
    boolean takes(int result) {
      if (result == -EINTR || result == -EAGAIN || result == -ECANCELED) {
        return true;
      }
      if (result <= 0) {
        fail(
            result < 0
                ? new IOException("errno " + -result)
                : new EOFException("end of file at " + (offset + moved)));
        return false;
      }
      moved += result;
      return left() > 0;
    }

    void fail(IOException why) {
      failure = Ranges.failed(name, write ? "write" : "read", offset + moved, left(), why);
    }

    @Override
    public boolean test() {
      if (!ended && lock.tryLock()) {
        try {
          if (!ended) {
            takeResults();
          }
        } finally {
          lock.unlock();
        }
      }
      return ended && succeeded();
    }

    @Override
    public void await() {
      lock.lock();
      try {
        while (!ended) {
          takeResults();
          if (!ended) {
            awaitResult();
          }
        }
      } finally {
        lock.unlock();
      }
      succeeded();
    }

    private boolean succeeded() {
      if (failure != null) {
        throw failure;
      }
      return true;
    }
  }

  /** The places in {@code struct io_uring_params}. */
  private static final class Parameters {
    static final long BYTES = 120;
    static final long SUBMIT_ENTRIES = 0;
    static final long RESULT_ENTRIES = 4;
    static final long FEATURES = 20;
    static final long SUBMIT_TAIL = 44;
    static final long SUBMIT_MASK = 48;
    static final long SUBMIT_ARRAY = 64;
    static final long RESULT_HEAD = 80;
    static final long RESULT_TAIL = 84;
    static final long RESULT_MASK = 88;
    static final long RESULTS = 100;
  }

  /** The bindings, linked at the first use. */
  private static final class Calls {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED_POPULATE = 0x8001;
    private static final long MAP_FAILED = -1;

    static final VarHandle INT = JAVA_INT.varHandle();
    static final MethodHandle SYSCALL =
        PosixFile.link(
            "syscall",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                JAVA_LONG),
            Linker.Option.captureCallState("errno"),
            Linker.Option.firstVariadicArg(1));
    static final MethodHandle MMAP =
        PosixFile.link(
            "mmap",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    static final MethodHandle MUNMAP =
        PosixFile.link("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    /** Returns the result of a system call, or the negated errno. */
    static long system(long number, long a, long b, long c, long d, long e, long f) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
        long result = (long) SYSCALL.invokeExact(state, number, a, b, c, d, e, f);
        return result < 0 ? -PosixFile.errno(state) : result;
      } catch (Throwable failure) {
        throw PosixFile.asUnchecked(failure);
      }
    }

    /** Maps memory that is shared with the kernel; returns null if that fails. */
    static MemorySegment map(int descriptor, long bytes, long offset) {
      try {
        long address =
            (long)
                MMAP.invokeExact(
                    0L, bytes, PROT_READ_WRITE, MAP_SHARED_POPULATE, descriptor, offset);
        return address == MAP_FAILED ? null : MemorySegment.ofAddress(address).reinterpret(bytes);
      } catch (Throwable failure) {
        throw PosixFile.asUnchecked(failure);
      }
    }

    static void unmap(MemorySegment mapping) {
      try {
        int ignored = (int) MUNMAP.invokeExact(mapping.address(), mapping.byteSize());
      } catch (Throwable failure) {
        throw PosixFile.asUnchecked(failure);
      }
    }
  }
}
