package org.hyperslab.format.store;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.hyperslab.error.StorageException;

/**
 * A separate file descriptor of a file, for the system calls that Java does not offer. These are
 * {@code flock}, which the HDF5 library uses between processes and which, unlike Java's locks,
 * works between two openings in one process; {@code fcntl}'s locks of ranges that belong to an
 * opening instead of a process; {@code fallocate}; and {@code preadv} and {@code pwritev}, which
 * scatter and gather.
 *
 * <p>Available on Linux if the JVM permits native access; otherwise {@link #available} returns
 * false, and callers use other means. A file that is unreachable without having been closed is
 * closed then, as Java's channels are. Thread rule: thread-safe.
 */
final class PosixFile implements AutoCloseable {

  private static final int O_RDONLY = 0;
  private static final int O_RDWR = 2;
  private static final int O_CLOEXEC = 0x80000;
  private static final int LOCK_SH = 1;
  private static final int LOCK_EX = 2;
  private static final int LOCK_NB = 4;
  private static final int LOCK_UN = 8;
  private static final int FALLOC_FL_KEEP_SIZE = 1;
  private static final int ENOSPC = 28;
  private static final int EDQUOT = 122;
  private static final int EFBIG = 27;
  private static final int EWOULDBLOCK = 11;
  private static final int EINTR = 4;

  /** The greatest number of pieces of one call, which is Linux's limit. */
  static final int MAX_PIECES = 1024;

  /** The size of {@code struct iovec}: an address and a length. */
  private static final long PIECE_BYTES = 16;

  /** The longest gap between rows that is read and discarded. */
  private static final int SCRAP_BYTES = 1 << 16;

  /** The system calls of at most two arguments. */
  private enum OfTwo {
    OPEN("open"),
    FLOCK("flock"),
    CLOSE("close"),
    FTRUNCATE("ftruncate");

    final String symbol;

    OfTwo(String symbol) {
      this.symbol = symbol;
    }
  }

  private final Path path;
  private final Cleaner.Cleanable closing;
  private int descriptor;
  private MemorySegment vector;
  private long[] pieces;
  private MemorySegment scrap;

  private PosixFile(Path path, int descriptor) {
    this.path = path;
    this.descriptor = descriptor;
    this.closing = whenLost(this, () -> close(descriptor));
  }

  /** Closes the descriptors of files that are unreachable; it starts its thread with the first. */
  private static final class LostFiles {
    static final Cleaner CLEANER = Cleaner.create();
  }

  /** Returns whether this platform has the system calls that this class needs. */
  static boolean available() {
    return NativeFunction.caller().isPresent() || (Calls.LINUX && Calls.OF_TWO[0] != null);
  }

  /** Opens and closes a folder that every system has, so that the calls for it are linked. */
  static void rehearse() {
    if (available()) {
      try (PosixFile root = open(Path.of("/"), false)) {
        root.link();
      } catch (StorageException unusual) {
        // The first file that is opened reports what is wrong.
      }
    }
  }

  /** Opens {@code path}, which must exist. */
  static PosixFile open(Path path, boolean writable) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      int flags = (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC;
      int descriptor = call(OfTwo.OPEN, name, flags);
      if (descriptor < 0) {
        throw new StorageException("open failed: actual=errno " + -descriptor + ", at=" + path);
      }
      return new PosixFile(path, descriptor);
    }
  }

  /** Returns whether this thread may pass the segment's address to the system. */
  static boolean isReachable(MemorySegment segment) {
    return segment.isNative()
        && segment.scope().isAlive()
        && segment.isAccessibleBy(Thread.currentThread());
  }

  /** Returns the number of the open file; below 0 if it is closed. */
  synchronized int descriptor() {
    return descriptor;
  }

  /** Returns the link through which the system provides the real path of the open file. */
  synchronized Path link() {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /**
   * Takes the advisory lock without waiting.
   *
   * @return false if the file system does not support such locks
   * @throws StorageException if another opener holds a lock that excludes this one
   */
  synchronized boolean lock(FileLocking locking) {
    int operation = (locking == FileLocking.EXCLUSIVE ? LOCK_EX : LOCK_SH) | LOCK_NB;
    int result = call(OfTwo.FLOCK, value(descriptor), operation);
    if (result == -EWOULDBLOCK) {
      throw new StorageException(
          "file is locked: actual=a lock held by another opener, expected="
              + locking
              + " lock granted, at="
              + path
              + "; close the file in the other program, or open it without locking");
    }
    return result == 0;
  }

  /** Releases the advisory lock. */
  synchronized void unlock() {
    int result = call(OfTwo.FLOCK, value(descriptor), LOCK_UN);
    if (result != 0) {
      throw new StorageException("unlock failed: actual=errno " + -result + ", at=" + path);
    }
  }

  /**
   * Advises the system that a range will be needed soon, or is not needed again ({@code
   * posix_fadvise}).
   */
  synchronized void advise(long offset, long length, boolean needed) {
    if (Advice.FADVISE == null || descriptor < 0 || length <= 0) {
      return;
    }
    int word = needed ? Advice.WILLNEED : Advice.DONTNEED;
    try {
      int ignored = (int) Advice.FADVISE.invokeExact(descriptor, offset, length, word);
    } catch (Throwable failure) {
      throw asUnchecked(failure);
    }
  }

  /**
   * Advises the system that this descriptor is read at random, so that it does not read ahead, or
   * no longer.
   *
   * @return whether the system accepts the advice
   */
  synchronized boolean expectRandom(boolean random) {
    if (Advice.FADVISE == null || descriptor < 0) {
      return false;
    }
    int word = random ? Advice.RANDOM : Advice.NORMAL;
    try {
      return (int) Advice.FADVISE.invokeExact(descriptor, 0L, 0L, word) == 0;
    } catch (Throwable failure) {
      throw asUnchecked(failure);
    }
  }

  /**
   * Sets the length of the file ({@code ftruncate}).
   *
   * @return whether that succeeded; not if the file is open for reading
   */
  synchronized boolean resize(long sizeBytes) {
    return descriptor >= 0 && call(OfTwo.FTRUNCATE, value(descriptor), sizeBytes) == 0;
  }

  /** Reserves blocks for a range without changing the length of the file. */
  synchronized void reserve(long offset, long length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Calls.STATE);
      int result =
          (int)
              Reservation.FALLOCATE.invokeExact(
                  state, descriptor, FALLOC_FL_KEEP_SIZE, offset, length);
      int errno = result == 0 ? 0 : errno(state);
      if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG) {
        throw new StorageException(
            "preallocate failed: actual=no space left (errno "
                + errno
                + "), expected="
                + length
                + " bytes reserved from "
                + offset
                + " on, at="
                + path);
      }
    } catch (Throwable failure) {
      throw asUnchecked(failure);
    }
  }

  /**
   * Reads from {@code offset} on into the targets, one after another, by one system call.
   *
   * @param targets segments outside the heap, at most {@link #MAX_PIECES}, from {@code first} to
   *     {@code end} exclusive
   * @return the number of bytes read, which may be fewer than requested; negative if the call
   *     failed or is not available
   */
  synchronized long read(long offset, MemorySegment[] targets, int first, int end) {
    return moved(Scattering.PREADV, offset, targets, first, end);
  }

  /**
   * Writes the sources, one after another, from {@code offset} on, by one system call.
   *
   * @param sources segments as for {@link #read}
   * @return the number of bytes written, which may be fewer than requested; negative if the call
   *     failed or is not available
   */
  synchronized long write(long offset, MemorySegment[] sources, int first, int end) {
    return moved(Scattering.PWRITEV, offset, sources, first, end);
  }

  private long moved(MethodHandle call, long offset, MemorySegment[] segments, int first, int end) {
    if (call == null || descriptor < 0) {
      return -1;
    }
    prepare();
    for (int i = first, at = 0; i < end; i++) {
      pieces[at++] = segments[i].address();
      pieces[at++] = segments[i].byteSize();
    }
    try {
      return moved(call, offset, end - first);
    } finally {
      Reference.reachabilityFence(segments);
    }
  }

  /**
   * Locks or unlocks a range of the file for this descriptor ({@code F_OFD_SETLKW}, Linux 3.15).
   * Locking waits until no other opener holds a lock on it.
   *
   * @return false if the file system or the kernel does not support such locks
   */
  synchronized boolean lockRange(boolean take, long from, long toExclusive) {
    return setLock(RangeLocking.F_OFD_SETLKW, take, from, toExclusive);
  }

  /**
   * Locks a range like {@link #lockRange}, but only if no other opener holds a lock on it ({@code
   * F_OFD_SETLK}).
   *
   * @return whether the range was locked
   */
  synchronized boolean tryLockRange(long from, long toExclusive) {
    return setLock(RangeLocking.F_OFD_SETLK, true, from, toExclusive);
  }

  private boolean setLock(int command, boolean take, long from, long toExclusive) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Calls.STATE);
      MemorySegment range = arena.allocate(RangeLocking.BYTES, Long.BYTES);
      range.set(JAVA_SHORT, 0, take ? RangeLocking.F_WRLCK : RangeLocking.F_UNLCK);
      range.set(JAVA_LONG, RangeLocking.START, from);
      range.set(JAVA_LONG, RangeLocking.LENGTH, toExclusive - from);
      int result;
      do {
        result = (int) RangeLocking.FCNTL.invokeExact(state, descriptor, command, range);
      } while (result != 0 && errno(state) == EINTR);
      return result == 0;
    } catch (Throwable failure) {
      throw asUnchecked(failure);
    }
  }

  /**
   * Reads rows, the first from {@code offset} on, into consecutive memory; the bytes between them
   * are discarded.
   *
   * @param target native memory for all rows
   * @return false if that failed; the target's content is then unspecified
   */
  synchronized boolean readRows(long offset, Rows rows, MemorySegment target) {
    long gap = rows.stride() - rows.length();
    if (Scattering.PREADV == null || descriptor < 0 || gap > SCRAP_BYTES) {
      return false;
    }
    prepare();
    for (long done = 0; done < rows.count(); ) {
      long part = Math.min(MAX_PIECES / 2, rows.count() - done);
      int used = lay(rows, part, target.address() + done * rows.length());
      long wanted = part * rows.stride() - gap;
      if (moved(Scattering.PREADV, offset + done * rows.stride(), used) != wanted) {
        return false;
      }
      done += part;
    }
    Reference.reachabilityFence(target);
    return true;
  }

  /**
   * Puts the given number of rows, and the gaps between them, into the list of pieces. Returns the
   * number of pieces.
   */
  private int lay(Rows rows, long count, long firstAddress) {
    long gap = rows.stride() - rows.length();
    long scrapAddress = scrap.address();
    int used = 0;
    for (long i = 0; i < count; i++) {
      pieces[used++] = firstAddress + i * rows.length();
      pieces[used++] = rows.length();
      if (gap > 0 && i + 1 < count) {
        pieces[used++] = scrapAddress;
        pieces[used++] = gap;
      }
    }
    return used / 2;
  }

  private void prepare() {
    if (vector == null) {
      vector = Arena.ofAuto().allocate(MAX_PIECES * PIECE_BYTES, Long.BYTES);
      scrap = Arena.ofAuto().allocate(SCRAP_BYTES);
      pieces = new long[2 * MAX_PIECES];
    }
  }

  /** Transfers the first pieces, and returns the number of bytes; negative if the call failed. */
  private long moved(MethodHandle call, long offset, int count) {
    MemorySegment.copy(pieces, 0, vector, JAVA_LONG, 0, 2 * count);
    try {
      return (long) call.invokeExact(descriptor, vector, count, offset);
    } catch (Throwable failure) {
      throw asUnchecked(failure);
    }
  }

  @Override
  public synchronized void close() {
    if (descriptor < 0) {
      return;
    }
    descriptor = -1;
    closing.clean();
  }

  /** Calls a function of two words, and returns its result or the negated errno. */
  private static int call(OfTwo function, MemorySegment first, long second) {
    NativeFunction.Caller caller = NativeFunction.caller().orElse(null);
    if (caller != null) {
      int result = caller.call(function.symbol, first.address(), second);
      Reference.reachabilityFence(first);
      return result;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Calls.STATE);
      MethodHandle linked = Calls.OF_TWO[function.ordinal()];
      int result = (int) linked.invokeExact(state, first, value(second));
      return result < 0 ? -errno(state) : result;
    } catch (Throwable failure) {
      throw asUnchecked(failure);
    }
  }

  /**
   * Has an action run when an object is unreachable, or by the result.
   *
   * @param action must not refer to the object
   */
  static Cleaner.Cleanable whenLost(Object object, Runnable action) {
    return LostFiles.CLEANER.register(object, action);
  }

  /** Closes a descriptor. */
  static void close(int descriptor) {
    call(OfTwo.CLOSE, value(descriptor), 0);
  }

  /** Returns a function of the C library; null if it has none, or this is not Linux. */
  static MethodHandle link(String symbol, FunctionDescriptor descriptor, Linker.Option... options) {
    return Calls.find(symbol, descriptor, options);
  }

  static int errno(MemorySegment state) {
    return (int) Calls.ERRNO.get(state, 0L);
  }

  static RuntimeException asUnchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      default -> new StorageException("system call failed: actual=" + failure, failure);
    };
  }

  /** The bindings, linked at the first use so that ordinary opens do not pay for it. */
  private static final class Calls {
    static final boolean LINUX =
        System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
    static final StructLayout STATE = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /**
     * The shape of these calls. They share it because each shape lengthens a JVM's start ({@link
     * NativeFunction}): two registers, errno captured, and the layout that variadic functions
     * require, which the others ignore.
     */
    private static final FunctionDescriptor TWO_ARGUMENTS =
        FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);

    /** The functions of {@link OfTwo}, by ordinal. */
    static final MethodHandle[] OF_TWO =
        Stream.of(OfTwo.values()).map(each -> findOfTwo(each.symbol)).toArray(MethodHandle[]::new);

    private static MethodHandle findOfTwo(String symbol) {
      return find(
          symbol,
          TWO_ARGUMENTS,
          Linker.Option.captureCallState("errno"),
          Linker.Option.firstVariadicArg(2));
    }

    static MethodHandle find(
        String symbol, FunctionDescriptor descriptor, Linker.Option... options) {
      if (!LINUX) {
        return null;
      }
      Linker linker = Linker.nativeLinker();
      SymbolLookup lookup = linker.defaultLookup();
      try {
        return lookup
            .find(symbol)
            .map(address -> linker.downcallHandle(address, descriptor, options))
            .orElse(null);
      } catch (IllegalCallerException denied) {
        return null; // the JVM permits no native calls: files are read and written without them
      }
    }
  }

  /** The bindings for scattering and gathering, which few requests need. */
  private static final class Scattering {
    private static final FunctionDescriptor VECTORED =
        FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG);
    static final MethodHandle PREADV = Calls.find("preadv", VECTORED);
    static final MethodHandle PWRITEV = Calls.find("pwritev", VECTORED);
  }

  /** The binding for access advice, which few files need. */
  private static final class Advice {
    static final int NORMAL = 0;
    static final int RANDOM = 1;
    static final int WILLNEED = 3;
    static final int DONTNEED = 4;
    static final MethodHandle FADVISE =
        Calls.find(
            "posix_fadvise",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
  }

  /** The binding for reserving space, which files that are only read do not need. */
  private static final class Reservation {
    static final MethodHandle FALLOCATE =
        Calls.find(
            "fallocate",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
            Linker.Option.captureCallState("errno"));
  }

  /** The layout of {@code struct flock} on 64-bit Linux: type, whence, start, length, process. */
  private static final class RangeLocking {
    static final int F_OFD_SETLK = 37;
    static final int F_OFD_SETLKW = 38;
    static final short F_WRLCK = 1;
    static final short F_UNLCK = 2;
    static final long START = 8;
    static final long LENGTH = 16;
    static final long BYTES = 32;
    static final MethodHandle FCNTL =
        Calls.find(
            "fcntl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS),
            Linker.Option.captureCallState("errno"),
            Linker.Option.firstVariadicArg(2));
  }
}
