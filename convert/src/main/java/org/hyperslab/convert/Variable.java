package org.hyperslab.convert;

import java.util.List;
import java.util.Optional;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.FilterSpec;

/**
 * An array of elements with a name.
 *
 * @param path where it is: the path of its group, then its name; absolute
 * @param type the type of its elements
 * @param space its shape
 * @param traits what else is known of it
 * @param elements reads its elements
 */
record Variable(
    String path, Datatype type, Dataspace space, Traits traits, ElementReader elements) {

  /**
   * The properties of a variable besides its elements.
   *
   * @param dimensions a named dimension for each axis, or nothing
   * @param attributes its attributes, in order
   * @param chunk the shape of its chunks; empty if it has none
   * @param filters what its chunks are compressed with, as HDF5 names it
   * @param fill one element of the variable's type that stands for what was not written
   */
  public record Traits(
      List<Dimension> dimensions,
      List<AttributeValue> attributes,
      List<Long> chunk,
      List<FilterSpec> filters,
      Optional<DataBuffer> fill) {

    /** Nothing known. */
    public static final Traits NONE =
        new Traits(List.of(), List.of(), List.of(), List.of(), Optional.empty());

    /** Copies the lists. */
    public Traits {
      dimensions = List.copyOf(dimensions);
      attributes = List.copyOf(attributes);
      chunk = List.copyOf(chunk);
      filters = List.copyOf(filters);
    }

    /**
     * Replaces the attributes.
     *
     * @param newAttributes the attributes to have
     * @return these traits with them
     */
    public Traits withAttributes(List<AttributeValue> newAttributes) {
      return new Traits(dimensions, newAttributes, chunk, filters, fill);
    }

    /**
     * Replaces the dimensions.
     *
     * @param newDimensions a dimension for each axis
     * @return these traits with them
     */
    public Traits withDimensions(List<Dimension> newDimensions) {
      return new Traits(newDimensions, attributes, chunk, filters, fill);
    }

    /**
     * Replaces the chunks.
     *
     * @param dims the shape of a chunk
     * @return these traits with it
     */
    public Traits withChunk(long... dims) {
      return new Traits(
          dimensions, attributes, java.util.Arrays.stream(dims).boxed().toList(), filters, fill);
    }

    /**
     * Replaces the filters.
     *
     * @param newFilters what chunks are compressed with
     * @return these traits with them
     */
    public Traits withFilters(List<FilterSpec> newFilters) {
      return new Traits(dimensions, attributes, chunk, newFilters, fill);
    }

    /**
     * Replaces the fill value.
     *
     * @param value one element
     * @return these traits with it
     */
    public Traits withFill(DataBuffer value) {
      return new Traits(dimensions, attributes, chunk, filters, Optional.of(value));
    }
  }

  /**
   * Returns the name without the group's path.
   *
   * @return the last part of the path
   */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * Returns the bytes of all elements, without what is in heaps.
   *
   * @return the product of shape and element size; 0 for a null dataspace
   * @throws ArithmeticException if it is beyond 63 bits
   */
  public long bytes() {
    return Math.multiplyExact(space.elementCount(), (long) type.memorySize());
  }

  /**
   * Returns an attribute by name.
   *
   * @param name the name
   * @return the attribute, if there is one
   */
  public Optional<AttributeValue> attribute(String name) {
    return traits.attributes().stream().filter(a -> a.name().equals(name)).findFirst();
  }
}
