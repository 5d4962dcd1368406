package org.hyperslab.format.store;

import java.io.EOFException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.hyperslab.format.memory.BounceBuffers;

/**
 * Reads and writes a file through its channel: memory outside the heap directly, at most 1 GiB per
 * request; memory on the heap, and neighbouring small pieces, through a pooled direct buffer. Short
 * transfers are continued until they are complete. Reads at random go through a descriptor for
 * which the system does not read ahead, if asked for.
 *
 * <p>Thread rule: safe.
 */
final class ChannelTransfers {

  /**
   * The buffers shared by all files, so that memory touched for one file is reused for the next.
   */
  private static final BounceBuffers BOUNCE = new BounceBuffers();

  /** The greatest number of bytes per request; Linux transfers at most 2 GiB less a page. */
  static final int REQUEST_BYTES = 1 << 30;

  /** The least length of a piece for which a separate request is worthwhile. */
  private static final int DIRECT_BYTES = 1 << 16;

  private final String name;
  private final ChannelGuard channel;

  /** Reads without read-ahead; null if the channel reads. */
  private volatile RandomReads random;

  /**
   * Creates the transfers of a file.
   *
   * @param name the file's name, for messages
   * @param channel its channel
   */
  ChannelTransfers(String name, ChannelGuard channel) {
    this.name = name;
    this.channel = channel;
  }

  /** Has reads made without read-ahead, or null: in the ordinary way. Ends the former ones. */
  void readAtRandom(RandomReads reads) {
    RandomReads former = random;
    random = reads;
    if (former != null) {
      former.close();
    }
  }

  /** Fills a target from consecutive bytes. */
  void read(long offset, MemorySegment target) {
    if (target.isNative()) {
      readDirect(offset, target);
    } else {
      readBounced(offset, new MemorySegment[] {target}, 0, 1);
    }
  }

  /**
   * Fills one or more targets, {@code first} and those that belong to the same request, from
   * consecutive bytes.
   *
   * @return the index after the last filled target
   */
  int readSome(long offset, MemorySegment[] targets, int first) {
    int end = endOfRun(targets, first);
    if (end == first) {
      readDirect(offset, targets[first]);
      return first + 1;
    }
    readBounced(offset, targets, first, end);
    return end;
  }

  /** Writes a source to consecutive bytes. */
  void write(long offset, MemorySegment source) {
    if (source.isNative()) {
      writeDirect(offset, source);
    } else {
      writeBounced(offset, new MemorySegment[] {source}, 0, 1);
    }
  }

  /**
   * Writes one or more sources, {@code first} and those that belong to the same request, to
   * consecutive bytes.
   *
   * @return the index after the last written source
   */
  int writeSome(long offset, MemorySegment[] sources, int first) {
    int end = endOfRun(sources, first);
    if (end == first) {
      writeDirect(offset, sources[first]);
      return first + 1;
    }
    writeBounced(offset, sources, first, end);
    return end;
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
      readFully(offset + done, target.asSlice(done, part).asByteBuffer());
      done += part;
    }
  }

  private void readBounced(long offset, MemorySegment[] targets, int first, int end) {
    ByteBuffer buffer = BOUNCE.take();
    try {
      MemorySegment staged = MemorySegment.ofBuffer(buffer.clear());
      SegmentCursor cursor = new SegmentCursor(targets, first, end);
      long at = offset;
      long remaining = cursor.remaining();
      while (remaining > 0) {
        int part = BounceBuffers.nextBytes(remaining);
        readFully(at, buffer.clear().limit(part));
        cursor.copyFrom(staged, part);
        at += part;
        remaining -= part;
      }
    } finally {
      BOUNCE.give(buffer);
    }
  }

  private void readFully(long offset, ByteBuffer buffer) {
    int start = buffer.position();
    while (buffer.hasRemaining()) {
      long at = offset + buffer.position() - start;
      RandomReads unaided = random;
      if (unaided != null && unaided.read(at, buffer) > 0) {
        continue;
      }
      // Also where the other read nothing: the channel reports why.
      long moved = channel.read(name, at, buffer);
      if (moved < 0) {
        long size = channel.call(name, "size", 0, 0, FileChannel::size);
        EOFException end = new EOFException("end of file at " + size);
        throw Ranges.failed(name, "read", at, buffer.remaining(), end);
      }
    }
  }

  private void writeDirect(long offset, MemorySegment source) {
    long length = source.byteSize();
    for (long done = 0; done < length; ) {
      int part = (int) Math.min(REQUEST_BYTES, length - done);
      writeFully(offset + done, source.asSlice(done, part).asByteBuffer());
      done += part;
    }
  }

  private void writeBounced(long offset, MemorySegment[] sources, int first, int end) {
    ByteBuffer buffer = BOUNCE.take();
    try {
      MemorySegment staged = MemorySegment.ofBuffer(buffer.clear());
      SegmentCursor cursor = new SegmentCursor(sources, first, end);
      long at = offset;
      long remaining = cursor.remaining();
      while (remaining > 0) {
        int part = BounceBuffers.nextBytes(remaining);
        cursor.copyTo(staged, part);
        writeFully(at, buffer.clear().limit(part));
        at += part;
        remaining -= part;
      }
    } finally {
      BOUNCE.give(buffer);
    }
  }

  private void writeFully(long offset, ByteBuffer buffer) {
    int start = buffer.position();
    while (buffer.hasRemaining()) {
      long at = offset + buffer.position() - start;
      channel.write(name, at, buffer);
    }
  }
}
