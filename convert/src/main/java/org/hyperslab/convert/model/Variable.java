package org.hyperslab.convert.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.FilterSpec;

/**
 * A named array of elements.
 *
 * @param path its absolute path: the path of its group, then its name
 * @param type the type of its elements
 * @param space its shape
 * @param traits its other properties
 * @param elements reads its elements
 */
public record Variable(
    String path, Datatype type, Dataspace space, Traits traits, ElementReader elements) {

  /** What only HDF5 can hold of a variable with a null dataspace. */
  public static final String NULL_SPACE = "a dataset without a shape and elements (null dataspace)";

  /**
   * The properties of a variable besides its elements.
   *
   * @param dimensions the named dimension of each axis; empty if the axes have no dimensions
   * @param attributes its attributes, in order
   * @param chunk the shape of its chunks; empty if it has none
   * @param filters the HDF5 filters of its chunks
   * @param fill the value of elements that were never written, as one element of the variable's
   *     type
   */
  public record Traits(
      List<Dimension> dimensions,
      List<AttributeValue> attributes,
      List<Long> chunk,
      List<FilterSpec> filters,
      Optional<DataBuffer> fill) {

    /** The properties of a scalar without attributes, chunks, filters or fill value. */
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
     * Returns these traits with other attributes.
     *
     * @param newAttributes the new attributes
     * @return the changed traits
     */
    public Traits withAttributes(List<AttributeValue> newAttributes) {
      return new Traits(dimensions, newAttributes, chunk, filters, fill);
    }

    /**
     * Returns these traits with other dimensions.
     *
     * @param newDimensions a dimension for each axis
     * @return the changed traits
     */
    public Traits withDimensions(List<Dimension> newDimensions) {
      return new Traits(newDimensions, attributes, chunk, filters, fill);
    }

    /**
     * Returns these traits with another chunk shape.
     *
     * @param dims the shape of a chunk
     * @return the changed traits
     */
    public Traits withChunk(long... dims) {
      return new Traits(
          dimensions, attributes, Arrays.stream(dims).boxed().toList(), filters, fill);
    }

    /**
     * Returns these traits with other filters.
     *
     * @param newFilters the new filters
     * @return the changed traits
     */
    public Traits withFilters(List<FilterSpec> newFilters) {
      return new Traits(dimensions, attributes, chunk, newFilters, fill);
    }

    /**
     * Returns these traits with another fill value.
     *
     * @param value one element
     * @return the changed traits
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
   * Returns the size of all elements in bytes, without variable-length data in heaps.
   *
   * @return the product of shape and element size; 0 for a null dataspace
   * @throws ArithmeticException if the size exceeds 2^63 - 1
   */
  public long bytes() {
    return Math.multiplyExact(space.elementCount(), (long) type.memorySize());
  }

  /**
   * Returns an attribute by name.
   *
   * @param name the name
   * @return the attribute, or empty if it does not exist
   */
  public Optional<AttributeValue> attribute(String name) {
    return traits.attributes().stream().filter(a -> a.name().equals(name)).findFirst();
  }
}
