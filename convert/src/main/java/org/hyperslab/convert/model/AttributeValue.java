package org.hyperslab.convert.model;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.value.ElementCodec;

/**
 * An attribute with its value.
 *
 * @param name its name
 * @param type the type of its elements
 * @param space its shape
 * @param data its elements, in the memory form of the type
 */
public record AttributeValue(String name, Datatype type, Dataspace space, DataBuffer data) {

  /**
   * Creates a scalar attribute of text.
   *
   * @param name its name
   * @param text its value
   * @return the attribute, a NUL-terminated UTF-8 string
   */
  public static AttributeValue ofText(String name, String text) {
    byte[] bytes = NameBytes.encode(text);
    byte[] padded = Arrays.copyOf(bytes, bytes.length + 1);
    StringType type =
        Datatypes.fixedString(padded.length, StringPadding.NULLTERM, CharacterSet.UTF8);
    return new AttributeValue(
        name, type, Dataspace.scalar(), DataBuffer.of(MemorySegment.ofArray(padded)));
  }

  /**
   * Creates a one-dimensional attribute.
   *
   * @param name its name
   * @param type the type of its elements, without variable-length parts
   * @param elements its elements, stored contiguously
   * @return the attribute
   */
  public static AttributeValue ofBytes(String name, Datatype type, byte[] elements) {
    return new AttributeValue(
        name,
        type,
        Dataspace.simple(elements.length / type.size()),
        DataBuffer.of(MemorySegment.ofArray(elements)));
  }

  /**
   * Returns a text as one variable-length string.
   *
   * @param text the text
   * @return one element
   */
  public static DataBuffer string(String text) {
    DataBuffer one = DataBuffer.allocate(Datatypes.vlenString(), 1);
    one.heap().putString(one.elements(), 0, text);
    return one;
  }

  /**
   * Returns the text of an attribute that holds one string.
   *
   * @return the text, or empty if the attribute does not hold exactly one string
   */
  public Optional<String> text() {
    boolean isText = type instanceof StringType || type instanceof VlenStringType;
    if (!isText || space.kind() == Dataspace.Kind.NULL || space.elementCount() != 1) {
      return Optional.empty();
    }
    return Optional.ofNullable((String) element(0));
  }

  /**
   * Returns one element as a Java value.
   *
   * @param index the index of the element, from 0, in row-major order
   * @return the value, as {@link ElementCodec} decodes it
   */
  public Object element(long index) {
    Datatype memory = type.inMemory();
    return ElementCodec.of(memory).decode(data.elements(), index * memory.size(), data.heap());
  }
}
