package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Converts an element of any type to a tree of Java objects, and back.
 *
 * <table>
 * <caption>The Java form of an element</caption>
 * <tr><th>class</th><th>Java value</th></tr>
 * <tr><td>integer, bitfield, time</td><td>Integer, Long or BigInteger: the narrowest that has every
 * value of the type</td></tr>
 * <tr><td>float</td><td>Float if it has every value of the type, else Double (nearest)</td></tr>
 * <tr><td>string</td><td>String without padding; null for a null variable string</td></tr>
 * <tr><td>opaque</td><td>byte[]</td></tr>
 * <tr><td>compound</td><td>Map from member name to value, in the order of members</td></tr>
 * <tr><td>reference</td><td>{@link org.hyperslab.format.type.Reference}, or null</td></tr>
 * <tr><td>enumeration</td><td>the name as a String, or the number of a value without a name</td></tr>
 * <tr><td>sequence</td><td>List</td></tr>
 * <tr><td>array</td><td>List, of Lists for more than one dimension</td></tr>
 * <tr><td>complex, and the compound {r, i} that h5py makes of it</td><td>{@link Complex}</td></tr>
 * </table>
 *
 * <p>Encoding accepts the same values, and also any Number for a number, Boolean for an integer or
 * an enumeration of two values, arrays for Lists, records for Maps, and Java enums for names.
 *
 * <p>Thread rule: immutable.
 */
public final class ElementCodec {

  private final Node node;
  private final Datatype type;
  private final OutOfRange rule;

  private ElementCodec(Datatype type, Node node, OutOfRange rule) {
    this.type = type;
    this.node = node;
    this.rule = rule;
  }

  /**
   * {@return the codec of a type in the memory form, with unsigned 64-bit integers as BigInteger}
   *
   * @param memoryType the datatype of the elements in memory
   */
  public static ElementCodec of(Datatype memoryType) {
    return of(memoryType, Unsigned64.BIG_INTEGER);
  }

  /**
   * {@return the codec of a type in the memory form}
   *
   * @param memoryType the datatype of the elements in memory
   * @param unsigned the Java class of unsigned 64-bit integers
   */
  static ElementCodec of(Datatype memoryType, Unsigned64 unsigned) {
    return new ElementCodec(memoryType, node(memoryType, unsigned), OutOfRange.REFUSE);
  }

  /**
   * {@return this codec with another rule for numbers out of range; they are refused by default}
   *
   * @param newRule the treatment of numbers out of range
   */
  public ElementCodec with(OutOfRange newRule) {
    return new ElementCodec(type, node, newRule);
  }

  /** {@return the type of the elements} */
  public Datatype type() {
    return type;
  }

  /**
   * {@return the element at a byte offset}
   *
   * @param elements the memory that holds the element
   * @param at the byte offset of the element
   * @param heap the heap that its slots refer to; {@link VlenHeap#none()} if the type has no slots
   */
  public Object decode(MemorySegment elements, long at, VlenHeap heap) {
    return node.get(elements, at, heap);
  }

  /**
   * {@return the element at a byte offset as an instance of a class} Numbers become instances of
   * any class, by value; enumerations by value, too, or by name if the class is String or a Java
   * enum; arrays become arrays, and compounds records. For Object, the result is that of {@link
   * #decode}, but enumerations are returned by value, and those of {@link
   * org.hyperslab.format.type.Datatypes#BOOLEAN} as Boolean.
   *
   * @param elements the memory that holds the element
   * @param at the byte offset of the element
   * @param heap the heap that its slots refer to; {@link VlenHeap#none()} if the type has no slots
   * @param target the class
   * @throws org.hyperslab.error.InvalidUseException if the element cannot be converted, or holds a
   *     number outside the class's range
   */
  public Object decodeAs(MemorySegment elements, long at, VlenHeap heap, Class<?> target) {
    return node.getAs(new Node.Source(elements, heap, rule), at, target);
  }

  /**
   * Writes an element at a byte offset.
   *
   * @param value the value to write
   * @param elements the memory for the element
   * @param at the byte offset of the element
   * @param heap stores out-of-line values
   * @throws org.hyperslab.error.InvalidUseException if the value does not fit the type
   */
  public void encode(Object value, MemorySegment elements, long at, VlenHeap heap) {
    node.put(value, new Node.Target(elements, heap, rule), at);
  }

  /**
   * {@return whether elements of a compound are converted to {@link Complex}: it is the pair {r, i}
   * of h5py}
   *
   * @param type the compound type
   */
  public static boolean isComplexPair(CompoundType type) {
    return ComplexPair.is(type);
  }

  static Node node(Datatype type, Unsigned64 unsigned) {
    return switch (type) {
      case IntegerType t -> new NumberNodes.OfInteger(t, t.signed(), t.precision(), unsigned);
      case BitfieldType t -> new NumberNodes.OfInteger(t, false, t.precision(), unsigned);
      case TimeType t ->
          new NumberNodes.OfInteger(
              IntegerType.of(t.size(), t.order(), true), true, 8 * t.size(), unsigned);
      case FloatType t -> new NumberNodes.OfFloat(t);
      case EnumType t -> new NumberNodes.OfEnum(t);
      case ComplexType t -> new NumberNodes.OfComplex(t);
      case StringType t -> new TextNodes.Fixed(t);
      case VlenStringType t -> new TextNodes.Variable(t);
      case OpaqueType t -> new TextNodes.Opaque(t);
      case ReferenceType t -> new TextNodes.OfReference(t);
      case VlenType t -> new TreeNodes.Sequence(t.base().size(), node(t.base(), unsigned));
      case ArrayType t ->
          new TreeNodes.OfArray(t.dimensions(), t.base().size(), node(t.base(), unsigned));
      case CompoundType t -> {
        Node members = TreeNodes.Compound.of(t, unsigned);
        yield ComplexPair.is(t) ? new ComplexPair(t, members) : members;
      }
    };
  }
}
