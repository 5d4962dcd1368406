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
 * The generations of the format that bound the encodings of objects added to a file. A structure
 * that is newer than the upper bound is written in an older form if there is one, and refused
 * otherwise.
 *
 * <p>{@link LibraryVersion#EARLIEST} as the upper bound means {@link LibraryVersion#V18}, in which
 * every structure has a form unless it was introduced later.
 *
 * <p>Thread rule: immutable.
 *
 * @param low the generation of added structures, unless one needs a newer generation
 * @param high the newest generation that readers are known to support
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
   * @throws InvalidUseException if readers at the upper bound do not support it
   */
  public void require(String structure, LibraryVersion since) {
    if (since != LibraryVersion.V18 && !high.atLeast(since)) {
      throw new InvalidUseException(
          "version bounds: actual="
              + structure
              + ", which needs "
              + since
              + ", expected=a structure that the upper bound "
              + high
              + " allows; open or create the file withBounds("
              + low
              + ", "
              + since
              + ") or newer");
    }
  }

  /**
   * {@return the type in which elements of a type are stored: complex numbers may become the
   * compound {r, i} of h5py before 2.0, revised references the old ones of releases before 1.12}
   *
   * @param type any type, in memory or file form; references keep their size, so the caller must
   *     derive the form again
   * @throws InvalidUseException if the type has no form that the upper bound permits
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
   * Requires that an encoded selection may be added: indexes beyond 32 bits and large numbers of
   * blocks need newer encodings.
   *
   * @param selection the selection in HDF5's encoding; one that is too short to have a version is
   *     accepted
   * @throws InvalidUseException if readers at the upper bound do not support the encoding
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
