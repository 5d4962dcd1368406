package org.hyperslab.format.store;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.memory.BounceBuffers;

/**
 * A local file, accessed by positional reads and writes of a {@link FileChannel}.
 *
 * <p>Segments outside the heap are transferred directly, up to 1 GiB per request, and several of
 * them are read by one request if the system supports it. Segments on the heap, and neighbouring
 * small pieces of a gather, go through a pooled direct buffer; long reads into the heap, or of rows
 * with gaps, go through a mapping. Short transfers are continued until they are complete.
 *
 * <p>When a thread is interrupted during a call, Java closes the channel for all threads. This
 * class then opens the same file again, completes the transfer and restores the interrupt flag, so
 * that an interrupt never makes I/O fail.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
public final class FileStore implements ByteStore {

  /**
   * The buffers shared by all files, so that memory touched for one file is reused for the next.
   */
  private static final BounceBuffers BOUNCE = new BounceBuffers();

  /** The greatest number of bytes per request; Linux transfers at most 2 GiB less a page. */
  private static final int REQUEST_BYTES = 1 << 30;

  /**
   * The longest hole in a list that is read and discarded, because that takes less time than
   * another system call.
   */
  private static final int SCRAP_BYTES = 4096;

  /** The least length of a piece for which a separate request is worthwhile. */
  private static final int DIRECT_BYTES = 1 << 16;

  private final Path path;
  private final Optional<ConfinedFolder> within;
  private final FileAccess access;
  private final Object fileKey;
  private final ChannelGuard guard;

  private final MappedReads mapped;
  private volatile CacheAdvice advice;
  private PosixFile posix;
  private final KernelRequests started;
  private boolean holdsLock;
  private boolean closed;

  private FileStore(
      Path path, Optional<ConfinedFolder> within, FileAccess access, FileChannel channel)
      throws IOException {
    this.path = path;
    this.within = within;
    this.access = access;
    FileAccess again = access.writable() ? FileAccess.UPDATE : FileAccess.READ;
    this.guard = new ChannelGuard(channel, () -> reopen(again));
    this.fileKey = key();
    this.mapped = new MappedReads(path.toString(), () -> reopen(FileAccess.READ));
    this.started = new KernelRequests(path.toString());
  }

  /**
   * Opens {@code path} without a lock.
   *
   * @param path the file's path
   * @param access reading, editing or creating
   * @return the store
   */
  public static FileStore open(Path path, FileAccess access) {
    return open(path, access, FileLocking.NONE);
  }

  /**
   * Opens {@code path}.
   *
   * @param path the file's path
   * @param access reading, editing or creating
   * @param locking whether and how the file is locked
   * @return the store
   * @throws NotFoundException if it does not exist and may not be created
   * @throws AlreadyExistsException if it exists and must not
   * @throws StorageException if it cannot be opened, or another opener holds a lock on it
   */
  public static FileStore open(Path path, FileAccess access, FileLocking locking) {
    return open(path, access, locking, Optional.empty());
  }

  /**
   * Opens {@code path}, if it is below a folder.
   *
   * @param path the file's path
   * @param access reading, editing or creating
   * @param locking whether and how the file is locked
   * @param within the folder; empty if the path may be anywhere
   * @return the store
   * @throws NotFoundException if it is out of reach, or does not exist and may not be created
   * @throws AlreadyExistsException if it exists and must not
   * @throws StorageException if it cannot be opened, or another opener holds a lock on it
   */
  public static FileStore open(
      Path path, FileAccess access, FileLocking locking, Optional<ConfinedFolder> within) {
    boolean cutAfterLocking = access == FileAccess.TRUNCATE;
    FileStore store = null;
    try {
      if (within.isEmpty() && Files.isDirectory(path)) {
        throw new StorageException("open failed: actual=a directory, expected=a file, at=" + path);
      }
      store = new FileStore(path, within, access, channel(path, options(access), within));
      if (locking != FileLocking.NONE) {
        store.lock(locking);
      }
      if (cutAfterLocking) {
        store.truncate(0);
      }
      return store;
    } catch (NoSuchFileException absent) {
      throw Ranges.notFound(path, access, absent);
    } catch (FileAlreadyExistsException present) {
      throw new AlreadyExistsException(
          "file exists: actual=existing file, expected=none, at=" + path, present);
    } catch (IOException failure) {
      throw new StorageException(
          "open failed: actual=" + failure + ", expected=" + access + ", at=" + path, failure);
    } catch (RuntimeException failure) {
      if (store != null) {
        store.close();
      }
      throw failure;
    }
  }

  private static Set<OpenOption> options(FileAccess access) {
    EnumSet<StandardOpenOption> options = EnumSet.of(StandardOpenOption.READ);
    if (access.writable()) {
      options.add(StandardOpenOption.WRITE);
    }
    if (access == FileAccess.CREATE_NEW) {
      options.add(StandardOpenOption.CREATE_NEW);
    } else if (access.creates()) {
      options.add(StandardOpenOption.CREATE);
    }
    return Set.copyOf(options);
  }

  private static FileChannel channel(
      Path path, Set<OpenOption> options, Optional<ConfinedFolder> within) throws IOException {
    return within.isPresent() ? within.get().open(path, options) : FileChannel.open(path, options);
  }

  private Object key() throws IOException {
    return within.isPresent()
        ? within.get().key(path)
        : Files.readAttributes(path, BasicFileAttributes.class, new LinkOption[0]).fileKey();
  }

  private synchronized void lock(FileLocking locking) {
    holdsLock = PosixFile.available() && posix().lock(locking);
  }

  private synchronized PosixFile posix() {
    if (posix == null) {
      PosixFile opened = PosixFile.open(path, access.writable());
      try {
        within.ifPresent(folder -> folder.check(opened, path));
      } catch (RuntimeException refused) {
        opened.close();
        throw refused;
      }
      posix = opened;
    }
    return posix;
  }

  /**
   * Opens the file again; called by the guard, in one thread at a time, after an interrupt has
   * closed the channel.
   */
  private FileChannel reopen(FileAccess as) throws IOException {
    if (fileKey != null && !fileKey.equals(key())) {
      throw new IOException("the file was replaced while it was open, and cannot be reopened");
    }
    return channel(path, options(as), within);
  }

  /**
   * Begins to link the system calls that opening a file needs, on a thread of its own, for programs
   * that are about to open their first one. Linking takes tens of milliseconds and is otherwise
   * done by the first opening, which then waits for this.
   */
  public static void linkAhead() {
    Thread.ofPlatform().daemon().name("link system calls").start(PosixFile::rehearse);
  }

  /** {@return the file's path, as given} */
  public Path path() {
    return path;
  }

  /** {@return whether an advisory lock is held; false if the file system does not support locks} */
  public synchronized boolean locked() {
    return holdsLock;
  }

  /** Releases the advisory lock, if one is held, and keeps the file open. */
  public synchronized void unlock() {
    if (holdsLock) {
      posix().unlock();
      holdsLock = false;
    }
  }

  /**
   * Advises the system on the access pattern of this file, so that it reads ahead and drops ranges
   * that are not needed again. Wrong advice costs only time. Has no effect if the system does not
   * support such advice.
   *
   * @param readOnce whether no byte is read twice
   * @param writeOnce whether bytes that were written and forced are neither read nor written again
   * @param direction 1 if each read begins where the previous one ended, -1 if it ends where the
   *     previous one began, 0 if neither is the case
   */
  public void expectAccess(boolean readOnce, boolean writeOnce, int direction) {
    PosixFile file = readOnce || writeOnce || direction != 0 ? posixOfThisFile() : null;
    advice = file == null ? null : new CacheAdvice(file, readOnce, writeOnce, direction);
  }

  private void noteRead(long offset, long length) {
    CacheAdvice told = advice;
    if (told != null) {
      told.read(offset, length);
    }
  }

  private void noteWrite(long offset, long length) {
    CacheAdvice told = advice;
    if (told != null) {
      told.written(offset, length);
    }
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public boolean readOnly() {
    return !access.writable();
  }

  @Override
  public long size() {
    return guard.call(name(), "size", 0, 0, FileChannel::size);
  }

  @Override
  public void read(long offset, MemorySegment target) {
    checkReadOffset(offset, target.byteSize());
    if (target.isNative()) {
      readDirect(offset, target);
    } else if (!readMapped(offset, target)) {
      readBounced(offset, new MemorySegment[] {target}, 0, 1);
    }
    noteRead(offset, target.byteSize());
  }

  @Override
  public void read(long offset, MemorySegment[] targets) {
    checkReadOffset(offset, Ranges.totalBytes(targets));
    long at = offset;
    for (int first = 0; first < targets.length; ) {
      int scattered = vectored(PosixFile::read, at, targets, first, targets.length);
      if (scattered > first) {
        at += Ranges.totalBytes(Arrays.copyOfRange(targets, first, scattered));
        first = scattered;
        continue;
      }
      int end = endOfRun(targets, first);
      if (end == first) {
        readDirect(at, targets[first]);
        at += targets[first].byteSize();
        first++;
      } else {
        at = readBounced(at, targets, first, end);
        first = end;
      }
    }
    noteRead(offset, at - offset);
  }

  /**
   * Returns a descriptor of the open file; null if there is none because the store is closed, or
   * its path names another file by now.
   */
  private synchronized PosixFile posixOfThisFile() {
    if (posix != null || closed || !PosixFile.available()) {
      return posix;
    }
    try {
      PosixFile file = fileKey == null ? null : posix();
      if (file != null && !fileKey.equals(key())) {
        file.close();
        posix = null;
      }
    } catch (IOException | StorageException | NotFoundException gone) {
      posix = null;
    }
    return posix;
  }

  /** A system call for several pieces of memory. */
  private interface VectoredCall {
    long move(PosixFile file, long offset, MemorySegment[] pieces, int first, int end);
  }

  /**
   * Transfers several pieces outside the heap directly between the file and memory, if the system
   * supports it.
   *
   * @param limit the index after the last piece
   * @return the index after the last transferred piece; {@code first} if none was transferred
   */
  private int vectored(
      VectoredCall call, long offset, MemorySegment[] pieces, int first, int limit) {
    int most = Math.min(limit, first + PosixFile.MAX_PIECES);
    int end = first;
    long bytes = 0;
    MemorySegment.Scope reachable = null;
    while (end < most) {
      MemorySegment piece = pieces[end];
      MemorySegment.Scope scope = piece.scope();
      if (scope != reachable && !PosixFile.isReachable(piece)) {
        break;
      }
      reachable = scope;
      if (!piece.isNative() || bytes + piece.byteSize() > REQUEST_BYTES) {
        break;
      }
      bytes += piece.byteSize();
      end++;
    }
    PosixFile file = end - first > 1 ? posixOfThisFile() : null;
    return file != null && call.move(file, offset, pieces, first, end) == bytes ? end : first;
  }

  /** {@inheritDoc} Holes of up to a page between ranges are also read, and discarded. */
  @Override
  public void readList(long[] offsets, MemorySegment[] targets) {
    Ranges.checkList(offsets, targets);
    MemorySegment scrap = null;
    List<MemorySegment> pieces = new ArrayList<>(targets.length);
    for (int first = 0; first < targets.length; ) {
      pieces.clear();
      pieces.add(targets[first]);
      long end = offsets[first] + targets[first].byteSize();
      int next = first + 1;
      for (; next < targets.length; next++) {
        long hole = offsets[next] - end;
        if (hole < 0 || hole > SCRAP_BYTES) {
          break;
        }
        if (hole > 0) {
          scrap = scrap == null ? Arena.ofAuto().allocate(SCRAP_BYTES) : scrap;
          pieces.add(scrap.asSlice(0, hole));
        }
        pieces.add(targets[next]);
        end = offsets[next] + targets[next].byteSize();
      }
      read(offsets[first], pieces.toArray(MemorySegment[]::new));
      first = next;
    }
  }

  /**
   * {@inheritDoc} Adjacent ranges are written by one system call. Every other one takes a call of
   * its own: POSIX has no call that writes to several places.
   */
  @Override
  public void writeList(long[] offsets, MemorySegment[] sources) {
    Ranges.checkList(offsets, sources);
    checkWritable("write");
    for (int first = 0; first < sources.length; ) {
      int limit = Ranges.endOfAdjacent(offsets, sources, first);
      long bytes = Ranges.totalBytes(Arrays.copyOfRange(sources, first, limit));
      Ranges.checkWrite(name(), offsets[first], bytes);
      int end = vectored(PosixFile::write, offsets[first], sources, first, limit);
      if (end == first) {
        write(offsets[first], Arrays.copyOfRange(sources, first, limit));
        end = limit;
      } else {
        noteWrite(offsets[first], bytes);
      }
      first = end;
    }
  }

  @Override
  public void readRows(long offset, long length, long stride, long count, MemorySegment target) {
    Objects.checkFromIndexSize(0, Math.multiplyExact(length, count), target.byteSize());
    checkReadOffset(offset, Math.multiplyExact(stride, count));
    Rows rows = new Rows(length, stride, count);
    if (readMapped(offset, rows, target)) {
      noteRead(offset, rows.spanBytes());
      return;
    }
    PosixFile file = count > 1 && PosixFile.isReachable(target) ? posixOfThisFile() : null;
    if (file == null || !file.readRows(offset, rows, target)) {
      ByteStore.super.readRows(offset, length, stride, count, target);
    } else {
      noteRead(offset, rows.spanBytes());
    }
  }

  private boolean readMapped(long offset, MemorySegment target) {
    if (!MappedReads.suits(target)) {
      return false;
    }
    Ranges.checkRead(name(), offset, target.byteSize(), size());
    return mapped.read(offset, target);
  }

  private boolean readMapped(long offset, Rows rows, MemorySegment target) {
    if (!MappedReads.suits(rows)) {
      return false;
    }
    Ranges.checkRead(name(), offset, rows.spanBytes(), size());
    return mapped.read(offset, rows, target);
  }

  private void checkReadOffset(long offset, long length) {
    if (offset < 0 || offset > Long.MAX_VALUE - length) {
      Ranges.checkRead(name(), offset, length, size());
    }
  }

  /**
   * Returns the index after the last segment from {@code first} on that goes through the buffer.
   */
  private static int endOfRun(MemorySegment[] segments, int first) {
    int end = first;
    while (end < segments.length
        && (!segments[end].isNative() || segments[end].byteSize() < DIRECT_BYTES)) {
      end++;
    }
    return end;
  }

  private void readDirect(long offset, MemorySegment target) {
    long length = target.byteSize();
    for (long done = 0; done < length; ) {
      int part = (int) Math.min(REQUEST_BYTES, length - done);
      ByteBuffer buffer = target.asSlice(done, part).asByteBuffer();
      readFully(offset + done, buffer);
      done += part;
    }
  }

  /** Fills the targets {@code first .. end} and returns the offset after them. */
  private long readBounced(long offset, MemorySegment[] targets, int first, int end) {
    ByteBuffer buffer = BOUNCE.take();
    try {
      MemorySegment staged = MemorySegment.ofBuffer(buffer.clear());
      SegmentCursor cursor = new SegmentCursor(targets, first, end);
      long at = offset;
      long remaining = cursor.remaining();
      while (remaining > 0) {
        int part = (int) Math.min(BounceBuffers.BUFFER_BYTES, remaining);
        readFully(at, buffer.clear().limit(part));
        cursor.copyFrom(staged, part);
        at += part;
        remaining -= part;
      }
      return at;
    } finally {
      BOUNCE.give(buffer);
    }
  }

  private void readFully(long offset, ByteBuffer buffer) {
    int start = buffer.position();
    while (buffer.hasRemaining()) {
      long at = offset + buffer.position() - start;
      long moved =
          guard.call(name(), "read", at, buffer.remaining(), channel -> channel.read(buffer, at));
      if (moved < 0) {
        EOFException end = new EOFException("end of file at " + size());
        throw Ranges.failed(name(), "read", at, buffer.remaining(), end);
      }
    }
  }

  @Override
  public void write(long offset, MemorySegment source) {
    checkWritable("write");
    Ranges.checkWrite(name(), offset, source.byteSize());
    if (source.isNative()) {
      writeDirect(offset, source);
    } else {
      writeBounced(offset, new MemorySegment[] {source}, 0, 1);
    }
    noteWrite(offset, source.byteSize());
  }

  @Override
  public void write(long offset, MemorySegment[] sources) {
    checkWritable("write");
    Ranges.checkWrite(name(), offset, Ranges.totalBytes(sources));
    long at = offset;
    for (int first = 0; first < sources.length; ) {
      int end = endOfRun(sources, first);
      if (end == first) {
        writeDirect(at, sources[first]);
        at += sources[first].byteSize();
        first++;
      } else {
        at = writeBounced(at, sources, first, end);
        first = end;
      }
    }
    noteWrite(offset, at - offset);
  }

  private void writeDirect(long offset, MemorySegment source) {
    long length = source.byteSize();
    for (long done = 0; done < length; ) {
      int part = (int) Math.min(REQUEST_BYTES, length - done);
      writeFully(offset + done, source.asSlice(done, part).asByteBuffer());
      done += part;
    }
  }

  private long writeBounced(long offset, MemorySegment[] sources, int first, int end) {
    ByteBuffer buffer = BOUNCE.take();
    try {
      MemorySegment staged = MemorySegment.ofBuffer(buffer.clear());
      SegmentCursor cursor = new SegmentCursor(sources, first, end);
      long at = offset;
      long remaining = cursor.remaining();
      while (remaining > 0) {
        int part = (int) Math.min(BounceBuffers.BUFFER_BYTES, remaining);
        cursor.copyTo(staged, part);
        writeFully(at, buffer.clear().limit(part));
        at += part;
        remaining -= part;
      }
      return at;
    } finally {
      BOUNCE.give(buffer);
    }
  }

  private void writeFully(long offset, ByteBuffer buffer) {
    int start = buffer.position();
    while (buffer.hasRemaining()) {
      long at = offset + buffer.position() - start;
      guard.call(name(), "write", at, buffer.remaining(), channel -> channel.write(buffer, at));
    }
  }

  private void checkWritable(String operation) {
    if (readOnly()) {
      throw Ranges.readOnly(name(), operation);
    }
  }

  /**
   * Has the kernel execute requests that are started ({@code io_uring} of Linux 5.6), or no longer.
   * Without this, {@link #startRead} and {@link #startWrite} start nothing.
   *
   * @param wanted whether it shall; requests in progress are awaited if not
   * @return whether it does; not if the system has no such requests or denies them
   */
  public boolean startRequestsInKernel(boolean wanted) {
    return started.use(wanted, this::posixOfThisFile);
  }

  /** {@return whether the kernel executes requests that are started} */
  public boolean startsRequestsInKernel() {
    return started.areUsed();
  }

  @Override
  public Optional<Pending> startRead(long offset, MemorySegment target) {
    checkReadOffset(offset, target.byteSize());
    return started.start(false, offset, target, () -> noteRead(offset, target.byteSize()));
  }

  @Override
  public Optional<Pending> startWrite(long offset, MemorySegment source) {
    checkWritable("write");
    Ranges.checkWrite(name(), offset, source.byteSize());
    return started.start(true, offset, source, () -> noteWrite(offset, source.byteSize()));
  }

  @Override
  public void truncate(long sizeBytes) {
    checkWritable("truncate");
    Ranges.checkSize(name(), sizeBytes);
    guard.call(
        name(),
        "truncate",
        sizeBytes,
        0,
        channel -> {
          long size = channel.size();
          if (sizeBytes < size) {
            channel.truncate(sizeBytes);
          } else if (sizeBytes > size && !lengthens(sizeBytes)) {
            channel.write(ByteBuffer.allocate(1), sizeBytes - 1);
          }
          return 0;
        });
  }

  /** Lengthens the file without writing to it, if the system does that; returns whether. */
  private boolean lengthens(long sizeBytes) {
    PosixFile file = posixOfThisFile();
    return file != null && file.resize(sizeBytes);
  }

  @Override
  public void preallocate(long offset, long length) {
    checkWritable("preallocate");
    Ranges.checkReserve(name(), offset, length);
    if (length > 0 && PosixFile.available()) {
      posix().reserve(offset, length);
    }
  }

  @Override
  public void force(boolean withMetadata) {
    guard.call(
        name(),
        "force",
        0,
        0,
        channel -> {
          channel.force(withMetadata);
          return 0;
        });
    CacheAdvice told = advice;
    if (told != null) {
      told.forced();
    }
  }

  @Override
  public void close() {
    started.use(false, () -> null);
    guard.close(name());
    mapped.close();
    synchronized (this) {
      closed = true;
      if (posix != null) {
        releaseLock();
        posix.close();
        posix = null;
      }
    }
  }

  /**
   * Releases the lock explicitly: a child process that is being started has a copy of the
   * descriptor for a moment, so that closing only this descriptor would keep the lock.
   */
  private void releaseLock() {
    try {
      unlock();
    } catch (StorageException ignored) { // closing releases it
      holdsLock = false;
    }
  }

  @Override
  public String toString() {
    return "FileStore[" + path + ", " + access + "]";
  }
}
