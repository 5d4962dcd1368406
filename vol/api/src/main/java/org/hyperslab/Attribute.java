package org.hyperslab;

import java.util.OptionalLong;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.value.OutOfRange;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.vol.AttributeOperation;

/**
 * A small named array attached to an object, read and written as a whole. It is identified by its
 * object and its name. It keeps nothing open, and can be used as long as its object is open.
 *
 * <p>Thread rule: any thread.
 */
public final class Attribute {

  private final H5Object object;
  private final AttributeInfo info;
  private final OutOfRange rule;

  Attribute(H5Object object, AttributeInfo info) {
    this(object, info, OutOfRange.REFUSE);
  }

  private Attribute(H5Object object, AttributeInfo info, OutOfRange rule) {
    this.object = object;
    this.info = info;
    this.rule = rule;
  }

  /**
   * {@return a view of this attribute that clamps numbers out of range; see {@link OutOfRange}}
   * Without it such numbers are refused.
   */
  public Attribute clamped() {
    return new Attribute(object, info, OutOfRange.CLAMP);
  }

  /** {@return its name on its object} */
  public String name() {
    return info.name();
  }

  /** {@return the object that it is on} */
  public H5Object object() {
    return object;
  }

  /** {@return all its properties, as they were when it was opened} */
  public AttributeInfo info() {
    return info;
  }

  /** {@return the type of its elements as stored} */
  public Datatype type() {
    return info.type();
  }

  /** {@return its extent} */
  public Dataspace space() {
    return info.space();
  }

  /** {@return its shape in elements, slowest dimension first; empty for a scalar} */
  public long[] shape() {
    return info.space().dims();
  }

  /** {@return its creation order, if its object tracks it} */
  public OptionalLong creationOrder() {
    return info.creationOrder();
  }

  /**
   * {@return its elements as the Java value that suits the type best, by the rules of {@link
   * Dataset#read()}; null for an attribute without elements}
   */
  public Object read() {
    return read(Object.class);
  }

  /**
   * {@return its elements as a Java type: a scalar's class such as {@code Integer} or {@code
   * String}, an array of any dimensions, a record}
   *
   * @param <T> the type of the value
   * @param javaType the class of the result
   * @throws org.hyperslab.error.InvalidUseException if the type or shape cannot become that, or a
   *     number is out of the Java type's range
   */
  public <T> T read(Class<T> javaType) {
    @SuppressWarnings("unchecked") // int.class is a Class<Integer>: boxed is T's own class
    T value = (T) readAs(Values.boxed(javaType));
    return value;
  }

  private Object readAs(Class<?> javaType) {
    try {
      return Values.read(new Values.Request(type(), space(), rule), javaType, this::read);
    } catch (HyperslabException failure) {
      throw located(failure);
    }
  }

  private HyperslabException located(HyperslabException failure) {
    return ErrorContext.named(failure, ErrorContext.attribute(name(), object.place()));
  }

  /** {@return a single element as int, converted} */
  public int readInt() {
    return read(Integer.class);
  }

  /** {@return a single element as long, converted} */
  public long readLong() {
    return read(Long.class);
  }

  /** {@return a single element as double, converted} */
  public double readDouble() {
    return read(Double.class);
  }

  /** {@return a single string} */
  public String readString() {
    return read(String.class);
  }

  /** {@return all elements as ints, converted, in row-major order} */
  public int[] readInts() {
    return read(int[].class);
  }

  /** {@return all elements as longs, converted, in row-major order} */
  public long[] readLongs() {
    return read(long[].class);
  }

  /** {@return all elements as doubles, converted, in row-major order} */
  public double[] readDoubles() {
    return read(double[].class);
  }

  /** {@return all strings, in row-major order} */
  public String[] readStrings() {
    return read(String[].class);
  }

  /**
   * Reads all elements into memory, which must be selected as a whole.
   *
   * @param memory the elements in memory
   */
  public void read(Memory memory) {
    memory.checkWhole("attribute " + name(), space().elementCount());
    memory.requireWritable();
    object.call(
        new AttributeOperation.Read(
            object.here(), name(), memory.type().inMemory(), memory.data()));
  }

  /**
   * Reads all elements in row-major order, converted to the memory form of a type.
   *
   * @param memoryType the datatype of the elements in memory
   * @param target receives the elements, in memory form
   */
  public void read(Datatype memoryType, DataBuffer target) {
    object.call(new AttributeOperation.Read(object.here(), name(), memoryType.inMemory(), target));
  }

  /**
   * Writes all elements from a Java value of the same shape, or from a flat array with the same
   * number of elements.
   *
   * @param value the Java value
   * @throws org.hyperslab.error.InvalidUseException if shape or type do not fit, or a number is out
   *     of the stored type's range
   */
  public void write(Object value) {
    try {
      Memory memory = Memory.of(value, type(), rule);
      if (!(value instanceof Memory)) {
        JavaArrays.requireShape("attribute " + name(), memory.space().dims(), shape());
      }
      write(memory);
    } catch (HyperslabException failure) {
      throw located(failure);
    }
  }

  /**
   * Writes all elements from memory, which must be selected as a whole.
   *
   * @param memory the elements in memory
   */
  public void write(Memory memory) {
    memory.checkWhole("attribute " + name(), space().elementCount());
    write(memory.type(), memory.data());
  }

  /**
   * Writes all elements in row-major order, converted from the memory form of a type.
   *
   * @param memoryType the datatype of the elements in memory
   * @param source the elements to write, in memory form
   */
  public void write(Datatype memoryType, DataBuffer source) {
    Datatype type = memoryType.inMemory();
    DataBuffer exact = H5Object.exact(source, type, space());
    object.call(new AttributeOperation.Write(object.here(), name(), type, exact));
  }

  /** Deletes it from its object. */
  public void delete() {
    object.deleteAttribute(name());
  }

  /** Returns name, type and extent. */
  @Override
  public String toString() {
    return "Attribute[" + name() + ": " + type().describe() + " " + space() + "]";
  }
}
