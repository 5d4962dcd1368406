package org.hyperslab.convert.classic;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.hyperslab.convert.bytes.InputBytes;
import org.hyperslab.convert.model.ClassicType;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.NameBytes;

/**
 * Reads the header of a classic file. Every count is checked against the remaining bytes.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ClassicReader {

  private static final int WINDOW_BYTES = 1 << 16;
  private static final int MAX_DIMENSIONS = 32;
  private static final long STREAMING = -1;

  private final InputBytes file;
  private byte[] window = new byte[0];
  private long windowStart;
  private long at;
  private int version;

  private ClassicReader(InputBytes file) {
    this.file = file;
  }

  static ClassicHeader read(InputBytes file) {
    try {
      return new ClassicReader(file).header();
    } catch (ArithmeticException tooLarge) {
      throw new CorruptFileException(
          file.name(), "netCDF header", 0, "actual=sizes of 2^63 bytes or more", tooLarge);
    }
  }

  private CorruptFileException corrupt(String problem) {
    return new CorruptFileException(file.name(), "netCDF header", at, problem);
  }

  private ClassicHeader header() {
    byte[] magic = bytes(4);
    version = magic[3];
    if (magic[0] != 'C'
        || magic[1] != 'D'
        || magic[2] != 'F'
        || (version != 1 && version != 2 && version != 5)) {
      throw corrupt("actual=another magic number, expected=CDF and version 1, 2 or 5");
    }
    long records = version == 5 ? longWord() : word();
    if (version != 5 && records != STREAMING) {
      records &= 0xFFFFFFFFL;
    }
    List<ClassicHeader.Axis> dimensions =
        list(
            ClassicHeader.DIMENSION_TAG,
            () -> new ClassicHeader.Axis(name(), count("dimension length")));
    requireUnique(dimensions.stream().map(ClassicHeader.Axis::name).toList());
    if (dimensions.stream().filter(axis -> axis.length() == 0).count() > 1) {
      throw corrupt("actual=two record dimensions, expected=one at most");
    }
    List<ClassicHeader.Text> attributes = attributes();
    List<ClassicHeader.Array> variables =
        list(ClassicHeader.VARIABLE_TAG, () -> variable(dimensions));
    requireUnique(variables.stream().map(ClassicHeader.Array::name).toList());
    ClassicHeader header =
        new ClassicHeader(version, Math.max(0, records), dimensions, attributes, variables);
    if (records < STREAMING) {
      throw corrupt("actual=" + records + " records, expected=0 or more");
    }
    ClassicHeader counted = records == STREAMING ? streamed(header) : header;
    requireElements(counted);
    return counted;
  }

  /** Computes the number of complete records of a file whose header does not give it. */
  private ClassicHeader streamed(ClassicHeader header) {
    long begin =
        header.variables().stream()
            .filter(header::isRecord)
            .mapToLong(ClassicHeader.Array::begin)
            .min()
            .orElse(file.size());
    long recordBytes = header.recordBytes();
    long records =
        recordBytes == 0 || begin >= file.size() ? 0 : (file.size() - begin) / recordBytes;
    return new ClassicHeader(
        header.version(), records, header.dimensions(), header.attributes(), header.variables());
  }

  private void requireElements(ClassicHeader header) {
    long recordBytes = header.recordBytes();
    for (ClassicHeader.Array variable : header.variables()) {
      long bytes = header.innerBytes(variable);
      long end = Math.addExact(variable.begin(), bytes);
      if (header.isRecord(variable)) {
        if (header.records() == 0) {
          continue;
        }
        end = Math.addExact(end, Math.multiplyExact(header.records() - 1, recordBytes));
      }
      if (variable.begin() < 0 || end > file.size()) {
        throw new CorruptFileException(
            file.name(),
            "netCDF variable \"" + variable.name() + "\"",
            variable.begin(),
            "actual=the file ends at " + file.size() + ", expected=elements until " + end);
      }
    }
  }

  private void requireUnique(List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw corrupt("actual=the name \"" + name + "\" twice, expected=once");
      }
    }
  }

  private List<ClassicHeader.Text> attributes() {
    List<ClassicHeader.Text> attributes = list(ClassicHeader.ATTRIBUTE_TAG, this::attribute);
    requireUnique(attributes.stream().map(ClassicHeader.Text::name).toList());
    return attributes;
  }

  private ClassicHeader.Text attribute() {
    String name = name();
    ClassicType type = type();
    long count = count("attribute length");
    long bytes = Math.multiplyExact(count, (long) type.size());
    file.requireWithin(at, bytes);
    if (bytes > Integer.MAX_VALUE - 8) {
      throw corrupt("actual=an attribute of " + bytes + " bytes, expected<=2147483639");
    }
    byte[] values = bytes((int) bytes);
    skipPadding(bytes);
    return new ClassicHeader.Text(name, type, values);
  }

  private ClassicHeader.Array variable(List<ClassicHeader.Axis> dimensions) {
    String name = name();
    long rank = count("number of dimensions");
    if (rank > MAX_DIMENSIONS) {
      throw corrupt("actual=" + rank + " dimensions, expected<=" + MAX_DIMENSIONS);
    }
    List<Integer> axes = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      long number = count("number of a dimension");
      if (number >= dimensions.size()) {
        throw corrupt(
            "actual=dimension " + number + ", expected<" + dimensions.size() + " dimensions");
      }
      if (i > 0 && dimensions.get((int) number).length() == 0) {
        throw corrupt("actual=the record dimension at " + i + ", expected=first");
      }
      axes.add((int) number);
    }
    List<ClassicHeader.Text> attributes = attributes();
    ClassicType type = type();
    long _ = version == 5 ? longWord() : word(); // vsize, which may be too small
    long begin = version == 1 ? word() : longWord();
    if (begin < 0) {
      throw corrupt("actual=a variable at " + begin + ", expected=0 or more");
    }
    return new ClassicHeader.Array(name, List.copyOf(axes), attributes, type, begin);
  }

  private ClassicType type() {
    int number = word();
    return ClassicType.ofNumber(number)
        .filter(type -> version == 5 || !type.needsCdf5())
        .orElseThrow(() -> corrupt("actual=type " + number + ", expected=one of CDF-" + version));
  }

  private <T> List<T> list(int tag, Supplier<T> element) {
    int actual = word();
    long count = count("count");
    if (actual != tag && (actual != 0 || count != 0)) {
      throw corrupt("actual=tag " + actual + ", expected=" + tag + ", or 0 for nothing");
    }
    file.requireWithin(
        at, Math.multiplyExact(count, 8L)); // each element has at least a name and a number
    List<T> elements = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      elements.add(element.get());
    }
    return List.copyOf(elements);
  }

  private long count(String what) {
    long count = version == 5 ? longWord() : word();
    if (count < 0) {
      throw corrupt(what + ": actual=" + count + ", expected=0 or more");
    }
    return count;
  }

  private String name() {
    long length = count("length of a name");
    if (length == 0 || length > 64 << 10) {
      throw corrupt("actual=a name of " + length + " bytes, expected=1 to 65536");
    }
    byte[] bytes = bytes((int) length);
    skipPadding(length);
    String name = NameBytes.decode(bytes, 0, endOfText(bytes));
    if (name.isEmpty() || name.indexOf('/') >= 0 || name.equals(".") || name.equals("..")) {
      throw corrupt("actual=the name \"" + name + "\", expected=a name without path separators");
    }
    return name;
  }

  /** Returns the index of the first NUL, at which a name ends that is padded within its length. */
  private static int endOfText(byte[] bytes) {
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return end;
  }

  private void skipPadding(long bytes) {
    at += ClassicHeader.padded(bytes) - bytes;
  }

  private int word() {
    return ByteBuffer.wrap(bytes(4)).getInt();
  }

  private long longWord() {
    return ByteBuffer.wrap(bytes(8)).getLong();
  }

  private byte[] bytes(int count) {
    file.requireWithin(at, count);
    byte[] bytes;
    if (count > WINDOW_BYTES) {
      bytes = file.read(at, count);
    } else {
      if (at < windowStart || at + count > windowStart + window.length) {
        window = file.read(at, (int) Math.min(WINDOW_BYTES, file.size() - at));
        windowStart = at;
      }
      int from = (int) (at - windowStart);
      bytes = Arrays.copyOfRange(window, from, from + count);
    }
    at += count;
    return bytes;
  }
}
