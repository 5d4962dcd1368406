package org.hyperslab.plugins.libhdf5.translate;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * Makes libhdf5's types of their parts. {@code H5Tdecode} leaves references in sequences without a
 * location, so that programs do not find them equal to {@code H5T_STD_REF_OBJ}; types with such
 * sequences are made here, of parts that are decoded.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
final class TypeAssembly {

  /** The datatype class {@code H5T_COMPOUND}. */
  private static final int COMPOUND = 6;

  private final Hdf5Calls hdf5;
  private final ToLongFunction<Datatype> parts;

  /**
   * Creates the assembly.
   *
   * @param parts returns an identifier of a type, which this class closes
   */
  TypeAssembly(Hdf5Calls hdf5, ToLongFunction<Datatype> parts) {
    this.hdf5 = hdf5;
    this.parts = parts;
  }

  /** Returns whether a type has a sequence of references. */
  static boolean isNeeded(Datatype type) {
    return switch (type) {
      case VlenType vlen -> vlen.base() instanceof ReferenceType || isNeeded(vlen.base());
      case ArrayType array -> isNeeded(array.base());
      case CompoundType compound ->
          compound.members().stream().anyMatch(member -> isNeeded(member.type()));
      default -> false;
    };
  }

  /** Makes a type and returns its identifier, which the caller owns. */
  long create(Datatype type) {
    return switch (type) {
      case VlenType vlen -> of(vlen.base(), base -> hdf5.id(Hdf5Function.T_CREATE_VLEN, base));
      case ArrayType array -> of(array.base(), base -> array(array, base));
      case CompoundType compound -> compound(compound);
      default ->
          throw new InvalidUseException(
              "type to assemble: actual=" + type.describe() + ", expected=one with parts");
    };
  }

  private long of(Datatype base, ToLongFunction<Long> made) {
    long id = parts.applyAsLong(base);
    try {
      return made.applyAsLong(id);
    } finally {
      hdf5.call(Hdf5Function.T_CLOSE, id);
    }
  }

  private long array(ArrayType type, long base) {
    List<Integer> dimensions = type.dimensions();
    long out = hdf5.scratch().address();
    for (int i = 0; i < dimensions.size(); i++) {
      RawMemory.setLong(out + 8L * i, dimensions.get(i));
    }
    return hdf5.id(Hdf5Function.T_CREATE_ARRAY, base, dimensions.size(), out);
  }

  /** A member and its type in memory, which may have another size than the stored one. */
  private record Part(CompoundType.Member member, long id, long bytes) {}

  private long compound(CompoundType type) {
    List<CompoundType.Member> ordered = new ArrayList<>(type.members());
    ordered.sort(Comparator.comparingInt(CompoundType.Member::offset));
    List<Part> made = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      long growth = 0;
      for (CompoundType.Member member : ordered) {
        long id = parts.applyAsLong(member.type());
        long bytes = hdf5.call(Hdf5Function.T_GET_SIZE, id);
        made.add(new Part(member, id, bytes));
        growth += bytes - member.type().size();
      }
      long id = hdf5.id(Hdf5Function.T_CREATE, COMPOUND, type.size() + growth);
      long moved = 0;
      for (Part part : made) {
        long name = RawMemory.name(part.member.name(), arena).address();
        hdf5.checked(Hdf5Function.T_INSERT, id, name, part.member.offset() + moved, part.id);
        moved += part.bytes - part.member.type().size();
      }
      return id;
    } finally {
      made.forEach(part -> hdf5.call(Hdf5Function.T_CLOSE, part.id));
    }
  }
}
