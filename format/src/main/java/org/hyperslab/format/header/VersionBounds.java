package org.hyperslab.format.header;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenType;

/**
 * The generations of the format that bound the encodings of objects added to a file. What the newer
 * bound cannot hold is written in a form that it can, where there is one, and refused where there
 * is none.
 *
 * <p>{@link LibraryVersion#EARLIEST} as the newer bound means {@link LibraryVersion#V18}, for which
 * every structure without an older form has one.
 *
 * <p>Thread rule: immutable.
 *
 * @param low the generation of structures, unless something needs a newer one
 * @param high the newest generation that readers are known to have
 */
public record VersionBounds(LibraryVersion low, LibraryVersion high) {

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int POINTS = 1;
  private static final int HYPERSLAB = 2;

  /**
   * Requires that a structure may be added.
   *
   * @param structure the structure to be added, for the error
   * @param since the generation that introduced it
   * @throws InvalidUseException if readers at the newer bound do not know it
   */
  public void require(String structure, LibraryVersion since) {
    if (since != LibraryVersion.V18 && !high.atLeast(since)) {
      throw new InvalidUseException(
          "version bounds: actual="
              + structure
              + ", which needs "
              + since
              + ", expected=what the upper bound "
              + high
              + " can hold; open or create the file withBounds("
              + low
              + ", "
              + since
              + ") or newer");
    }
  }

  /**
   * {@return the type in which elements of a type are written: complex numbers become the compound
   * {r, i} of h5py before 2.0, revised references the old ones before 1.12}
   *
   * @param type any type, in memory's or a file's form; references keep their size, so that the
   *     form must be made anew
   * @throws InvalidUseException if the type has no form that the newer bound can hold
   */
  public Datatype written(Datatype type) {
    if (high.atLeast(LibraryVersion.V200)) {
      return type;
    }
    return switch (type) {
      case ComplexType complex -> pair(complex);
      case ReferenceType reference -> reference(reference);
      case ArrayType array -> {
        Datatype base = written(array.base());
        yield base.equals(array.base()) ? array : new ArrayType(array.dimensions(), base);
      }
      case VlenType vlen -> {
        Datatype base = written(vlen.base());
        yield base.equals(vlen.base()) ? vlen : new VlenType(vlen.size(), base);
      }
      case CompoundType compound -> compound(compound);
      default -> type;
    };
  }

  private static CompoundType pair(ComplexType complex) {
    return CompoundType.builder().member("r", complex.base()).member("i", complex.base()).build();
  }

  private ReferenceType reference(ReferenceType type) {
    if (!type.kind().revised() || high.atLeast(LibraryVersion.V112)) {
      return type;
    }
    if (type.kind() == ReferenceKind.ATTRIBUTE) {
      require("a reference to an attribute", LibraryVersion.V112);
    }
    boolean region = type.kind() == ReferenceKind.REGION2;
    return new ReferenceType(type.size(), region ? ReferenceKind.REGION : ReferenceKind.OBJECT);
  }

  private CompoundType compound(CompoundType type) {
    List<CompoundType.Member> members = new ArrayList<>();
    for (CompoundType.Member member : type.members()) {
      members.add(new CompoundType.Member(member.name(), member.offset(), written(member.type())));
    }
    return members.equals(type.members()) ? type : new CompoundType(type.size(), members);
  }

  /**
   * Requires that an encoded selection may be added: indexes beyond 32 bits and many blocks take
   * encodings that came later.
   *
   * @param selection the selection as HDF5 encodes it; one too short to have a version is let pass
   * @throws InvalidUseException if readers at the newer bound do not know the encoding
   */
  public void requireSelection(MemorySegment selection) {
    if (selection.byteSize() < 8) {
      return;
    }
    int type = selection.get(U32, 0);
    int version = selection.get(U32, 4);
    String structure = "selection of type " + type + " in encoding version " + version;
    if ((type == POINTS && version >= 2) || (type == HYPERSLAB && version >= 3)) {
      require(structure, LibraryVersion.V112);
    } else if (type == HYPERSLAB && version == 2) {
      require(structure, LibraryVersion.V110);
    }
  }
}
