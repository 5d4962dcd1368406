package org.hyperslab.format.type;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The sizes of variable-length values and references in memory or in a file, and the conversion of
 * a type to these sizes.
 *
 * @param vlen the size of a variable-length value in bytes
 * @param object the size of an old object reference in bytes
 * @param region the size of an old region reference in bytes
 * @param revised the size of a revised reference in bytes
 */
record TypeForm(int vlen, int object, int region, int revised) {

  private static final int MAX_ADDRESS_BYTES = 8;

  private static final TypeForm MEMORY =
      new TypeForm(VlenHeap.SLOT_BYTES, 8, VlenHeap.SLOT_BYTES, VlenHeap.SLOT_BYTES);

  /** The size of references that keep theirs. */
  private static final int UNCHANGED = -1;

  static TypeForm memory() {
    return MEMORY;
  }

  /**
   * Returns the form in a file. A value has a length, a global heap address and an index; revised
   * references begin with type and flags. Old references have room for addresses of eight bytes in
   * every file, as HDF5 up to 1.10 writes and requires.
   */
  static TypeForm file(int address) {
    return new TypeForm(
        4 + address + 4, MAX_ADDRESS_BYTES, MAX_ADDRESS_BYTES + 4, 2 + 4 + address + 4);
  }

  /** Returns the form in a file of variable-length values; references keep the sizes they have. */
  static TypeForm vlenInFile(int address) {
    return new TypeForm(file(address).vlen, UNCHANGED, UNCHANGED, UNCHANGED);
  }

  /** Returns the type in this form; the same object if nothing changes. */
  Datatype apply(Datatype type) {
    return switch (type) {
      case IntegerType t -> t;
      case FloatType t -> t;
      case TimeType t -> t;
      case StringType t -> t;
      case BitfieldType t -> t;
      case OpaqueType t -> t;
      case EnumType t -> t;
      case ComplexType t -> t;
      case ReferenceType t -> reference(t);
      case VlenStringType t ->
          t.size() == vlen ? t : new VlenStringType(vlen, t.padding(), t.charset(), t.base());
      case VlenType t -> {
        Datatype sized = apply(t.base());
        Datatype base = revised == UNCHANGED ? sized : VlenType.statedBase(sized);
        yield base.equals(t.base()) && t.size() == vlen ? t : new VlenType(vlen, base);
      }
      case ArrayType t -> {
        Datatype base = apply(t.base());
        yield base.equals(t.base()) ? t : new ArrayType(t.dimensions(), base);
      }
      case CompoundType t -> compound(t);
    };
  }

  private ReferenceType reference(ReferenceType type) {
    int size =
        switch (type.kind()) {
          case OBJECT -> object;
          case REGION -> region;
          case OBJECT2, REGION2, ATTRIBUTE -> revised;
        };
    return size == UNCHANGED || size == type.size() ? type : new ReferenceType(size, type.kind());
  }

  /** Shifts each member by the growth of the members before it, in the order of offsets. */
  private CompoundType compound(CompoundType type) {
    List<CompoundType.Member> members = new ArrayList<>(type.members());
    List<Integer> byOffset = new ArrayList<>();
    boolean same = true;
    for (int i = 0; i < members.size(); i++) {
      CompoundType.Member member = members.get(i);
      Datatype moved = apply(member.type());
      same &= moved.equals(member.type());
      byOffset.add(i);
      members.set(i, new CompoundType.Member(member.name(), member.offset(), moved));
    }
    if (same) {
      return type;
    }
    byOffset.sort(Comparator.comparingInt(i -> type.members().get(i).offset()));
    int shift = 0;
    for (int i : byOffset) {
      CompoundType.Member old = type.members().get(i);
      CompoundType.Member sized = members.get(i);
      members.set(
          i, new CompoundType.Member(old.name(), Math.addExact(old.offset(), shift), sized.type()));
      shift = Math.addExact(shift, sized.type().size() - old.type().size());
    }
    return new CompoundType(Math.addExact(type.size(), shift), members);
  }
}
