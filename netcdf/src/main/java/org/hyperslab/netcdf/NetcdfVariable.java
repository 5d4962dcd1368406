package org.hyperslab.netcdf;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.H5Object;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.FillValue;
import org.hyperslab.netcdf.time.CfCalendar;
import org.hyperslab.netcdf.time.CfTime;
import org.hyperslab.scales.ScaleConventions;

/**
 * A variable: an array of elements of one type, with a dimension for each axis. The dimensions
 * determine its shape; elements along an unlimited dimension that were never written read as the
 * fill value.
 *
 * <p>Thread rule: elements are read and written by any thread; for all else see {@link NetcdfFile}.
 */
public final class NetcdfVariable extends NetcdfObject {

  private final NetcdfGroup group;
  private final Dataset dataset;
  private final Datatype type;
  private final List<NetcdfDimension> dimensions;
  private String name;

  /**
   * The name of its link, which differs from the variable's name if a dimension needs that name.
   */
  private String linkName;

  /** The extent of the dataset, which may be shorter than the dimensions. */
  private volatile long[] extent;

  /**
   * Whether the scales of its dimensions are attached in the file; coordinate variables have no
   * attached scales.
   */
  private boolean attached;

  /** A dataset and its link in the group. */
  record Stored(Dataset dataset, String linkName, boolean attached) {}

  NetcdfVariable(NetcdfGroup group, String name, Stored stored, List<NetcdfDimension> dimensions) {
    this.group = group;
    this.name = name;
    this.dataset = stored.dataset;
    this.linkName = stored.linkName;
    this.attached = stored.attached;
    this.dimensions = List.copyOf(dimensions);
    this.type = dataset.type();
    this.extent = dataset.shape();
  }

  /**
   * Returns the group that contains this variable.
   *
   * @return the group
   */
  @Override
  public NetcdfGroup group() {
    return group;
  }

  /**
   * Returns the name.
   *
   * @return the name, without a path
   */
  public String name() {
    return name;
  }

  @Override
  public String path() {
    return group.child(name);
  }

  /**
   * Returns the type of its elements.
   *
   * @return the type as stored
   */
  public Datatype type() {
    return type;
  }

  /**
   * Returns the dimensions of its axes.
   *
   * @return the dimensions, slowest first; none for a scalar
   */
  public List<NetcdfDimension> dimensions() {
    return dimensions;
  }

  /**
   * Returns the current shape.
   *
   * @return the lengths of its dimensions in elements, slowest first; empty for a scalar
   */
  public long[] shape() {
    long[] shape = extent.clone();
    for (int axis = 0; axis < shape.length; axis++) {
      NetcdfDimension dimension = dimensions.get(axis);
      shape[axis] = dimension.isUnlimited() ? dimension.length() : shape[axis];
    }
    return shape;
  }

  /**
   * Returns whether this variable holds the coordinates of a dimension: it has the name of its
   * first dimension, in the same group.
   *
   * @return whether it is a coordinate variable
   */
  public boolean isCoordinate() {
    return !dimensions.isEmpty() && isCoordinateOf(dimensions.getFirst());
  }

  boolean isCoordinateOf(NetcdfDimension dimension) {
    return !dimensions.isEmpty()
        && dimensions.getFirst() == dimension
        && dimension.group() == group
        && dimension.name().equals(name);
  }

  /**
   * Returns the fill value of this variable.
   *
   * @return one element, or empty if elements that were never written are undefined or zero
   */
  public Optional<Object> fill() {
    return fill(Object.class);
  }

  /**
   * Moves the attribute {@code _FillValue} behind all other attributes, so that a copy of a file
   * can list attributes in the order of the original; creating a variable puts it first. Has no
   * effect without that attribute.
   */
  public void moveFillToEnd() {
    file().requireWritable();
    if (dataset.hasAttribute(NetcdfNames.FILL_VALUE)
        && dataset.options().fill() instanceof FillValue.Value value) {
      dataset.deleteAttribute(NetcdfNames.FILL_VALUE);
      putFill(value);
    }
  }

  /** Returns the fill value as a Java class; Object selects the class by the type. */
  Optional<Object> fill(Class<?> javaClass) {
    return dataset.options().fill() instanceof FillValue.Value value
        ? Optional.of(decoded(value, javaClass))
        : Optional.empty();
  }

  /** Returns the value of elements beyond the end of this variable; empty for zeros. */
  Optional<Object> fillBeyond(Class<?> javaClass) {
    FillValue stored = dataset.options().fill();
    return stored instanceof FillValue.Value || !NetcdfTypes.isUserType(type)
        ? Optional.of(decoded(ScaleConventions.fillBeyond(type, stored), javaClass))
        : Optional.empty();
  }

  private static Object decoded(FillValue.Value fill, Class<?> javaClass) {
    DataBuffer element = fill.value();
    return ElementCodec.of(fill.type().inMemory())
        .decodeAs(element.elements(), 0, element.heap(), javaClass);
  }

  /** Returns the fill value of characters. */
  byte fillByte() {
    return dataset.options().fill() instanceof FillValue.Value value
        ? value.value().elements().get(ValueLayout.JAVA_BYTE, 0)
        : 0;
  }

  /** Returns the Java class of one element, primitive for numbers. */
  Class<?> elementClass() {
    return elementClass(type);
  }

  /** Returns the Java class of one element of a type, primitive for numbers. */
  static Class<?> elementClass(Datatype type) {
    if (type instanceof VlenStringType) {
      return String.class;
    }
    Datatype memory = type.inMemory();
    DataBuffer zero = DataBuffer.allocate(memory, 1);
    Object element = ElementCodec.of(memory).decode(zero.elements(), 0, zero.heap());
    Class<?> found = element == null ? Object.class : element.getClass();
    return MethodType.methodType(found).unwrap().returnType();
  }

  /**
   * Returns the HDF5 dataset that holds its elements, for access to its chunks, filters and
   * storage. It stays open as long as the file. Its dimension scales must not be changed.
   *
   * @return the dataset, open
   */
  public Dataset dataset() {
    return dataset;
  }

  /**
   * Returns how numbers of this time coordinate become dates.
   *
   * @return its attributes {@code units} and {@code calendar}; the standard calendar if there is no
   *     {@code calendar}
   * @throws InvalidUseException if {@code units} is missing or no unit of time
   * @throws org.hyperslab.error.UnsupportedFeatureException if the unit or the calendar has no
   *     dates
   */
  public CfTime time() {
    String units = textAttribute("units");
    try {
      return CfTime.of(units, CfCalendar.of(textAttribute("calendar")));
    } catch (InvalidUseException wrong) {
      throw new InvalidUseException(wrong.getMessage() + ", at=" + path(), wrong);
    }
  }

  private String textAttribute(String attribute) {
    return hasAttribute(attribute) && attribute(attribute) instanceof String text ? text : "";
  }

  // --- elements ---

  /**
   * Returns a box of elements, to be read or written.
   *
   * @param origin the index of the first element on each axis, slowest first, from 0
   * @param shape the number of elements on each axis
   * @return the section
   * @throws InvalidUseException if a number is negative, or their count differs from the number of
   *     axes
   */
  public NetcdfSection section(long[] origin, long[] shape) {
    long[] stride = new long[shape.length];
    Arrays.fill(stride, 1);
    return section(origin, shape, stride);
  }

  /**
   * Returns a regular part of the elements, to be read or written.
   *
   * @param origin the index of the first element on each axis, slowest first, from 0
   * @param shape the number of elements on each axis
   * @param stride the distance from one to the next on each axis, 1 or more
   * @return the section
   * @throws InvalidUseException if a number is negative, or their count differs from the number of
   *     axes
   */
  public NetcdfSection section(long[] origin, long[] shape, long[] stride) {
    return NetcdfSection.of(this, origin, shape, stride);
  }

  /**
   * Returns all elements within the current lengths of the dimensions.
   *
   * @return the section
   */
  public NetcdfSection all() {
    return section(new long[dimensions.size()], shape());
  }

  /**
   * Reads all elements.
   *
   * @param <T> the type of the value
   * @param javaType the class, such as {@code double[].class} or {@code double[][].class}
   * @return the elements in row-major order
   * @throws InvalidUseException if a value is out of the Java type's range
   */
  public <T> T read(Class<T> javaType) {
    return all().read(javaType);
  }

  /**
   * Writes all elements. An array of as many dimensions as the variable has writes from the first
   * element on; it has the lengths of the fixed dimensions, and extends the unlimited ones. A flat
   * array has all elements.
   *
   * @param values a number, text, or an array; for NC_CHAR see {@link NetcdfSection#writeText}
   * @throws InvalidUseException if the shape is another, or a value is out of the type's range
   */
  public void write(Object values) {
    NetcdfTypes.requireNoText(values, type(), path());
    Memory memory = memoryOf(values);
    long[] given = memory.space().dims();
    boolean shaped = given.length == dimensions.size() && !(values instanceof Memory);
    if (shaped) {
      requireFixedLengths(given);
      section(new long[given.length], given).write(memory);
    } else {
      all().write(memory);
    }
  }

  /** Returns values as memory; a refusal names this variable. */
  Memory memoryOf(Object values) {
    try {
      return Memory.of(values, type);
    } catch (InvalidUseException refusal) {
      throw new InvalidUseException(refusal.getMessage() + ", at=" + path(), refusal);
    }
  }

  private void requireFixedLengths(long[] given) {
    long[] whole = shape();
    for (int axis = 0; axis < given.length; axis++) {
      if (given[axis] != whole[axis] && !dimensions.get(axis).isUnlimited()) {
        throw new InvalidUseException(
            "values: actual=shape "
                + Arrays.toString(given)
                + ", expected="
                + whole[axis]
                + " on axis "
                + axis
                + ", the length of "
                + dimensions.get(axis).name()
                + "; write a part with section(origin, shape), at="
                + path());
      }
    }
  }

  /**
   * Renames the variable within its group. If it held the coordinates of a dimension, it becomes an
   * ordinary variable; if its first dimension has the new name and is of its group, it becomes the
   * coordinate variable.
   *
   * @param newName the new name
   * @throws org.hyperslab.error.AlreadyExistsException if the group has a variable, type or group
   *     of that name
   */
  public void rename(String newName) {
    group.file().links().rename(this, newName);
  }

  // --- what the rest of the package needs ---

  @Override
  H5Object object() {
    return dataset;
  }

  @Override
  NetcdfFile file() {
    return group.file();
  }

  String linkName() {
    return linkName;
  }

  boolean isAttached() {
    return attached;
  }

  void setAttached(boolean nowAttached) {
    this.attached = nowAttached;
  }

  void setNames(String newName, String newLinkName) {
    this.name = newName;
    this.linkName = newLinkName;
  }

  long[] extent() {
    return extent.clone();
  }

  /** Sets the lengths that were before a step which is dropped. */
  void restore(long[] former, long[] lengths) {
    synchronized (file()) {
      extent = former.clone();
      for (int axis = 0; axis < lengths.length; axis++) {
        dimensions.get(axis).restore(lengths[axis]);
      }
    }
  }

  /** Extends the dataset so that it has at least a length on each axis. */
  void growTo(long[] least) {
    synchronized (file()) {
      long[] wanted = extent.clone();
      for (int axis = 0; axis < wanted.length; axis++) {
        wanted[axis] = Math.max(wanted[axis], least[axis]);
      }
      if (!Arrays.equals(wanted, extent)) {
        dataset.setExtent(wanted);
        extent = wanted;
      }
      for (int axis = 0; axis < wanted.length; axis++) {
        dimensions.get(axis).grow(wanted[axis]);
      }
    }
  }

  /** Returns the path and the dimensions. */
  @Override
  public String toString() {
    return path() + dimensions.stream().map(NetcdfDimension::name).toList();
  }
}
