package org.hyperslab.format.type;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.format.io.NameBytes;

/**
 * The out-of-line values of elements in memory: bytes that are appended, identified by their
 * offset, and never moved or freed individually.
 *
 * <p>A slot in an element refers to a value:
 *
 * <pre>
 *   0                8                16
 *   +----------------+----------------+
 *   | count, u64 LE  | offset, u64 LE |   offset -1: nothing (a null string or reference)
 *   +----------------+----------------+
 * </pre>
 *
 * <p>The count is in elements for sequences, and in bytes for strings and references. Offsets are
 * contiguous: the concatenation of {@link #blocks()} is the address space 0 to {@link #size()}, so
 * that {@link #of(MemorySegment)} over a copy of it reads the same values elsewhere.
 *
 * <p>{@link #clear()} keeps blocks for reuse. A limit bounds the content of a heap, so that a file
 * in which many elements share one large value cannot exhaust memory.
 *
 * <p>Thread rule: one writer and no readers, or any number of readers.
 */
public final class VlenHeap implements VlenAccess {

  /** The size of a slot in bytes. */
  public static final int SLOT_BYTES = 16;

  /** The offset in a slot without a value. */
  public static final long NO_OFFSET = -1;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int FIRST_BLOCK_BYTES = 4096;
  private static final int LARGEST_BLOCK_BYTES = 4 << 20;
  private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]).asReadOnly();

  private static final VlenHeap NONE = new VlenHeap(0);

  private final long limitBytes;
  private final List<MemorySegment> blocks = new ArrayList<>();
  private long[] starts = new long[4];
  private int current = -1;
  private long size;
  private boolean exhausted;

  /** Creates an empty heap that may grow to three quarters of the JVM's maximum memory. */
  public VlenHeap() {
    this(Runtime.getRuntime().maxMemory() / 4 * 3);
  }

  /**
   * Creates an empty heap that may grow to {@code limitBytes}.
   *
   * @param limitBytes the largest size in bytes
   */
  public VlenHeap(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** {@return the heap for types without out-of-line parts: empty, and refusing values} */
  public static VlenHeap none() {
    return NONE;
  }

  /**
   * {@return a heap with the given contents, bytes 0 to the segment's size, which refuses further
   * values}
   *
   * @param contents the bytes of a heap
   */
  public static VlenHeap of(MemorySegment contents) {
    VlenHeap heap = new VlenHeap(0);
    if (contents.byteSize() > 0) {
      heap.blocks.add(contents);
      heap.current = 0;
      heap.size = contents.byteSize();
    }
    return heap;
  }

  /** {@return the number of bytes stored} */
  public long size() {
    return size;
  }

  /** {@return whether a value was refused because the heap would have exceeded its limit} */
  public boolean isExhausted() {
    return exhausted;
  }

  /** {@return the contents in order: the used part of every block, not copied} */
  public List<MemorySegment> blocks() {
    List<MemorySegment> used = new ArrayList<>();
    for (int i = 0; i <= current; i++) {
      long end = i == current ? size : starts[i + 1];
      used.add(blocks.get(i).asSlice(0, end - starts[i]));
    }
    return used;
  }

  /** Removes all values and keeps the blocks; existing slots into this heap become invalid. */
  public void clear() {
    current = -1;
    size = 0;
  }

  /**
   * Copies bytes to the end of the heap.
   *
   * @param bytes the bytes
   * @return the offset of the bytes in the heap
   */
  public long append(MemorySegment bytes) {
    long offset = reserve(bytes.byteSize());
    MemorySegment.copy(bytes, 0, blocks.get(current), offset - starts[current], bytes.byteSize());
    return offset;
  }

  /**
   * Reserves {@code bytes} bytes, to be filled through {@link #slice}, and returns their offset.
   * The content is undefined: reused blocks are not cleared.
   *
   * @param bytes the number of bytes
   * @return the offset of the reserved bytes
   */
  public long reserve(long bytes) {
    if (bytes > limitBytes - size) {
      exhausted = true;
      throw new LimitExceededException(
          "heap of variable-length values: actual="
              + size
              + "+"
              + bytes
              + " bytes, expected<="
              + limitBytes
              + "; transfer fewer elements at a time or give the heap a higher limit");
    }
    if (current < 0 || bytes > blocks.get(current).byteSize() - (size - starts[current])) {
      nextBlock(bytes);
    }
    long offset = size;
    size += bytes;
    return offset;
  }

  private void nextBlock(long bytes) {
    int next = current + 1;
    if (next == blocks.size()) {
      blocks.add(newBlock(next, bytes));
    } else if (blocks.get(next).byteSize() < bytes) {
      blocks.set(next, newBlock(next, bytes));
    }
    if (next == starts.length) {
      starts = Arrays.copyOf(starts, 2 * starts.length);
    }
    starts[next] = size;
    current = next;
  }

  private static MemorySegment newBlock(int index, long bytes) {
    int doubled = FIRST_BLOCK_BYTES << Math.min(index, 10);
    long capacity = Math.max(bytes, Math.min(doubled, LARGEST_BLOCK_BYTES));
    if (capacity > Integer.MAX_VALUE - 8) {
      throw new InvalidUseException(
          "variable-length value: actual=" + bytes + " bytes, expected<=2147483639");
    }
    return MemorySegment.ofArray(new byte[(int) capacity]);
  }

  /**
   * {@return the bytes at an offset; they must have been stored as one value}
   *
   * @param offset the offset of the first byte
   * @param bytes the number of bytes
   */
  public MemorySegment slice(long offset, long bytes) {
    if (bytes == 0) {
      return EMPTY;
    }
    if (offset < 0 || bytes < 0 || offset >= size || bytes > size - offset) {
      throw new InvalidUseException(
          "slot: actual offset="
              + offset
              + " bytes="
              + bytes
              + ", expected=inside 0.."
              + size
              + "; the elements and the heap do not belong together");
    }
    int block = Arrays.binarySearch(starts, 0, current + 1, offset);
    if (block < 0) {
      block = -block - 2;
    }
    long at = offset - starts[block];
    if (bytes > blocks.get(block).byteSize() - at) {
      throw new InvalidUseException(
          "slot: actual offset=" + offset + " bytes=" + bytes + ", expected=one stored value");
    }
    return blocks.get(block).asSlice(at, bytes);
  }

  /**
   * {@return the count in a slot}
   *
   * @param slots the memory that holds the slots
   * @param at the byte offset of the element
   */
  public static long count(MemorySegment slots, long at) {
    return slots.get(WORD, at);
  }

  /**
   * {@return whether a slot is empty}
   *
   * @param slots the memory that holds the slots
   * @param at the byte offset of the element
   */
  public static boolean isNull(MemorySegment slots, long at) {
    return slots.get(WORD, at + 8) == NO_OFFSET;
  }

  /**
   * Sets a slot.
   *
   * @param slots the memory that holds the slots
   * @param at the byte offset of the element
   * @param count the number of elements
   * @param offset the offset of the first byte
   */
  public static void setSlot(MemorySegment slots, long at, long count, long offset) {
    slots.set(WORD, at, count);
    slots.set(WORD, at + 8, offset);
  }

  @Override
  public MemorySegment readSequence(MemorySegment slots, long at, int elementSize) {
    long offset = slots.get(WORD, at + 8);
    if (offset == NO_OFFSET) {
      return null;
    }
    long count = slots.get(WORD, at);
    if (count < 0 || count > Long.MAX_VALUE / elementSize) {
      throw new InvalidUseException("slot: actual count=" + count + ", expected>=0");
    }
    return slice(offset, count * elementSize);
  }

  @Override
  public void writeSequence(MemorySegment slots, long at, MemorySegment elements, int elementSize) {
    if (elements == null) {
      setSlot(slots, at, 0, NO_OFFSET);
    } else if (elements.byteSize() == 0) {
      setSlot(slots, at, 0, 0);
    } else {
      setSlot(slots, at, elements.byteSize() / elementSize, append(elements));
    }
  }

  @Override
  public MemorySegment readReference(MemorySegment slots, long at, ReferenceKind kind) {
    MemorySegment payload = readSequence(slots, at, 1);
    return payload == null || payload.byteSize() == 0 ? null : payload;
  }

  @Override
  public void writeReference(
      MemorySegment slots, long at, MemorySegment payload, ReferenceKind kind) {
    writeSequence(slots, at, payload, 1);
  }

  /**
   * Stores text as UTF-8 ({@link NameBytes}) without a terminator, or null as a null string, and
   * sets the slot.
   *
   * @param slots the memory that holds the slots
   * @param at the byte offset of the element
   * @param text the text
   */
  public void putString(MemorySegment slots, long at, String text) {
    writeSequence(
        slots, at, text == null ? null : MemorySegment.ofArray(NameBytes.encode(text)), 1);
  }

  /**
   * {@return the text that a slot refers to, read as UTF-8 ({@link NameBytes}); null for a null
   * string}
   *
   * @param slots the memory that holds the slots
   * @param at the byte offset of the element
   */
  public String getString(MemorySegment slots, long at) {
    MemorySegment bytes = readSequence(slots, at, 1);
    return bytes == null ? null : text(bytes);
  }

  /** Returns the text up to the first NUL. */
  static String text(MemorySegment bytes) {
    byte[] copy = bytes.toArray(ValueLayout.JAVA_BYTE);
    int length = 0;
    while (length < copy.length && copy[length] != 0) {
      length++;
    }
    return NameBytes.decode(copy, 0, length);
  }
}
