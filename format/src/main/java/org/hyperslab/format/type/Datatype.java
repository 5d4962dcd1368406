package org.hyperslab.format.type;

/**
 * A datatype: the meaning of an element's bits. There is one record for each HDF5 datatype class.
 *
 * <p>A datatype has a layout: sizes and offsets in bytes. Variable-length values and references
 * have different sizes in a file and in memory, so such a type has a file form, which depends on
 * the file's size of offsets, and a memory form. {@link #inMemory()} and {@link #forFile(int)}
 * convert between them; for all other types they return the same object. Predefined and constructed
 * types have the form of a file with eight-byte offsets.
 *
 * <p>Memory form: an object reference is an eight-byte address. Variable-length sequences and
 * strings, region references and revised references are a {@value VlenHeap#SLOT_BYTES}-byte slot
 * into a {@link VlenHeap}.
 *
 * <p>Types are equal if all components are, including offsets and sizes. Thread rule: immutable.
 *
 * <p>Source: HDF5 File Format Specification, section IV.A.2.d.
 */
public sealed interface Datatype
    permits IntegerType,
        FloatType,
        TimeType,
        StringType,
        BitfieldType,
        OpaqueType,
        CompoundType,
        ReferenceType,
        EnumType,
        VlenType,
        VlenStringType,
        ArrayType,
        ComplexType {

  /** {@return the size of an element in this form of the type in bytes, at least 1} */
  int size();

  /** {@return the number of its class in the datatype message: 0 (fixed-point) to 11 (complex)} */
  int classNumber();

  /** {@return whether an element, or any part of it, stores its value in a heap} */
  boolean hasOutOfLineParts();

  /**
   * {@return a short description for messages, such as {@code compound{id: int32le, x: float64le}}}
   */
  String describe();

  /**
   * {@return the memory form} Members of a compound type move only if a member before them changes
   * its size; gaps between members are kept.
   */
  default Datatype inMemory() {
    return TypeForm.memory().apply(this);
  }

  /**
   * {@return the form that a file with these sizes stores; idempotent}
   *
   * @param sizeOfOffsets the bytes of an address in the file: 2, 4 or 8
   */
  default Datatype forFile(int sizeOfOffsets) {
    return TypeForm.file(sizeOfOffsets).apply(this);
  }

  /** {@return the size of an element in the memory form in bytes} */
  default int memorySize() {
    return inMemory().size();
  }
}
