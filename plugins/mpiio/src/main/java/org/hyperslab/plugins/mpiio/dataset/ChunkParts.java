package org.hyperslab.plugins.mpiio.dataset;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.space.RunPairs;
import org.hyperslab.plugins.nativevol.transfer.CopyMover;
import org.hyperslab.plugins.nativevol.transfer.ElementMover;
import org.hyperslab.plugins.nativevol.transfer.ElementMover.Steps;
import org.hyperslab.plugins.nativevol.transfer.ElementTransfer;

/**
 * What one rank has of one chunk, as it travels to the chunk's owner: numbers of 8 bytes, then the
 * elements in the file's type.
 *
 * <pre>
 *   chunk number | elements | groups g | g times (offset, length, stride, repeats) | elements…
 * </pre>
 *
 * <p>A group is {@code repeats} runs of {@code length} elements, the k-th from element {@code
 * offset + k * stride} of the chunk on.
 *
 * <p>Thread rule: no state.
 */
final class ChunkParts {

  static final int HEAD_BYTES = 24;
  private static final int GROUP_BYTES = 32;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private ChunkParts() {}

  /** Bytes of a part. */
  static long bytes(ChunkPiece piece, ElementTransfer transfer, int elementSize) {
    RunPairs pairs = piece.pairs(transfer.memorySelection(), transfer.memoryExtent());
    long groups = 0;
    while (pairs.nextGroup()) {
      groups++;
    }
    return HEAD_BYTES + groups * GROUP_BYTES + piece.elementCount() * elementSize;
  }

  /** Writes a part at an offset; where the next one goes. */
  static long write(
      MemorySegment message,
      long at,
      long number,
      ChunkPiece piece,
      ElementTransfer transfer,
      ElementMover mover) {
    int fileSize = mover.targetSize();
    int memorySize = mover.sourceSize();
    RunPairs pairs = piece.pairs(transfer.memorySelection(), transfer.memoryExtent());
    long groups = 0;
    long group = at + HEAD_BYTES;
    while (pairs.nextGroup()) {
      message.set(LONG, group, pairs.fileOffset());
      message.set(LONG, group + 8, pairs.length());
      message.set(LONG, group + 16, pairs.fileStride());
      message.set(LONG, group + 24, pairs.repeats());
      group += GROUP_BYTES;
      groups++;
    }
    message.set(LONG, at, number);
    message.set(LONG, at + 8, piece.elementCount());
    message.set(LONG, at + 16, groups);
    long data = group;
    RunPairs again = piece.pairs(transfer.memorySelection(), transfer.memoryExtent());
    while (again.nextGroup()) {
      mover.move(
          transfer.memory(),
          new Steps(again.memoryOffset() * memorySize, again.memoryStride() * memorySize),
          message,
          new Steps(data, again.length() * fileSize),
          again.length(),
          again.repeats());
      data += again.length() * again.repeats() * fileSize;
    }
    return data;
  }

  /** The number of the chunk that a part is of. */
  static long number(MemorySegment message, long at) {
    return message.get(LONG, at);
  }

  /** How many elements a part has. */
  static long elements(MemorySegment message, long at) {
    return message.get(LONG, at + 8);
  }

  /** Where the part behind one begins. */
  static long end(MemorySegment message, long at, int elementSize) {
    return at
        + HEAD_BYTES
        + message.get(LONG, at + 16) * GROUP_BYTES
        + elements(message, at) * elementSize;
  }

  /** Marks the elements of a part. */
  static void mark(MemorySegment message, long at, BitSet covered) {
    long groups = message.get(LONG, at + 16);
    for (long g = 0; g < groups; g++) {
      long group = at + HEAD_BYTES + g * GROUP_BYTES;
      int length = (int) message.get(LONG, group + 8);
      long stride = message.get(LONG, group + 16);
      for (long k = 0; k < message.get(LONG, group + 24); k++) {
        int from = (int) (message.get(LONG, group) + k * stride);
        covered.set(from, from + length);
      }
    }
  }

  /** Puts the elements of a part into their chunk. */
  static void apply(MemorySegment message, long at, MemorySegment chunk, int elementSize) {
    CopyMover mover = new CopyMover(elementSize);
    long groups = message.get(LONG, at + 16);
    long data = at + HEAD_BYTES + groups * GROUP_BYTES;
    for (long g = 0; g < groups; g++) {
      long group = at + HEAD_BYTES + g * GROUP_BYTES;
      long length = message.get(LONG, group + 8);
      long repeats = message.get(LONG, group + 24);
      mover.move(
          message,
          new Steps(data, length * elementSize),
          chunk,
          new Steps(
              message.get(LONG, group) * elementSize, message.get(LONG, group + 16) * elementSize),
          length,
          repeats);
      data += length * repeats * elementSize;
    }
  }

  /**
   * Writes a question at an offset: a part without elements. Where the next one goes.
   *
   * @param message null to find out only how long it is
   */
  static long ask(
      MemorySegment message, long at, long number, ChunkPiece piece, ElementTransfer transfer) {
    RunPairs pairs = piece.pairs(transfer.memorySelection(), transfer.memoryExtent());
    long group = at + HEAD_BYTES;
    while (pairs.nextGroup()) {
      if (message != null) {
        message.set(LONG, group, pairs.fileOffset());
        message.set(LONG, group + 8, pairs.length());
        message.set(LONG, group + 16, pairs.fileStride());
        message.set(LONG, group + 24, pairs.repeats());
      }
      group += GROUP_BYTES;
    }
    if (message != null) {
      message.set(LONG, at, number);
      message.set(LONG, at + 8, piece.elementCount());
      message.set(LONG, at + 16, (group - at - HEAD_BYTES) / GROUP_BYTES);
    }
    return group;
  }

  /** Where the question behind one begins. */
  static long endOfQuestion(MemorySegment message, long at) {
    return at + HEAD_BYTES + message.get(LONG, at + 16) * GROUP_BYTES;
  }

  /** Answers a question with elements of its chunk, one after the other. */
  static void answer(
      MemorySegment questions,
      long at,
      MemorySegment chunk,
      MemorySegment answer,
      long answerAt,
      int elementSize) {
    CopyMover mover = new CopyMover(elementSize);
    long groups = questions.get(LONG, at + 16);
    long data = answerAt;
    for (long g = 0; g < groups; g++) {
      long group = at + HEAD_BYTES + g * GROUP_BYTES;
      long length = questions.get(LONG, group + 8);
      long repeats = questions.get(LONG, group + 24);
      mover.move(
          chunk,
          new Steps(
              questions.get(LONG, group) * elementSize,
              questions.get(LONG, group + 16) * elementSize),
          answer,
          new Steps(data, length * elementSize),
          length,
          repeats);
      data += length * repeats * elementSize;
    }
  }

  /** Moves the answer to {@link #ask} into memory; where the next answer begins. */
  static long take(
      MemorySegment answer,
      long at,
      ChunkPiece piece,
      ElementTransfer transfer,
      ElementMover mover) {
    int fileSize = mover.sourceSize();
    int memorySize = mover.targetSize();
    RunPairs pairs = piece.pairs(transfer.memorySelection(), transfer.memoryExtent());
    long data = at;
    while (pairs.nextGroup()) {
      mover.move(
          answer,
          new Steps(data, pairs.length() * fileSize),
          transfer.memory(),
          new Steps(pairs.memoryOffset() * memorySize, pairs.memoryStride() * memorySize),
          pairs.length(),
          pairs.repeats());
      data += pairs.length() * pairs.repeats() * fileSize;
    }
    return data;
  }

  /** Moves a piece from its chunk into memory, without a message between. */
  static void read(
      ChunkPiece piece, ElementTransfer transfer, ElementMover mover, MemorySegment chunk) {
    int fileSize = mover.sourceSize();
    int memorySize = mover.targetSize();
    RunPairs pairs = piece.pairs(transfer.memorySelection(), transfer.memoryExtent());
    while (pairs.nextGroup()) {
      mover.move(
          chunk,
          new Steps(pairs.fileOffset() * fileSize, pairs.fileStride() * fileSize),
          transfer.memory(),
          new Steps(pairs.memoryOffset() * memorySize, pairs.memoryStride() * memorySize),
          pairs.length(),
          pairs.repeats());
    }
  }

  /** Moves a piece from memory into its chunk, without a message between. */
  static void move(
      ChunkPiece piece, ElementTransfer transfer, ElementMover mover, MemorySegment chunk) {
    int fileSize = mover.targetSize();
    int memorySize = mover.sourceSize();
    RunPairs pairs = piece.pairs(transfer.memorySelection(), transfer.memoryExtent());
    while (pairs.nextGroup()) {
      mover.move(
          transfer.memory(),
          new Steps(pairs.memoryOffset() * memorySize, pairs.memoryStride() * memorySize),
          chunk,
          new Steps(pairs.fileOffset() * fileSize, pairs.fileStride() * fileSize),
          pairs.length(),
          pairs.repeats());
    }
  }

  /** Marks the elements of a piece. */
  static void mark(ChunkPiece piece, BitSet covered) {
    var runs = piece.runs();
    while (runs.next()) {
      covered.set((int) runs.offset(), (int) (runs.offset() + runs.length()));
    }
  }
}
