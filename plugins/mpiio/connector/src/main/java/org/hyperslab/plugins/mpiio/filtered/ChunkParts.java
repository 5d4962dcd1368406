package org.hyperslab.plugins.mpiio.filtered;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import org.hyperslab.format.memory.StridedCopy.Steps;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.plugins.nativevol.transfer.CopyMover;
import org.hyperslab.plugins.nativevol.transfer.ElementMover;
import org.hyperslab.plugins.nativevol.transfer.ElementTransfer;

/**
 * Encodes one rank's part of one chunk for the chunk's owner: numbers of 8 bytes, then the elements
 * in the file's type.
 *
 * <pre>
 *   chunk number | elements | groups g | g times (offset, length, stride, repeats) | elements…
 * </pre>
 *
 * <p>A group is {@code repeats} runs of {@code length} elements, the k-th from element {@code
 * offset + k * stride} of the chunk on.
 *
 * <p>Thread rule: stateless.
 */
final class ChunkParts {

  static final int HEAD_BYTES = 24;
  private static final int GROUP_BYTES = 32;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private ChunkParts() {}

  /** Returns the number of bytes of a part. */
  static long bytes(ChunkPiece piece, ElementTransfer transfer, int elementSize) {
    return questionBytes(piece, transfer) + piece.elementCount() * elementSize;
  }

  /** Returns the number of bytes of a question, which is a part without elements. */
  static long questionBytes(ChunkPiece piece, ElementTransfer transfer) {
    RunPairs pairs = pairs(piece, transfer);
    long groups = 0;
    while (pairs.nextGroup()) {
      groups++;
    }
    return HEAD_BYTES + groups * GROUP_BYTES;
  }

  private static RunPairs pairs(ChunkPiece piece, ElementTransfer transfer) {
    return piece.pairs(transfer.memorySelection(), transfer.memoryExtent());
  }

  /** Writes a part at an offset; returns the offset of the next one. */
  static long write(
      MemorySegment message,
      long at,
      long number,
      ChunkPiece piece,
      ElementTransfer transfer,
      ElementMover mover) {
    long data = ask(message, at, number, piece, transfer);
    Packed places = new Packed(data, mover.targetSize());
    fromMemory(piece, transfer, mover, message, places);
    return places.end;
  }

  /**
   * Writes a question at an offset, which is a part without elements; returns the offset of the
   * next one.
   */
  static long ask(
      MemorySegment message, long at, long number, ChunkPiece piece, ElementTransfer transfer) {
    RunPairs pairs = pairs(piece, transfer);
    long group = at + HEAD_BYTES;
    while (pairs.nextGroup()) {
      message.set(LONG, group, pairs.fileOffset());
      message.set(LONG, group + 8, pairs.length());
      message.set(LONG, group + 16, pairs.fileStride());
      message.set(LONG, group + 24, pairs.repeats());
      group += GROUP_BYTES;
    }
    message.set(LONG, at, number);
    message.set(LONG, at + 8, piece.elementCount());
    message.set(LONG, at + 16, (group - at - HEAD_BYTES) / GROUP_BYTES);
    return group;
  }

  /** Returns the number of the chunk that a part is of. */
  static long number(MemorySegment message, long at) {
    return message.get(LONG, at);
  }

  /** Returns the number of elements of a part. */
  static long elements(MemorySegment message, long at) {
    return message.get(LONG, at + 8);
  }

  /** Returns the offset of the next part. */
  static long end(MemorySegment message, long at, int elementSize) {
    return at
        + HEAD_BYTES
        + message.get(LONG, at + 16) * GROUP_BYTES
        + elements(message, at) * elementSize;
  }

  /** Returns the offset of the next question. */
  static long endOfQuestion(MemorySegment message, long at) {
    return at + HEAD_BYTES + message.get(LONG, at + 16) * GROUP_BYTES;
  }

  /** Receives the groups of a part. */
  @FunctionalInterface
  private interface Group {
    void take(long offset, long length, long stride, long repeats);
  }

  private static void groups(MemorySegment message, long at, Group each) {
    long end = endOfQuestion(message, at);
    for (long group = at + HEAD_BYTES; group < end; group += GROUP_BYTES) {
      each.take(
          message.get(LONG, group),
          message.get(LONG, group + 8),
          message.get(LONG, group + 16),
          message.get(LONG, group + 24));
    }
  }

  /** Marks the elements of a part. */
  static void mark(MemorySegment message, long at, BitSet covered) {
    groups(
        message,
        at,
        (offset, length, stride, repeats) -> {
          for (long k = 0; k < repeats; k++) {
            int from = (int) (offset + k * stride);
            covered.set(from, from + (int) length);
          }
        });
  }

  /** Puts the elements of a part into their chunk. */
  static void apply(MemorySegment message, long at, MemorySegment chunk, int elementSize) {
    CopyMover mover = new CopyMover(elementSize);
    long[] data = {endOfQuestion(message, at)};
    groups(
        message,
        at,
        (offset, length, stride, repeats) -> {
          Steps packed = new Steps(data[0], length * elementSize);
          Steps placed = new Steps(offset * elementSize, stride * elementSize);
          mover.move(message, packed, chunk, placed, length, repeats);
          data[0] += length * repeats * elementSize;
        });
  }

  /** Answers a question with consecutive elements of its chunk. */
  static void answer(
      MemorySegment questions,
      long at,
      MemorySegment chunk,
      MemorySegment answer,
      long answerAt,
      int elementSize) {
    CopyMover mover = new CopyMover(elementSize);
    long[] data = {answerAt};
    groups(
        questions,
        at,
        (offset, length, stride, repeats) -> {
          Steps placed = new Steps(offset * elementSize, stride * elementSize);
          Steps packed = new Steps(data[0], length * elementSize);
          mover.move(chunk, placed, answer, packed, length, repeats);
          data[0] += length * repeats * elementSize;
        });
  }

  /** The position of the elements of a group in a chunk or message. */
  @FunctionalInterface
  private interface Elsewhere {
    Steps of(RunPairs group);
  }

  /** Returns the positions in the chunk. */
  private static Elsewhere inChunk(int size) {
    return group -> new Steps(group.fileOffset() * size, group.fileStride() * size);
  }

  /** Consecutive positions in a message. */
  private static final class Packed implements Elsewhere {
    private final int size;
    private long end;

    Packed(long from, int size) {
      this.end = from;
      this.size = size;
    }

    @Override
    public Steps of(RunPairs group) {
      Steps steps = new Steps(end, group.length() * size);
      end += group.length() * group.repeats() * size;
      return steps;
    }
  }

  private static void fromMemory(
      ChunkPiece piece,
      ElementTransfer transfer,
      ElementMover mover,
      MemorySegment target,
      Elsewhere places) {
    int size = mover.sourceSize();
    RunPairs pairs = pairs(piece, transfer);
    while (pairs.nextGroup()) {
      Steps memory = new Steps(pairs.memoryOffset() * size, pairs.memoryStride() * size);
      Steps there = places.of(pairs);
      mover.move(transfer.memory(), memory, target, there, pairs.length(), pairs.repeats());
    }
  }

  private static void toMemory(
      ChunkPiece piece,
      ElementTransfer transfer,
      ElementMover mover,
      MemorySegment source,
      Elsewhere places) {
    int size = mover.targetSize();
    RunPairs pairs = pairs(piece, transfer);
    while (pairs.nextGroup()) {
      Steps memory = new Steps(pairs.memoryOffset() * size, pairs.memoryStride() * size);
      Steps there = places.of(pairs);
      mover.move(source, there, transfer.memory(), memory, pairs.length(), pairs.repeats());
    }
  }

  /** Moves the answer to {@link #ask} into memory; returns the offset of the next answer. */
  static long take(
      MemorySegment answer,
      long at,
      ChunkPiece piece,
      ElementTransfer transfer,
      ElementMover mover) {
    Packed places = new Packed(at, mover.sourceSize());
    toMemory(piece, transfer, mover, answer, places);
    return places.end;
  }

  /** Moves a piece from its chunk into memory, without a message. */
  static void read(
      ChunkPiece piece, ElementTransfer transfer, ElementMover mover, MemorySegment chunk) {
    toMemory(piece, transfer, mover, chunk, inChunk(mover.sourceSize()));
  }

  /** Moves a piece from memory into its chunk, without a message. */
  static void move(
      ChunkPiece piece, ElementTransfer transfer, ElementMover mover, MemorySegment chunk) {
    fromMemory(piece, transfer, mover, chunk, inChunk(mover.targetSize()));
  }

  /** Marks the elements of a piece. */
  static void mark(ChunkPiece piece, BitSet covered) {
    var runs = piece.runs();
    while (runs.next()) {
      covered.set((int) runs.offset(), (int) (runs.offset() + runs.length()));
    }
  }
}
