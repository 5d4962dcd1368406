package org.hyperslab.netcdf;

import java.lang.reflect.Array;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.OptionalLong;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.FillValue;
import org.hyperslab.netcdf.time.CfDateTime;
import org.hyperslab.netcdf.time.CfTime;

/**
 * A part of a variable whose elements are read and written as the values that they stand for:
 * missing values are NaN, packed numbers are unpacked, and numbers of a time are dates.
 *
 * <p>A stored number is missing if it equals {@code _FillValue} or one of {@code missing_value}, or
 * is outside {@code valid_range}, {@code valid_min} and {@code valid_max}, which are in the units
 * of stored numbers; without {@code _FillValue}, the default fill value of types of more than one
 * byte marks missing values too. {@code _Unsigned} "true" makes signed integers unsigned, and
 * "false" unsigned ones signed. The value is then the number times {@code scale_factor} plus {@code
 * add_offset}.
 *
 * <p>Thread rule: immutable; any thread.
 */
public final class DecodedSection {

  private final NetcdfSection section;
  private final NetcdfVariable variable;
  private final Packing packing;

  DecodedSection(NetcdfSection section, NetcdfVariable variable) {
    this.section = section;
    this.variable = variable;
    this.packing = new Packing(new Packed(variable));
  }

  /** What a variable says of its packing. */
  private record Packed(NetcdfVariable variable) implements Packing.Subject {

    @Override
    public Datatype type() {
      return variable.type();
    }

    @Override
    public String path() {
      return variable.path();
    }

    @Override
    public boolean isFilled() {
      return variable.dataset().options().fillTime() != FillValue.Time.NEVER;
    }

    @Override
    public boolean hasAttribute(String name) {
      return variable.hasAttribute(name);
    }

    @Override
    public Object attribute(String name) {
      return variable.attribute(name);
    }

    @Override
    public Datatype attributeType(String name) {
      return variable.attributeType(name);
    }
  }

  // --- numbers ---

  /**
   * Reads the values.
   *
   * @param <T> the type of the result
   * @param javaType {@code double[].class} or {@code float[].class} for a flat array, an array of
   *     as many dimensions as the section has, or for one element {@code Double.class} or {@code
   *     Float.class}; {@code Object.class} gives doubles in as many dimensions
   * @return the values in row-major order; NaN for missing ones
   * @throws InvalidUseException if the Java type is another, or the section reaches beyond the
   *     shape
   */
  public <T> T read(Class<T> javaType) {
    Class<?> leaf = javaType;
    int depth = 0;
    for (; leaf.isArray(); leaf = leaf.componentType()) {
      depth++;
    }
    int rank = section.shape().length;
    if (javaType == Object.class) {
      leaf = double.class;
      depth = rank;
    }
    boolean isFloat = leaf == float.class || leaf == Float.class;
    boolean isDouble = leaf == double.class || leaf == Double.class;
    boolean isBoxed = depth > 0 && !leaf.isPrimitive();
    boolean isShape = depth == 1 || depth == rank || depth == 0 && section.elementCount() == 1;
    if (!isFloat && !isDouble || isBoxed || !isShape) {
      throw new InvalidUseException(
          "decoded values: actual="
              + javaType.getSimpleName()
              + ", expected=double[].class, float[].class, or one with "
              + rank
              + " dimensions; read() of the section gives the elements as they are stored, at="
              + variable.path());
    }
    double[] values = values();
    Object flat = isFloat ? floats(values) : values;
    if (depth == 0) {
      @SuppressWarnings("unchecked") // Float or Double; the class may be that of the primitive
      T one = (T) Array.get(flat, 0);
      return one;
    }
    return javaType.cast(depth > 1 ? FilledArray.nest(flat, section.shape()) : flat);
  }

  /**
   * Returns which elements are missing. Numbers that {@code double} cannot hold are read as they
   * are stored, with {@link NetcdfSection#read}, beside this.
   *
   * @return whether each element is missing or NaN, in row-major order
   */
  public boolean[] missing() {
    double[] values = values();
    boolean[] missing = new boolean[values.length];
    for (int i = 0; i < missing.length; i++) {
      missing[i] = Double.isNaN(values[i]);
    }
    return missing;
  }

  private double[] values() {
    double[] values;
    if (packing.isLong()) {
      long[] stored = longs();
      values = new double[stored.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = packing.decode(stored[i]);
      }
      return values;
    }
    values = section.read(double[].class);
    for (int i = 0; i < values.length; i++) {
      values[i] = packing.decode(values[i]);
    }
    return values;
  }

  /** Reads 64 bits of each element. */
  private long[] longs() {
    if (!packing.isStoredUnsigned()) {
      return section.read(long[].class);
    }
    return Arrays.stream(section.read(BigInteger[].class))
        .mapToLong(BigInteger::longValue)
        .toArray();
  }

  private static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  /**
   * Writes values, and extends unlimited dimensions as {@link NetcdfSection#write} does. NaN is
   * stored as {@code _FillValue}, or else the last {@code missing_value}, or else the default fill
   * value; packed integers are rounded to the nearest number, half to the even one.
   *
   * @param values a number, or an array of numbers of the section's shape, or flat
   * @throws InvalidUseException if the shape is another, a packed value does not fit the stored
   *     type, or a value would be read as missing
   */
  public void write(Object values) {
    Memory memory = Memory.of(values);
    section.requireShape(values, memory);
    Object flat = flat(values, Math.toIntExact(memory.selectedCount()));
    boolean isWhole = !(flat instanceof double[]);
    section.write(isWhole && packing.isPlain() && packing.isInteger() ? flat : encoded(flat));
  }

  private Object encoded(Object flat) {
    double[] values =
        flat instanceof long[] longs
            ? Arrays.stream(longs).asDoubleStream().toArray()
            : (double[]) flat;
    if (!packing.isInteger()) {
      double[] stored = new double[values.length];
      for (int i = 0; i < stored.length; i++) {
        stored[i] = packing.encodeFloat(values[i], i);
      }
      return stored;
    }
    long[] stored = new long[values.length];
    for (int i = 0; i < stored.length; i++) {
      stored[i] = packing.encodeInteger(values[i], i);
    }
    return integers(stored);
  }

  /**
   * Returns integers in the form in which they are written: unsigned ones of 64 bits as objects.
   */
  private Object integers(long[] stored) {
    return packing.isLong() && packing.isStoredUnsigned()
        ? Arrays.stream(stored)
            .mapToObj(bits -> new BigInteger(Long.toUnsignedString(bits)))
            .toArray(BigInteger[]::new)
        : stored;
  }

  /** Returns doubles, or longs if all numbers are whole ones of Java. */
  private Object flat(Object values, int count) {
    Class<?> leaf = values.getClass();
    while (leaf.isArray()) {
      leaf = leaf.componentType();
    }
    boolean isWhole =
        leaf == long.class || leaf == int.class || leaf == short.class || leaf == byte.class;
    Object flat = isWhole ? new long[count] : new double[count];
    int end = fill(flat, 0, values);
    if (end != count) {
      throw new InvalidUseException(
          "values: actual=" + end + ", expected=" + count + ", at=" + variable.path());
    }
    return flat;
  }

  private int fill(Object flat, int from, Object values) {
    if (values.getClass().isArray()) {
      int at = from;
      for (int i = 0; i < Array.getLength(values); i++) {
        at = fill(flat, at, Array.get(values, i));
      }
      return at;
    }
    if (!(values instanceof Number number)) {
      throw new InvalidUseException(
          "decoded values: actual="
              + values.getClass().getSimpleName()
              + ", expected=numbers, or dates with writeTimes, at="
              + variable.path());
    }
    if (flat instanceof long[] longs) {
      longs[from] = number.longValue();
    } else {
      ((double[]) flat)[from] = number.doubleValue();
    }
    return from + 1;
  }

  // --- times ---

  /**
   * Reads the dates of a time coordinate, in its calendar.
   *
   * @return the dates in row-major order; null for missing ones
   * @throws InvalidUseException if the variable has no units of time ({@link NetcdfVariable#time})
   */
  public CfDateTime[] readCfTimes() {
    CfTime time = variable.time();
    if (packing.isLong() && packing.isPlain()) {
      long[] stored = longs();
      CfDateTime[] dates = new CfDateTime[stored.length];
      for (int i = 0; i < dates.length; i++) {
        dates[i] = packing.isMissing(stored[i]) ? null : time.decode(signed(stored[i]));
      }
      return dates;
    }
    return Arrays.stream(values())
        .mapToObj(value -> Double.isNaN(value) ? null : time.decode(value))
        .toArray(CfDateTime[]::new);
  }

  private long signed(long stored) {
    return packing.whole(stored).longValueExact();
  }

  /**
   * Reads the dates of a time coordinate as dates of {@code java.time} with the same year, month
   * and day.
   *
   * @return the dates in row-major order; null for missing ones
   * @throws InvalidUseException if the variable has no units of time, or a date is not one of
   *     {@code java.time}: February 30 of the calendar 360_day
   */
  public LocalDateTime[] readTimes() {
    return Arrays.stream(readCfTimes())
        .map(date -> date == null ? null : date.toLocalDateTime())
        .toArray(LocalDateTime[]::new);
  }

  /**
   * Writes dates as numbers in the variable's units and calendar.
   *
   * @param dates a date for each element, in row-major order; null for a missing one
   * @throws InvalidUseException if the variable has no units of time or is of integers and a date
   *     is between two of its units, or its calendar has no such day
   */
  public void writeTimes(LocalDateTime... dates) {
    CfTime time = variable.time();
    writeCfTimes(
        Arrays.stream(dates)
            .map(date -> date == null ? null : CfDateTime.of(time.calendar(), date))
            .toArray(CfDateTime[]::new));
  }

  /**
   * Writes dates of the variable's calendar as numbers in its units.
   *
   * @param dates a date for each element, in row-major order; null for a missing one
   * @throws InvalidUseException as {@link #writeTimes}
   */
  public void writeCfTimes(CfDateTime... dates) {
    CfTime time = variable.time();
    if (packing.isInteger() && packing.isPlain()) {
      long[] stored = new long[dates.length];
      for (int i = 0; i < stored.length; i++) {
        stored[i] =
            dates[i] == null ? packing.encodeInteger(Double.NaN, i) : whole(time, dates[i], i);
      }
      section.write(integers(stored));
      return;
    }
    double[] values = new double[dates.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = dates[i] == null ? Double.NaN : time.encode(dates[i]);
    }
    write(values);
  }

  private long whole(CfTime time, CfDateTime date, int index) {
    OptionalLong whole = time.encodeWhole(date);
    if (whole.isEmpty() || packing.isMissing(whole.getAsLong())) {
      throw new InvalidUseException(
          "time: actual="
              + date
              + ", expected=a whole number of \""
              + time
              + "\" that does not mark a missing value, because the variable is of integers; use a"
              + " shorter unit, or the type double, at=element "
              + index
              + " of "
              + variable.path());
    }
    return whole.getAsLong();
  }
}
