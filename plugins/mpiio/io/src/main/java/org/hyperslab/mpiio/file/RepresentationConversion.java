package org.hyperslab.mpiio.file;

import java.lang.foreign.MemorySegment;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.ElementaryType;
import org.hyperslab.mpiio.datatype.Signature;
import org.hyperslab.mpiio.datatype.TypeConstructor;

/**
 * Converts the packed bytes of a signature between memory and file.
 *
 * @param signature the elementary types of the bytes, in order
 * @param representation their representation in the file
 */
public record RepresentationConversion(Signature signature, DataRepresentation representation) {

  /** {@return the bytes of the whole signature in the file} */
  public long fileBytes() {
    return signature.bytes(representation::fileBytes);
  }

  /**
   * Converts the whole signature for the file.
   *
   * @param memory at least {@code signature().bytes()} bytes, packed
   * @param file at least {@link #fileBytes} bytes, to be filled
   */
  public void toFile(MemorySegment memory, MemorySegment file) {
    Walk walk = new Walk(memory, file, fileBytes(), true);
    signature.forEach(walk);
  }

  /**
   * Converts the whole elements in the first bytes of the file side.
   *
   * @param file the bytes in the file
   * @param fileBytes the size of the file, in bytes
   * @param memory the packed bytes in memory
   * @return the bytes of memory that were filled
   */
  public long fromFile(MemorySegment file, long fileBytes, MemorySegment memory) {
    Walk walk = new Walk(memory, file, fileBytes, false);
    signature.forEach(walk);
    return walk.memoryAt;
  }

  /**
   * {@return a type with the sizes of its elementary types in files}
   *
   * @param type the datatype
   * @param representation the representation of elements in the file
   */
  public static DerivedType inFile(DerivedType type, DataRepresentation representation) {
    if (representation.verbatim() || keepsSizes(type.signature(), representation)) {
      return type;
    }
    return switch (type.constructor()) {
      case TypeConstructor.Basic b ->
          DerivedType.of(b.elementary(), representation.fileBytes(b.elementary()));
      case TypeConstructor.Contiguous c ->
          DerivedType.contiguous(c.count(), inFile(c.of(), representation));
      case TypeConstructor.Vector v ->
          DerivedType.vector(
              v.count(), v.blockLength(), v.stride(), inFile(v.of(), representation));
      case TypeConstructor.HVector v ->
          DerivedType.hvector(
              v.count(), v.blockLength(), v.strideBytes(), inFile(v.of(), representation));
      case TypeConstructor.Indexed i ->
          DerivedType.indexed(i.blockLengths(), i.displacements(), inFile(i.of(), representation));
      case TypeConstructor.HIndexed i ->
          DerivedType.hindexed(
              i.blockLengths(), i.displacementsBytes(), inFile(i.of(), representation));
      case TypeConstructor.IndexedBlock i ->
          DerivedType.indexedBlock(
              i.blockLength(), i.displacements(), inFile(i.of(), representation));
      case TypeConstructor.HIndexedBlock i ->
          DerivedType.hindexedBlock(
              i.blockLength(), i.displacementsBytes(), inFile(i.of(), representation));
      case TypeConstructor.Struct s ->
          DerivedType.struct(
              s.blockLengths(),
              s.displacementsBytes(),
              s.of().stream().map(member -> inFile(member, representation)).toList());
      case TypeConstructor.Subarray s ->
          DerivedType.subarray(
              s.sizes(), s.subsizes(), s.starts(), s.order(), inFile(s.of(), representation));
      case TypeConstructor.Darray d ->
          DerivedType.darray(
              d.place(), d.sizes(), d.distributions(), inFile(d.of(), representation));
      case TypeConstructor.Resized r ->
          DerivedType.resized(r.lowerBoundBytes(), r.extentBytes(), inFile(r.of(), representation));
    };
  }

  private static boolean keepsSizes(Signature signature, DataRepresentation representation) {
    return switch (signature) {
      case Signature.Uniform u -> representation.fileBytes(u.type()) == u.type().bytes();
      case Signature.Times t -> keepsSizes(t.part(), representation);
      case Signature.Sequence s -> s.parts().stream().allMatch(p -> keepsSizes(p, representation));
    };
  }

  /** Goes through the elements of both sides. */
  private final class Walk implements Signature.RunConsumer {
    private final MemorySegment memory;
    private final MemorySegment file;
    private final long fileEnd;
    private final boolean out;
    private long memoryAt;
    private long fileAt;

    Walk(MemorySegment memory, MemorySegment file, long fileEnd, boolean out) {
      this.memory = memory;
      this.file = file;
      this.fileEnd = fileEnd;
      this.out = out;
    }

    @Override
    public void accept(ElementaryType type, long count) {
      long each = representation.fileBytes(type);
      long fitting = Math.min(count, (fileEnd - fileAt) / each);
      MemorySegment inMemory = memory.asSlice(memoryAt, fitting * type.bytes());
      MemorySegment inFile = file.asSlice(fileAt, fitting * each);
      if (out) {
        representation.toFile(type, fitting, inMemory, inFile);
      } else {
        representation.fromFile(type, fitting, inFile, inMemory);
      }
      memoryAt += fitting * type.bytes();
      fileAt = fitting < count ? fileEnd : fileAt + fitting * each;
    }
  }
}
