package org.hyperslab.spark.table;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * The column of elements of one datatype: its type in Spark, the datatype in which elements are
 * read, and how they get from there into Spark's vectors.
 *
 * <p>Thread rule: immutable.
 */
public abstract class Filler {

  /** Only classes of this package extend it. */
  Filler() {}

  /** {@return the type of the column} */
  public abstract DataType sparkType();

  /** {@return whether a row may be null} */
  public abstract boolean nullable();

  /** {@return the datatype in which elements are read, whose numbers are little-endian} */
  public abstract Datatype memoryType();

  /**
   * Copies elements into rows of a vector.
   *
   * @param from the elements
   * @param at the offset of the first one in bytes
   * @param stride the distance of two elements in bytes
   * @param count the number of elements
   * @param to the vector, which has room
   * @param row the row of the first element
   */
  public abstract void fill(
      ReadElements from, int at, int stride, int count, WritableColumnVector to, int row);

  /**
   * Chooses the column of a datatype.
   *
   * @param stored the datatype
   * @param decoding what attributes say of numbers
   * @param place the variable and the file, for errors
   * @return the column
   * @throws UnsupportedFeatureException if Spark has no type for it
   */
  static Filler of(Datatype stored, Decoding decoding, String place) {
    return switch (stored) {
      case IntegerType type -> NumberFiller.of(type, decoding, place);
      case FloatType type -> NumberFiller.of(type, decoding, place);
      case BitfieldType type -> NumberFiller.bits(type, place);
      case EnumType type ->
          type.isBoolean() ? new EnumFiller.OfBoolean(type) : new EnumFiller(type, place);
      case StringType type -> new TextFiller.Fixed(type);
      case VlenStringType type -> new TextFiller.Variable(type);
      case OpaqueType type -> new TextFiller.Opaque(type);
      case CompoundType type -> compound(type, null, place);
      case ComplexType type -> complex(type, place);
      case ArrayType type -> new ListFiller.Fixed(type, of(type.base(), Decoding.NONE, place));
      case VlenType type -> new ListFiller.Variable(of(type.base(), Decoding.NONE, place));
      case ReferenceType _, TimeType _ ->
          throw new UnsupportedFeatureException(
              "column: actual="
                  + stored.describe()
                  + ", expected=a type that Spark has; leave the variable out"
                  + place);
    };
  }

  private static Filler complex(ComplexType type, String place) {
    Filler part = of(type.base(), Decoding.NONE, place);
    return new RecordFiller(
        List.of("r", "i"),
        List.of(part, part),
        new ComplexType((FloatType) part.memoryType()),
        List.of(0, part.memoryType().size()));
  }

  /**
   * Chooses the column of a compound type.
   *
   * @param type the datatype
   * @param required the fields that are needed; null for all
   * @param place the variable and the file, for errors
   */
  static RecordFiller compound(CompoundType type, StructType required, String place) {
    List<String> names = new ArrayList<>();
    List<Filler> fillers = new ArrayList<>();
    CompoundType.Builder memory = CompoundType.builder();
    List<CompoundType.Member> members =
        required == null
            ? type.members()
            : List.of(required.fieldNames()).stream()
                .map(name -> type.member(name).orElseThrow())
                .toList();
    for (CompoundType.Member member : members) {
      DataType wanted = required == null ? null : required.apply(member.name()).dataType();
      Filler filler =
          wanted instanceof StructType part && member.type() instanceof CompoundType nested
              ? compound(nested, part, place)
              : of(member.type(), Decoding.NONE, place);
      names.add(member.name());
      fillers.add(filler);
      memory.member(member.name(), filler.memoryType());
    }
    CompoundType packed = memory.build();
    CompoundType inMemory = (CompoundType) packed.inMemory();
    List<Integer> offsets =
        names.stream().map(name -> inMemory.member(name).orElseThrow().offset()).toList();
    return new RecordFiller(names, fillers, packed, offsets);
  }

  /** Returns an integer type in which a wider or narrower one is read. */
  static IntegerType little(IntegerType type, String place) {
    int size = Math.max(1, Integer.highestOneBit(2 * type.size() - 1));
    if (size > 8) {
      throw new UnsupportedFeatureException(
          "column: actual="
              + type.describe()
              + ", expected=integers of at most 64 bits; leave the variable out"
              + place);
    }
    return IntegerType.of(size, Endian.LITTLE, type.signed());
  }

  /** Returns the floating-point type in which another one is read; what is longer is rounded. */
  static FloatType little(FloatType type) {
    return type.isWithin(Datatypes.F32LE) ? Datatypes.F32LE : Datatypes.F64LE;
  }

  /** Makes room in a vector and those of its fields. */
  static void reserve(WritableColumnVector vector, int rows) {
    vector.reserve(rows);
    if (vector.dataType() instanceof StructType type) {
      for (int i = 0; i < type.size(); i++) {
        reserve(vector.getChild(i), rows);
      }
    }
  }
}
