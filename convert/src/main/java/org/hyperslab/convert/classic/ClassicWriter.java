package org.hyperslab.convert.classic;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.io.NameBytes;

/**
 * Writes the header of a classic file.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ClassicWriter {

  private static final long MAX_VSIZE = 0xFFFFFFFFL;

  private final ClassicHeader header;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private ClassicWriter(ClassicHeader header) {
    this.header = header;
  }

  /** Returns the header's bytes. */
  static byte[] encode(ClassicHeader header) {
    ClassicWriter writer = new ClassicWriter(header);
    writer.write();
    return writer.out.toByteArray();
  }

  /**
   * Assigns a position to each variable, first to variables without records, then to the records,
   * and returns the header.
   *
   * @throws ArithmeticException if a position exceeds 2^63 - 1
   */
  static ClassicHeader placed(ClassicHeader header) {
    long at = ClassicHeader.padded(encode(header).length);
    List<ClassicHeader.Array> placed = new ArrayList<>(header.variables());
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < placed.size(); i++) {
        ClassicHeader.Array array = placed.get(i);
        if (header.isRecord(array) == (pass == 1)) {
          placed.set(
              i,
              new ClassicHeader.Array(
                  array.name(), array.axes(), array.attributes(), array.type(), at));
          at = Math.addExact(at, ClassicHeader.padded(header.innerBytes(array)));
        }
      }
    }
    return new ClassicHeader(
        header.version(), header.records(), header.dimensions(), header.attributes(), placed);
  }

  private void write() {
    out.writeBytes(new byte[] {'C', 'D', 'F', (byte) header.version()});
    number(header.records());
    count(ClassicHeader.DIMENSION_TAG, header.dimensions().size());
    for (ClassicHeader.Axis axis : header.dimensions()) {
      name(axis.name());
      number(axis.length());
    }
    attributes(header.attributes());
    count(ClassicHeader.VARIABLE_TAG, header.variables().size());
    header.variables().forEach(this::variable);
  }

  private void variable(ClassicHeader.Array array) {
    name(array.name());
    number(array.axes().size());
    array.axes().forEach(this::number);
    attributes(array.attributes());
    word(array.type().number());
    long vsize = ClassicHeader.padded(header.innerBytes(array));
    number(header.version() == 5 ? vsize : Math.min(vsize, MAX_VSIZE));
    if (header.version() == 1) {
      word((int) array.begin());
    } else {
      longWord(array.begin());
    }
  }

  private void attributes(List<ClassicHeader.Text> attributes) {
    count(ClassicHeader.ATTRIBUTE_TAG, attributes.size());
    for (ClassicHeader.Text attribute : attributes) {
      name(attribute.name());
      word(attribute.type().number());
      number(attribute.values().length / attribute.type().size());
      padded(attribute.values());
    }
  }

  private void count(int tag, int count) {
    word(count == 0 ? 0 : tag);
    number(count);
  }

  private void name(String name) {
    byte[] bytes = NameBytes.encode(name);
    number(bytes.length);
    padded(bytes);
  }

  private void padded(byte[] bytes) {
    out.writeBytes(bytes);
    out.writeBytes(new byte[(int) (ClassicHeader.padded(bytes.length) - bytes.length)]);
  }

  private void number(long value) {
    if (header.version() == 5) {
      longWord(value);
    } else {
      word((int) value);
    }
  }

  private void word(int value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      out.write(value >>> shift);
    }
  }

  private void longWord(long value) {
    word((int) (value >>> 32));
    word((int) value);
  }
}
