package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A datatype in the model's form, independent of this project and of the C library. Offsets and
 * sizes of compounds with out-of-line parts differ between memory and file; they are 0 here, which
 * means packed.
 *
 * <p>Values of elements are trees: the hexadecimal text of the bytes for simple elements, text for
 * variable-length strings, lists for compounds, arrays and sequences, and for references null or a
 * list of the kind ("obj", "reg" or "attr"), the path, and the {@link SelectionSpec} or the
 * attribute's name.
 */
sealed interface TypeSpec {

  /** Returns the tree that the script of the C library accepts. */
  List<Object> tree();

  /** Returns whether elements have out-of-line bytes, or are references. */
  default boolean outOfLine() {
    return false;
  }

  /** Returns the number of bytes of an element in a file, if it is not out of line. */
  int size();

  /** An integer; positions in bits. */
  record Int(int size, boolean big, boolean signed, int precision, int offset) implements TypeSpec {
    @Override
    public List<Object> tree() {
      return List.of("int", size, order(size, big), signed ? 1 : 0, precision, offset);
    }
  }

  /** A bit field; positions in bits. */
  record Bits(int size, boolean big, int precision, int offset) implements TypeSpec {
    @Override
    public List<Object> tree() {
      return List.of("bits", size, order(size, big), precision, offset);
    }
  }

  /** A binary floating-point number; positions in bits, the leading bit of the mantissa implied. */
  record Real(int size, boolean big, int precision, int offset, RealFields fields)
      implements TypeSpec {
    @Override
    public List<Object> tree() {
      return List.of(
          "float",
          size,
          order(size, big),
          precision,
          offset,
          fields.sign,
          fields.exponent,
          fields.exponentBits,
          fields.mantissa,
          fields.mantissaBits,
          fields.bias,
          "implied");
    }
  }

  /** The positions of a floating-point number's parts, in bits. */
  record RealFields(
      int sign, int exponent, int exponentBits, int mantissa, int mantissaBits, int bias) {}

  /**
   * A string of fixed length, with padding and character set such as {@code nullpad} and {@code
   * utf8}.
   */
  record Text(int size, String padding, String set) implements TypeSpec {
    @Override
    public List<Object> tree() {
      return List.of("str", size, padding, set);
    }
  }

  /** A string of variable length. */
  record LongText(String padding, String set) implements TypeSpec {
    @Override
    public List<Object> tree() {
      return List.of("vstr", padding, set);
    }

    @Override
    public boolean outOfLine() {
      return true;
    }

    @Override
    public int size() {
      return 16;
    }
  }

  /** A sequence of variable length. */
  record Sequence(TypeSpec base) implements TypeSpec {
    @Override
    public List<Object> tree() {
      return List.of("vlen", base.tree());
    }

    @Override
    public boolean outOfLine() {
      return true;
    }

    @Override
    public int size() {
      return 16;
    }
  }

  /** Opaque bytes, with a tag. */
  record Opaque(int size, String tag) implements TypeSpec {
    @Override
    public List<Object> tree() {
      return List.of("opaque", size, tag);
    }
  }

  /** Named integers of a base type. */
  record Enum(Int base, List<Constant> constants) implements TypeSpec {
    @Override
    public List<Object> tree() {
      List<Object> result =
          constants.stream()
              .sorted(Comparator.comparing(Constant::name))
              .map(one -> (Object) List.of(one.name, one.hex))
              .toList();
      return List.of("enum", base.tree(), result);
    }

    @Override
    public int size() {
      return base.size;
    }
  }

  /** A name of an enum and the bytes of its value. */
  record Constant(String name, String hex) {}

  /** An array in an element. */
  record Array(List<Integer> dims, TypeSpec base) implements TypeSpec {
    @Override
    public List<Object> tree() {
      return List.of("arr", dims, base.tree());
    }

    @Override
    public boolean outOfLine() {
      return base.outOfLine();
    }

    @Override
    public int size() {
      return count() * base.size();
    }

    int count() {
      return dims.stream().reduce(1, (a, b) -> a * b);
    }
  }

  /** Members in an element; size 0 if {@link #outOfLine}. */
  record Compound(int size, List<Member> members) implements TypeSpec {
    @Override
    public List<Object> tree() {
      List<Object> result = new ArrayList<>();
      for (Member one : members) {
        result.add(List.of(one.name, outOfLine() ? 0 : one.offset, one.type.tree()));
      }
      return List.of("cmp", outOfLine() ? 0 : size, result);
    }

    @Override
    public boolean outOfLine() {
      return members.stream().anyMatch(one -> one.type.outOfLine());
    }
  }

  /** A member of a compound. */
  record Member(String name, int offset, TypeSpec type) {}

  /** A reference: {@code obj}, {@code reg}, or {@code std} for those of HDF5 1.12. */
  record Ref(String kind) implements TypeSpec {
    @Override
    public List<Object> tree() {
      return List.of("ref", kind);
    }

    @Override
    public boolean outOfLine() {
      return true;
    }

    @Override
    public int size() {
      return 8;
    }
  }

  private static String order(int size, boolean big) {
    return big && size > 1 ? "be" : "le";
  }
}
