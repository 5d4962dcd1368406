package org.hyperslab.testkit.world;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/**
 * An open file or folder of a disk.
 *
 * <p>Thread rule: confined to the world.
 */
final class WorldChannel extends FileChannel {

  private final WorldDisk disk;
  private final String path;
  private final DiskNode node;
  private final boolean reads;
  private final boolean writes;
  private long position;

  WorldChannel(WorldDisk disk, String path, DiskNode node, boolean reads, boolean writes) {
    this.disk = disk;
    this.path = path;
    this.node = node;
    this.reads = reads;
    this.writes = writes;
    WorldProcess owner = disk.world().current();
    if (owner != null) {
      owner.atDeath(this::unlock);
    }
  }

  private void unlock() {
    node.locks().removeIf(lock -> lock.acquiredBy() == this);
  }

  private void requireOpen() throws IOException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int count = read(target, position);
    position += Math.max(0, count);
    return count;
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    long all = 0;
    for (int i = offset; i < offset + length; i++) {
      int count = targets[i].hasRemaining() ? read(targets[i]) : 0;
      if (count < 0) {
        return all == 0 ? -1 : all;
      }
      all += count;
    }
    return all;
  }

  @Override
  public int read(ByteBuffer target, long at) throws IOException {
    requireOpen();
    if (!reads) {
      throw new NonReadableChannelException();
    }
    disk.check(WorldDisk.Fault.READ);
    if (at >= node.size()) {
      return -1;
    }
    int count = (int) Math.min(target.remaining(), node.size() - at);
    byte[] part = new byte[count];
    node.read((int) at, part, 0, count);
    target.put(part);
    return count;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int count = write(source, position);
    position += count;
    return count;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    int all = 0;
    for (int i = offset; i < offset + length; i++) {
      all += sources[i].remaining();
    }
    ByteBuffer joined = ByteBuffer.allocate(all);
    for (int i = offset; i < offset + length; i++) {
      joined.put(sources[i].duplicate());
    }
    int written = write(joined.flip());
    int left = written;
    for (int i = offset; i < offset + length; i++) {
      int part = Math.min(left, sources[i].remaining());
      sources[i].position(sources[i].position() + part);
      left -= part;
    }
    return written;
  }

  @Override
  public int write(ByteBuffer source, long at) throws IOException {
    requireOpen();
    if (!writes) {
      throw new NonWritableChannelException();
    }
    disk.world().pass();
    disk.check(WorldDisk.Fault.WRITE);
    int count = source.remaining();
    long grows = Math.max(0, at + count - node.size());
    long taken = disk.take(grows);
    if (taken < grows) {
      count -= (int) (grows - taken);
      if (count <= 0) {
        throw new IOException("No space left on device");
      }
    }
    byte[] part = new byte[count];
    source.get(part);
    node.write((int) at, part);
    return count;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public FileChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    return node.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    requireOpen();
    if (!writes) {
      throw new NonWritableChannelException();
    }
    disk.world().pass();
    disk.check(WorldDisk.Fault.WRITE);
    if (size < node.size()) {
      node.truncate((int) size);
    }
    position = Math.min(position, size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    requireOpen();
    disk.force(path, node);
  }

  @Override
  public long transferTo(long at, long count, WritableByteChannel target) throws IOException {
    ByteBuffer part = ByteBuffer.allocate((int) Math.clamp(node.size() - at, 0, count));
    read(part, at);
    return target.write(part.flip());
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long at, long count) throws IOException {
    ByteBuffer part = ByteBuffer.allocate((int) Math.min(count, 1 << 20));
    source.read(part);
    return write(part.flip(), at);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long at, long size) {
    throw new UnsupportedOperationException("no mapped buffers");
  }

  @Override
  public MemorySegment map(MapMode mode, long at, long size, Arena arena) throws IOException {
    MemorySegment copy = arena.allocate(Math.max(1, size)).asSlice(0, size);
    read(copy.asByteBuffer(), at);
    return copy;
  }

  @Override
  public FileLock lock(long at, long size, boolean shared) {
    throw new UnsupportedOperationException("no lock that waits");
  }

  @Override
  public FileLock tryLock(long at, long size, boolean shared) throws IOException {
    requireOpen();
    List<WorldLock> held = node.locks();
    boolean free =
        held.stream().allMatch(lock -> lock.acquiredBy() == this || (shared && lock.isShared()));
    if (!free) {
      return null;
    }
    unlock();
    WorldLock lock = new WorldLock(this, node, shared);
    held.add(lock);
    return lock;
  }

  @Override
  protected void implCloseChannel() {
    unlock();
  }
}
