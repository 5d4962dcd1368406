package org.hyperslab;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.value.OutOfRange;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Elements in memory: their type, their shape, a selection of them, and the bytes.
 *
 * <p>{@code Memory.of(array, 10, 20).select(Selection.box(...))} reads into or writes from part of
 * an array of the caller, without copying it.
 *
 * <p>A Memory names the type in memory explicitly, and is converted as by the C library: numbers
 * out of range are clamped, or become infinite in floating point.
 *
 * @param type the type of the elements
 * @param space the shape; elements lie in row-major order from the first byte of the data
 * @param selection the elements that are read or written
 * @param data the elements, in the type's memory form
 */
public record Memory(Datatype type, Dataspace space, Selection selection, DataBuffer data) {

  /** Checks that the data is large enough for the shape. */
  public Memory {
    long needed = Math.multiplyExact(space.elementCount(), (long) type.memorySize());
    if (data.elements().byteSize() < needed) {
      throw new InvalidUseException(
          "memory: actual="
              + data.elements().byteSize()
              + " bytes, expected="
              + needed
              + " bytes for "
              + space
              + " of "
              + type.describe());
    }
  }

  /**
   * {@return a Java value with the type and shape that follow from it} Flat arrays of byte, short,
   * int, long, float and double are used in place; other values are encoded.
   *
   * @param value the Java value
   * @throws InvalidUseException if the value's class has no datatype, or nested arrays are ragged
   */
  public static Memory of(Object value) {
    return value instanceof Memory memory
        ? memory.requireAccessible()
        : Values.encode(value, null, OutOfRange.REFUSE);
  }

  /**
   * {@return a flat array of numbers, used in place, with a shape}
   *
   * @param flatArray an array of one dimension
   * @param shape the shape in elements, slowest dimension first
   */
  public static Memory of(Object flatArray, long... shape) {
    return Values.encode(flatArray, null, OutOfRange.REFUSE).shaped(shape);
  }

  /**
   * {@return a Java value as memory for elements that are stored with a type: numbers keep their
   * Java type and are converted during the transfer, other values are encoded as that type} A
   * segment holds elements of the type's memory form; a ByteBuffer does too, with every number in
   * its {@code order()}; other buffers hold numbers of their Java type in their {@code order()}.
   *
   * @param value the Java value
   * @param stored the stored datatype
   * @throws InvalidUseException if a number is out of the stored type's range, or the value cannot
   *     become that type
   */
  public static Memory of(Object value, Datatype stored) {
    return of(value, stored, OutOfRange.REFUSE);
  }

  static Memory of(Object value, Datatype stored, OutOfRange rule) {
    return switch (value) {
      case Memory memory -> memory.requireAccessible();
      case MemorySegment segment -> flat(segment, stored);
      case null, default -> Values.encode(value, stored, rule);
    };
  }

  /**
   * {@return memory for the elements in a segment, which has them in memory form and row-major
   * order}
   *
   * @param elements the elements
   * @param type the datatype
   * @param shape the shape in elements, slowest dimension first
   */
  public static Memory of(MemorySegment elements, Datatype type, long... shape) {
    return new Memory(type, Dataspace.simple(shape), Selection.all(), DataBuffer.of(elements));
  }

  /**
   * {@return room for elements of a type on the Java heap}
   *
   * @param type the datatype
   * @param shape the shape in elements, slowest dimension first
   */
  public static Memory allocate(Datatype type, long... shape) {
    return allocate(type, Dataspace.simple(shape));
  }

  static Memory allocate(Datatype type, Dataspace space) {
    return new Memory(
        type, space, Selection.all(), DataBuffer.allocate(type, space.elementCount()));
  }

  /** Returns room for elements, outside the Java heap if they do not fit an array. */
  static Memory room(Datatype type, Dataspace space) {
    long bytes = Math.multiplyExact(space.elementCount(), (long) type.memorySize());
    if (bytes <= Integer.MAX_VALUE - 8) {
      return allocate(type, space);
    }
    MemorySegment outside = Arena.ofAuto().allocate(bytes, 8);
    return new Memory(type, space, Selection.all(), DataBuffer.of(outside));
  }

  /** Returns these elements with the heap to which their parts of variable length refer. */
  Memory heap(VlenHeap heap) {
    return new Memory(type, space, selection, new DataBuffer(data.elements(), heap));
  }

  /** Creates memory in one dimension for all elements in a segment, which must hold whole ones. */
  static Memory flat(MemorySegment segment, Datatype type) {
    long count = segment.byteSize() / type.memorySize();
    if (segment.byteSize() % type.memorySize() != 0) {
      throw new InvalidUseException(
          "MemorySegment: actual="
              + segment.byteSize()
              + " bytes, expected=a multiple of "
              + type.memorySize()
              + " for elements of "
              + type.describe());
    }
    DataBuffer data =
        new DataBuffer(segment, type.hasOutOfLineParts() ? new VlenHeap() : VlenHeap.none());
    return new Memory(type, Dataspace.simple(count), Selection.all(), data).requireAccessible();
  }

  /**
   * Returns this if the calling thread can access it.
   *
   * @throws InvalidUseException if its arena is closed, or confined to another thread
   */
  Memory requireAccessible() {
    MemorySegment elements = data.elements();
    boolean open = elements.scope().isAlive();
    if (!open || !elements.isAccessibleBy(Thread.currentThread())) {
      throw new InvalidUseException(
          "memory: actual=a segment of "
              + (open ? "an arena of another thread" : "a closed arena")
              + ", expected=memory that the calling thread can access until the call has ended");
    }
    return this;
  }

  /**
   * {@return these elements in another shape with the same number of elements}
   *
   * @param shape the shape in elements, slowest dimension first
   */
  public Memory shaped(long... shape) {
    Dataspace newSpace = Dataspace.simple(shape);
    if (newSpace.elementCount() != space.elementCount()) {
      throw new InvalidUseException(
          "shape in memory: actual="
              + Arrays.toString(shape)
              + ", expected="
              + space.elementCount()
              + " elements in total");
    }
    return new Memory(type, newSpace, Selection.all(), data);
  }

  /**
   * {@return these elements with another selection}
   *
   * @param newSelection the elements that are meant
   */
  public Memory select(Selection newSelection) {
    return new Memory(type, space, newSelection, data);
  }

  /** {@return how many elements are selected} */
  public long selectedCount() {
    return selection.elementCount(space.dims());
  }

  /** Returns these elements with another type of the same size in memory. */
  Memory as(Datatype other) {
    return new Memory(other, space, selection, data);
  }

  /** Rejects memory that is read-only. */
  void requireWritable() {
    requireAccessible();
    if (data.elements().isReadOnly()) {
      throw Values.readOnly("MemorySegment");
    }
  }

  /** Returns whether all elements are selected. */
  boolean isWhole() {
    return selection == Selection.all();
  }

  Transfer transfer(Selection fileSelection, TransferOptions options) {
    return new Transfer(type.inMemory(), space, selection, fileSelection, options);
  }

  /** Rejects memory with a partial selection. */
  void checkWhole(String what, long count) {
    requireAccessible();
    if (!isWhole() || space.elementCount() != count) {
      throw new InvalidUseException(
          what
              + ": actual="
              + selectedCount()
              + " selected of "
              + space
              + " in memory, expected="
              + count
              + " elements, all selected");
    }
  }
}
