package org.hyperslab.interchange.json;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.hyperslab.Attribute;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.format.type.value.ElementCodec;

/**
 * Writes elements as JSON: compounds, complex numbers, arrays and sequences as arrays, enumerations
 * as numbers, HDF5's booleans as booleans, opaque elements as arrays of bytes, references as text.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class ElementJson {

  /** The maximum number of bytes of elements that are held in memory for a text. */
  private static final long MAX_BYTES = 64L << 20;

  private final ReferenceTexts references;
  private final JsonOutput out;

  /**
   * Creates a writer for elements of one file.
   *
   * @param file the file in which references are resolved
   * @param out receives the text
   */
  public ElementJson(H5File file, JsonOutput out) {
    this.references = new ReferenceTexts(file);
    this.out = out;
  }

  /**
   * {@return memory for elements to be written as text}
   *
   * @param type their type as stored
   * @param shape their shape
   * @throws UnsupportedFeatureException if there are too many elements for a text
   */
  public static Memory memory(Datatype type, long... shape) {
    Dataspace space = Dataspace.simple(shape);
    requireText(type, space.elementCount());
    MemorySegment elements =
        MemorySegment.ofArray(new byte[Math.toIntExact(space.elementCount() * type.memorySize())]);
    VlenHeap heap = type.hasOutOfLineParts() ? new VlenHeap(MAX_BYTES) : VlenHeap.none();
    return new Memory(type, space, Selection.all(), new DataBuffer(elements, heap));
  }

  /**
   * Requires that elements are few enough for a text.
   *
   * @param type their type as stored
   * @param count their number
   * @throws UnsupportedFeatureException if they are not
   */
  public static void requireText(Datatype type, long count) {
    long most = MAX_BYTES / type.memorySize();
    if (count > most) {
      throw new UnsupportedFeatureException(
          "elements as text: actual="
              + count
              + ", expected=at most "
              + most
              + "; request a part with a selection, or the binary format");
    }
  }

  /**
   * Writes the value of an attribute; null if it has none.
   *
   * @param attribute the attribute
   */
  public void write(Attribute attribute) {
    if (attribute.space().kind() == Dataspace.Kind.NULL) {
      out.value((String) null);
      return;
    }
    long[] shape = attribute.shape();
    Memory memory = memory(attribute.type(), shape);
    attribute.read(memory.type().inMemory(), memory.data());
    write(memory, shape);
  }

  /**
   * Writes elements as nested arrays of a shape, or the single element of a scalar.
   *
   * @param memory the elements
   * @param shape the shape; empty for a scalar
   */
  public void write(Memory memory, long... shape) {
    write(memory, ElementCodec.of(memory.type().inMemory()), shape, 0, 0);
  }

  private long write(Memory memory, ElementCodec codec, long[] shape, int dimension, long at) {
    if (dimension == shape.length) {
      DataBuffer data = memory.data();
      value(memory.type(), codec.decode(data.elements(), at * codec.type().size(), data.heap()));
      return at + 1;
    }
    out.open('[');
    long next = at;
    for (long i = 0; i < shape[dimension]; i++) {
      next = write(memory, codec, shape, dimension + 1, next);
    }
    out.close(']');
    return next;
  }

  private void value(Datatype type, Object value) {
    switch (type) {
      case IntegerType _, FloatType _, BitfieldType _, TimeType _ -> out.number((Number) value);
      case StringType _, VlenStringType _ -> out.value(value == null ? "" : (String) value);
      case EnumType t -> enumeration(t, value);
      case OpaqueType _ -> opaque((byte[]) value);
      case ComplexType _ -> complex((Complex) value);
      case CompoundType t when value instanceof Complex pair -> complex(pair);
      case CompoundType t -> {
        out.open('[');
        t.members().forEach(member -> value(member.type(), ((Map<?, ?>) value).get(member.name())));
        out.close(']');
      }
      case VlenType t -> list(t.base(), (List<?>) value, 1);
      case ArrayType t -> list(t.base(), (List<?>) value, t.dimensions().size());
      case ReferenceType _ -> out.value(references.of((Reference) value));
    }
  }

  private void enumeration(EnumType type, Object value) {
    long number =
        value instanceof String name
            ? type.constant(name).orElseThrow().value()
            : ((Number) value).longValue();
    if (type.isBoolean()) {
      out.value(number != 0);
    } else if (number < 0 && !type.base().signed()) {
      out.number(new BigInteger(Long.toUnsignedString(number)));
    } else {
      out.value(number);
    }
  }

  private void opaque(byte[] bytes) {
    out.open('[');
    for (byte each : bytes) {
      out.value(each & 0xFF);
    }
    out.close(']');
  }

  private void complex(Complex value) {
    out.open('[').number(value.real()).number(value.imaginary()).close(']');
  }

  private void list(Datatype base, List<?> values, int depth) {
    out.open('[');
    if (values != null) {
      for (Object each : values) {
        if (depth > 1) {
          list(base, (List<?>) each, depth - 1);
        } else {
          value(base, each);
        }
      }
    }
    out.close(']');
  }
}
