package org.hyperslab.format.filter;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.hyperslab.format.store.NativeFunction;

/**
 * A filter of a plugin, called by its C function:
 *
 * <pre>
 *   H5Z_class2_t
 *   0         4      8         12        16     24          32          40
 *   +---------+------+---------+---------+------+-----------+-----------+--------+
 *   | version | id   | encodes | decodes | name | can apply | set local | filter |
 *   +---------+------+---------+---------+------+-----------+-----------+--------+
 * </pre>
 *
 * <p>The function gets a buffer of {@code malloc}, which it may replace by another.
 */
final class PluginFilter implements Filter {

  private static final long CLASS_BYTES = 48;
  private static final int MAXIMUM_NAME_BYTES = 256;

  /** The value of {@code H5Z_CLASS_T_VERS}. */
  private static final int VERSION = 1;

  /** The flag {@code H5Z_FLAG_REVERSE}, with which a filter decodes. */
  private static final long REVERSE = 0x100;

  private final NativeFunction allocate = NativeFunction.ofCLibrary("malloc", 1).orElseThrow();
  private final NativeFunction release = NativeFunction.ofCLibrary("free", 1).orElseThrow();
  private final int id;
  private final String name;
  private final NativeFunction function;

  private PluginFilter(int id, String name, MemorySegment function) {
    this.id = id;
    this.name = name;
    this.function = NativeFunction.at(function, 6);
  }

  /**
   * {@return the filter of a class; empty if it is of another version, or does not decode}
   *
   * @param filterClass the address of the class
   */
  static Optional<Filter> of(long filterClass) {
    if (filterClass == 0) {
      return Optional.empty();
    }
    MemorySegment fields = MemorySegment.ofAddress(filterClass).reinterpret(CLASS_BYTES);
    MemorySegment function = fields.get(ValueLayout.ADDRESS, 40);
    boolean decodes =
        fields.get(ValueLayout.JAVA_INT, 0) == VERSION
            && fields.get(ValueLayout.JAVA_INT, 12) != 0
            && function.address() != 0;
    return decodes
        ? Optional.of(new PluginFilter(fields.get(ValueLayout.JAVA_INT, 4), name(fields), function))
        : Optional.empty();
  }

  private static String name(MemorySegment fields) {
    MemorySegment name = fields.get(ValueLayout.ADDRESS, 16);
    return name.address() == 0 ? "" : name.reinterpret(MAXIMUM_NAME_BYTES).getString(0);
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean canEncode() {
    return false;
  }

  @Override
  public long encode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    throw new MalformedDataException("a plugin is called to decode only");
  }

  @Override
  public long decode(MemorySegment source, int[] clientData, FilterOutput out)
      throws MalformedDataException {
    long bytes = source.byteSize();
    long buffer = allocate.call(value(Math.max(1, bytes)));
    if (buffer == 0) {
      throw new OutOfMemoryError("malloc of " + bytes + " bytes for filter " + id);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment.ofAddress(buffer).reinterpret(bytes).copyFrom(source);
      MemorySegment size = arena.allocateFrom(ValueLayout.JAVA_LONG, bytes);
      MemorySegment place = arena.allocateFrom(ValueLayout.JAVA_LONG, buffer);
      MemorySegment values = arena.allocate(4L * Math.max(1, clientData.length), 4);
      MemorySegment.copy(clientData, 0, values, ValueLayout.JAVA_INT, 0, clientData.length);
      long made =
          function.call(
              value(REVERSE), value(clientData.length), values, value(bytes), size, place);
      buffer = place.get(ValueLayout.JAVA_LONG, 0);
      return take(made, buffer, out);
    } finally {
      release.call(value(buffer));
    }
  }

  private long take(long made, long buffer, FilterOutput out) throws MalformedDataException {
    if (made <= 0) {
      throw new MalformedDataException(
          "the plugin's function returned 0, expected=the length of its result");
    }
    out.segment(made).asSlice(0, made).copyFrom(MemorySegment.ofAddress(buffer).reinterpret(made));
    return made;
  }
}
