package org.hyperslab.format.filter.coder;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.memory.JvmDefects;

/**
 * Passes memory to zlib: as it is, or, if the JVM moves arrays that native code uses, through
 * native memory, a piece at a time.
 *
 * <p>Thread rule: one thread; kept in its {@link FilterScratch}.
 */
public final class ZlibMemory {

  /** The size of the pieces of memory that is passed as it is; zlib counts in 32 bits. */
  private static final int PIECE_BYTES = 1 << 30;

  /** The size of the pieces that are copied. */
  private static final int COPIED_BYTES = 1 << 16;

  private final boolean copies;
  private ByteBuffer input;
  private ByteBuffer output;

  ZlibMemory(boolean copies) {
    this.copies = copies;
  }

  /** Returns the memory of a thread. */
  public static ZlibMemory of(FilterScratch scratch) {
    return scratch.state(ZlibMemory.class, () -> new ZlibMemory(JvmDefects.movesPinnedArrays()));
  }

  private boolean copies(MemorySegment segment) {
    return copies && !segment.isNative();
  }

  /** Returns how many bytes of a segment, from an offset, are the next piece of input. */
  public long pieceBytes(MemorySegment source, long from) {
    return Math.min(copies(source) ? COPIED_BYTES : PIECE_BYTES, source.byteSize() - from);
  }

  /** Returns a piece of input for zlib, which is valid until the next one. */
  public ByteBuffer input(MemorySegment piece) {
    if (!copies(piece)) {
      return piece.asByteBuffer();
    }
    if (input == null) {
      input = ByteBuffer.allocateDirect(COPIED_BYTES);
    }
    MemorySegment.ofBuffer(input.clear()).copyFrom(piece);
    return input.limit((int) piece.byteSize());
  }

  /** Decodes into a part of memory; returns the number of bytes. */
  public int inflate(Inflater inflater, MemorySegment target) throws DataFormatException {
    if (!copies(target)) {
      return inflater.inflate(first(target).asByteBuffer());
    }
    ByteBuffer room = room(target);
    return copied(inflater.inflate(room), room, target);
  }

  /** Encodes into a part of memory; returns the number of bytes. */
  public int deflate(Deflater deflater, MemorySegment target) {
    if (!copies(target)) {
      return deflater.deflate(first(target).asByteBuffer());
    }
    ByteBuffer room = room(target);
    return copied(deflater.deflate(room), room, target);
  }

  private static MemorySegment first(MemorySegment target) {
    return target.asSlice(0, Math.min(PIECE_BYTES, target.byteSize()));
  }

  private ByteBuffer room(MemorySegment target) {
    if (output == null) {
      output = ByteBuffer.allocateDirect(COPIED_BYTES);
    }
    return output.clear().limit((int) Math.min(COPIED_BYTES, target.byteSize()));
  }

  private static int copied(int count, ByteBuffer from, MemorySegment target) {
    MemorySegment.copy(MemorySegment.ofBuffer(from.flip()), 0, target, 0, count);
    return count;
  }
}
