package org.hyperslab.netcdf;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.StringType;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.netcdf.time.CfDateTime;
import org.hyperslab.netcdf.time.CfTime;

/**
 * A regular part of a variable, to be read or written: an origin, a shape and a stride on each
 * axis, counted in elements, slowest axis first.
 *
 * <p>Thread rule: immutable; any thread.
 */
public final class NetcdfSection {

  private final NetcdfVariable variable;
  private final long[] origin;
  private final long[] shape;
  private final long[] stride;
  private final TransferOptions options;

  private NetcdfSection(NetcdfVariable variable, long[][] parts, TransferOptions options) {
    this.variable = variable;
    this.origin = parts[0];
    this.shape = parts[1];
    this.stride = parts[2];
    this.options = options;
  }

  static NetcdfSection of(NetcdfVariable variable, long[] origin, long[] shape, long[] stride) {
    int rank = variable.dimensions().size();
    long[][] parts = {origin.clone(), shape.clone(), stride.clone()};
    for (long[] part : parts) {
      boolean valid = part.length == rank && Arrays.stream(part).allMatch(n -> n >= 0);
      if (!valid || part == parts[2] && Arrays.stream(part).anyMatch(n -> n < 1)) {
        throw new InvalidUseException(
            "section: actual=origin "
                + Arrays.toString(origin)
                + " shape "
                + Arrays.toString(shape)
                + " stride "
                + Arrays.toString(stride)
                + ", expected="
                + rank
                + " numbers each, of at least 0, 0 and 1, at="
                + variable.path());
      }
    }
    return new NetcdfSection(variable, parts, TransferOptions.DEFAULT);
  }

  /**
   * Returns this section with collective transfers: every rank makes the same call, each with its
   * own section, which may be empty.
   *
   * @return this section, with collective transfers
   */
  public NetcdfSection collective() {
    return new NetcdfSection(
        variable, new long[][] {origin, shape, stride}, TransferOptions.COLLECTIVE);
  }

  /**
   * Returns the shape of the elements to read or write.
   *
   * @return the number of elements on each axis, slowest first
   */
  public long[] shape() {
    return shape.clone();
  }

  /**
   * Returns the number of elements.
   *
   * @return the product of its shape
   */
  public long elementCount() {
    return Dataspace.product(shape);
  }

  /**
   * Returns this section with values instead of stored numbers: missing values are NaN, packed
   * numbers are unpacked, and times are dates.
   *
   * @return the values of this section
   * @throws InvalidUseException if the variable is not one of numbers, or an attribute that says
   *     how they are packed is not a number
   */
  public DecodedSection decoded() {
    return new DecodedSection(this, variable);
  }

  // --- by coordinates ---

  /**
   * Restricts an axis to the element whose coordinate equals a value.
   *
   * @param dimension the dimension of the axis, which has a coordinate variable
   * @param value a number, a {@code LocalDateTime} or {@code CfDateTime}, or a String
   * @return this section with length 1 on the axis
   * @throws org.hyperslab.error.NotFoundException if there is no such dimension, coordinate
   *     variable or coordinate
   */
  public NetcdfSection at(String dimension, Object value) {
    int axis = axis(dimension);
    return restricted(axis, new int[] {coordinates(axis).exact(value), 1});
  }

  /**
   * Restricts an axis to the element whose coordinate is closest to a value; of two that are
   * equally close, to the one with the larger coordinate.
   *
   * @param dimension the dimension of the axis, which has a coordinate variable
   * @param value a number, a {@code LocalDateTime} or {@code CfDateTime}
   * @return this section with length 1 on the axis
   * @throws org.hyperslab.error.NotFoundException if there is no such dimension or coordinate
   *     variable, or no coordinate at all
   */
  public NetcdfSection nearest(String dimension, Object value) {
    return nearest(dimension, value, Double.POSITIVE_INFINITY);
  }

  /**
   * Restricts an axis to the element whose coordinate is closest to a value.
   *
   * @param dimension the dimension of the axis, which has a coordinate variable
   * @param value a number, a {@code LocalDateTime} or {@code CfDateTime}
   * @param tolerance the largest difference, in the unit of the coordinates; for dates in
   *     microseconds
   * @return this section with length 1 on the axis
   * @throws org.hyperslab.error.NotFoundException if there is no such dimension or coordinate
   *     variable, or no coordinate within the tolerance
   */
  public NetcdfSection nearest(String dimension, Object value, double tolerance) {
    int axis = axis(dimension);
    return restricted(axis, new int[] {coordinates(axis).nearest(value, tolerance), 1});
  }

  /**
   * Restricts an axis to the elements whose coordinates are between two values, which are included.
   * The coordinates may be in ascending or descending order.
   *
   * @param dimension the dimension of the axis, which has a coordinate variable
   * @param least the smallest coordinate: a number, a {@code LocalDateTime} or {@code CfDateTime}
   * @param most the largest coordinate
   * @return this section with the number of these elements on the axis, which may be 0
   * @throws org.hyperslab.error.NotFoundException if there is no such dimension or coordinate
   *     variable
   * @throws InvalidUseException if the elements do not follow each other
   */
  public NetcdfSection between(String dimension, Object least, Object most) {
    int axis = axis(dimension);
    return restricted(axis, coordinates(axis).between(least, most));
  }

  /** Returns the axis that has a dimension. */
  private int axis(String dimension) {
    List<String> names = variable.dimensions().stream().map(NetcdfDimension::name).toList();
    int axis = names.indexOf(dimension);
    if (axis < 0 || axis != names.lastIndexOf(dimension)) {
      throw new NotFoundException(
          "dimension: actual="
              + dimension
              + (axis < 0 ? ", expected=one of " : ", twice, expected=one that occurs once of ")
              + names
              + ", at="
              + variable.path());
    }
    return axis;
  }

  /** Returns the coordinates of an axis, in this section. */
  private CoordinateSelection coordinates(int axis) {
    NetcdfDimension dimension = variable.dimensions().get(axis);
    NetcdfVariable coordinate =
        dimension
            .coordinate()
            .filter(found -> found.dimensions().size() == 1)
            .orElseThrow(() ->
                new NotFoundException(
                    "coordinates: actual=the dimension "
                        + dimension.name()
                        + " has no variable of its name and axis, expected=one; select by index"
                        + " with section(origin, shape), at="
                        + variable.path()));
    NetcdfSection part =
        coordinate.section(
            new long[] {origin[axis]}, new long[] {shape[axis]}, new long[] {stride[axis]});
    return new CoordinateSelection(
        dimension.name(), coordinate.path(), new ReadCoordinates(coordinate, part));
  }

  /** Reads a part of a coordinate variable. */
  private record ReadCoordinates(NetcdfVariable variable, NetcdfSection part)
      implements CoordinateSelection.Coordinates {

    @Override
    public String[] texts() {
      return part.read(String[].class);
    }

    @Override
    public double[] numbers() {
      return part.decoded().read(double[].class);
    }

    @Override
    public CfTime time() {
      return variable.time();
    }

    @Override
    public CfDateTime[] dates() {
      return part.decoded().readCfTimes();
    }
  }

  private NetcdfSection restricted(int axis, int[] range) {
    long[] from = origin.clone();
    long[] count = shape.clone();
    from[axis] += range[0] * stride[axis];
    count[axis] = range[1];
    return new NetcdfSection(variable, new long[][] {from, count, stride}, options);
  }

  // --- reading ---

  /**
   * Reads the elements.
   *
   * @param <T> the type of the value
   * @param javaType a flat array, such as {@code double[].class}, an array of as many dimensions as
   *     the section has, or for one element its class; {@code Object.class} chooses. Collective
   *     reads take flat arrays of numbers.
   * @return the elements in row-major order
   * @throws InvalidUseException if the section reaches beyond the shape, or a value is out of the
   *     Java type's range
   */
  public <T> T read(Class<T> javaType) {
    long[] stored = requireWithin();
    if (!Arrays.equals(stored, shape)) {
      return readShort(javaType, stored);
    }
    if (options.collective()) {
      return readCollective(javaType);
    }
    return variable.dataset().select(selection(shape)).read(javaType);
  }

  private <T> T readCollective(Class<T> javaType) {
    Class<?> element = javaType.componentType();
    if (element == null || !element.isPrimitive()) {
      throw new InvalidUseException(
          "collective read: actual="
              + javaType.getSimpleName()
              + ", expected=a flat array of numbers, such as double[].class, or readInto(), at="
              + variable.path());
    }
    Object all = Array.newInstance(element, Math.toIntExact(elementCount()));
    variable.dataset().readInto(selection(shape), all, options);
    return javaType.cast(all);
  }

  /** Reads the stored elements, and fills the rest with the fill value. */
  private <T> T readShort(Class<T> javaType, long[] stored) {
    Class<?> leaf = javaType;
    int depth = 0;
    for (; leaf.isArray(); leaf = leaf.componentType()) {
      depth++;
    }
    if (javaType == Object.class) {
      leaf = variable.elementClass();
      depth = shape.length;
    }
    Class<?> flatClass = leaf.arrayType();
    Object flat =
        Dataspace.product(stored) == 0
            ? Array.newInstance(leaf, 0)
            : variable.dataset().select(selection(stored)).read(flatClass);
    Object fill = variable.fillBeyond(leaf).orElse(null);
    Object all = FilledArray.pad(flat, stored, shape, fill);
    if (depth == 0) {
      return javaType.cast(Array.get(all, 0));
    }
    return javaType.cast(depth > 1 ? FilledArray.nest(all, shape) : all);
  }

  /**
   * Reads the elements into memory of the caller.
   *
   * @param target a flat array, a segment or buffer of the elements' memory form, or a Memory
   * @throws InvalidUseException if the section reaches beyond what is stored
   */
  public void readInto(Object target) {
    long[] stored = requireWithin();
    if (!Arrays.equals(stored, shape)) {
      throw new InvalidUseException(
          "section: actual="
              + Arrays.toString(shape)
              + ", of which "
              + Arrays.toString(stored)
              + " is stored, expected=what is stored; read() gives the fill value for the rest, at="
              + variable.path());
    }
    variable.dataset().readInto(selection(shape), target, options);
  }

  /**
   * Reads text of NC_CHAR: the last axis holds the bytes of one text each, in UTF-8, up to the
   * first zero byte.
   *
   * @return a text for each index of the axes before the last, in row-major order
   * @throws InvalidUseException if the type is not NC_CHAR, or the section reaches beyond the shape
   */
  public String[] readText() {
    int length = textLength();
    StringType type = (StringType) variable.type();
    long[] stored = requireWithin();
    byte[] there = new byte[Math.toIntExact(Dataspace.product(stored))];
    if (there.length > 0) {
      Memory memory = Memory.of(MemorySegment.ofArray(there), type, stored);
      variable.dataset().readInto(selection(stored), memory, options);
    }
    byte[] bytes = (byte[]) FilledArray.pad(there, stored, shape, variable.fillByte());
    String[] texts = new String[length == 0 ? 0 : bytes.length / length];
    for (int i = 0; i < texts.length; i++) {
      int end = 0;
      while (end < length && bytes[i * length + end] != 0) {
        end++;
      }
      texts[i] = NameBytes.decode(bytes, i * length, end);
    }
    return texts;
  }

  private int textLength() {
    if (!NetcdfTypes.isChar(variable.type()) || shape.length == 0) {
      throw new InvalidUseException(
          "text: actual="
              + variable.type().describe()
              + " of rank "
              + shape.length
              + ", expected=NC_CHAR of rank 1 or more, at="
              + variable.path());
    }
    return Math.toIntExact(shape[shape.length - 1]);
  }

  // --- writing ---

  /**
   * Writes the elements, and extends unlimited dimensions that they reach beyond; if several ranks
   * share the file, {@link NetcdfDimension#extend} must be called before.
   *
   * @param values an array of the section's shape, or flat, one value, a segment, a buffer or a
   *     Memory
   * @throws InvalidUseException if there are more or fewer values than elements, a nested array has
   *     another shape, a value is out of the type's range, or the section reaches beyond a
   *     dimension that cannot grow
   */
  public void write(Object values) {
    variable.file().requireWritable();
    NetcdfTypes.requireNoText(values, variable.type(), variable.path());
    Memory memory = variable.memoryOf(values);
    requireShape(values, memory);
    grow();
    if (elementCount() > 0 || options.collective()) {
      variable.dataset().write(selection(shape), memory, options);
    }
  }

  /**
   * Writes text of NC_CHAR: each text becomes the bytes of the last axis, in UTF-8, with zero bytes
   * after it.
   *
   * @param texts one for each index of the axes before the last, in row-major order
   * @throws InvalidUseException if the type is not NC_CHAR, a text is too long, or there are more
   *     or fewer than the section has
   */
  public void writeText(String... texts) {
    int length = textLength();
    byte[] bytes = new byte[Math.toIntExact(elementCount())];
    if ((long) texts.length * length != bytes.length) {
      throw new InvalidUseException(
          "texts: actual="
              + texts.length
              + ", expected="
              + (length == 0 ? 0 : bytes.length / length)
              + ", at="
              + variable.path());
    }
    for (int i = 0; i < texts.length; i++) {
      byte[] text = NameBytes.encode(texts[i]);
      if (text.length > length) {
        throw new InvalidUseException(
            "text: actual="
                + text.length
                + " bytes, expected at most "
                + length
                + ", at="
                + variable.path());
      }
      System.arraycopy(text, 0, bytes, i * length, text.length);
    }
    write(Memory.of(MemorySegment.ofArray(bytes), variable.type(), shape));
  }

  /** Axes of length 1 may be left out of a nested array, or added. */
  void requireShape(Object values, Memory memory) {
    long[] given = memory.space().dims();
    boolean nested = !(values instanceof Memory) && given.length > 1;
    if (memory.selectedCount() != elementCount()
        || (nested && !Arrays.equals(longer(given), longer(shape)))) {
      throw new InvalidUseException(
          "values: actual="
              + (nested ? "shape " + Arrays.toString(given) : memory.selectedCount())
              + ", expected="
              + elementCount()
              + " for a section of shape "
              + Arrays.toString(shape)
              + ", at="
              + variable.path());
    }
  }

  /** Returns the lengths other than 1. */
  private static long[] longer(long[] lengths) {
    return Arrays.stream(lengths).filter(length -> length != 1).toArray();
  }

  private void grow() {
    if (elementCount() == 0) {
      return;
    }
    long[] extent = variable.extent();
    long[] needed = new long[shape.length];
    boolean grows = false;
    for (int axis = 0; axis < needed.length; axis++) {
      needed[axis] = end(axis);
      boolean beyond = needed[axis] > extent[axis];
      if (beyond && !variable.dimensions().get(axis).isUnlimited()) {
        throw outside(axis, extent[axis]);
      }
      grows |= beyond;
    }
    if (grows && variable.file().isParallel()) {
      throw new InvalidUseException(
          "section: actual=beyond "
              + Arrays.toString(extent)
              + " of "
              + variable.path()
              + " in a file of many ranks, expected=a dimension that all ranks have extended"
              + " together: NetcdfDimension.extend");
    }
    variable.growTo(needed);
  }

  // --- both ---

  /** Returns the index after the last element on an axis that has elements. */
  private long end(int axis) {
    long last = Math.multiplyExact(shape[axis] - 1, stride[axis]);
    return Math.addExact(Math.addExact(origin[axis], last), 1);
  }

  /** Returns how many elements on each axis are stored. */
  private long[] requireWithin() {
    long[] extent = variable.extent();
    long[] whole = variable.shape();
    long[] stored = shape.clone();
    for (int axis = 0; axis < shape.length; axis++) {
      if (shape[axis] > 0 && end(axis) > whole[axis]) {
        throw outside(axis, whole[axis]);
      }
      long room = Math.max(0, extent[axis] - origin[axis]);
      stored[axis] = Math.min(shape[axis], Math.ceilDiv(room, stride[axis]));
    }
    return stored;
  }

  private InvalidUseException outside(int axis, long length) {
    return new InvalidUseException(
        "section: actual="
            + origin[axis]
            + " to "
            + end(axis)
            + " (excluded) on axis "
            + axis
            + ", expected=within "
            + length
            + ", at="
            + variable.path());
  }

  private Selection selection(long[] count) {
    if (count.length == 0) {
      return Selection.all();
    }
    if (Dataspace.product(count) == 0) {
      return Selection.box(new long[count.length], count);
    }
    if (Arrays.stream(stride).allMatch(n -> n == 1)) {
      return Selection.box(origin, count);
    }
    long[] block = new long[count.length];
    Arrays.fill(block, 1);
    return Selection.hyperslab(origin, stride, count, block);
  }

  /** Returns the variable, and origin, shape and stride. */
  @Override
  public String toString() {
    return variable.path()
        + " from "
        + Arrays.toString(origin)
        + " shape "
        + Arrays.toString(shape)
        + " stride "
        + Arrays.toString(stride);
  }
}
