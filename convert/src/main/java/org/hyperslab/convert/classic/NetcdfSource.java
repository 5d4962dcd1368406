package org.hyperslab.convert.classic;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.ClassicType;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.SourceFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.model.Variable.Traits;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;

/** A source that reads a classic netCDF file. Numbers become little-endian, as in netCDF-4. */
public final class NetcdfSource implements SourceFile {

  private static final String FILL = "_FillValue";
  private static final long SMALL_CHUNK_BYTES = 4096;
  private static final long LARGE_CHUNK_BYTES = 1 << 20;

  private final FileBytes file;
  private final GroupNode root = GroupNode.empty("/");
  private final ClassicHeader header;

  private NetcdfSource(FileBytes file) {
    this.file = file;
    this.header = ClassicReader.read(file);
  }

  /**
   * Opens a classic file.
   *
   * @param path the file
   * @return the source, to be closed
   * @throws CorruptFileException if it is not a valid classic file
   */
  public static NetcdfSource open(Path path) {
    FileBytes file = FileBytes.open(path);
    try {
      NetcdfSource source = new NetcdfSource(file);
      source.fill();
      return source;
    } catch (RuntimeException | Error failure) {
      file.close();
      throw failure;
    }
  }

  /** Returns the version: 1, 2 or 5. */
  public int version() {
    return header.version();
  }

  private void fill() {
    for (ClassicHeader.Axis axis : header.dimensions()) {
      boolean unlimited = axis.length() == 0;
      long length = unlimited ? header.records() : axis.length();
      root.dimensions().add(new Dimension("/" + axis.name(), length, unlimited));
    }
    header.attributes().forEach(a -> root.attributes().add(attribute(a)));
    header.variables().forEach(v -> root.variables().add(variable(v)));
  }

  @Override
  public GroupNode root() {
    return root;
  }

  private Variable variable(ClassicHeader.Array array) {
    List<Dimension> dimensions = new ArrayList<>();
    array.axes().forEach(axis -> dimensions.add(root.dimensions().get(axis)));
    long[] dims = dimensions.stream().mapToLong(Dimension::length).toArray();
    List<AttributeValue> attributes = array.attributes().stream().map(a -> attribute(a)).toList();
    Traits traits =
        Traits.NONE
            .withAttributes(attributes)
            .withDimensions(dimensions)
            .withFill(DataBuffer.of(MemorySegment.ofArray(fillOf(array))));
    Dataspace space = dims.length == 0 ? Dataspace.scalar() : Dataspace.simple(dims);
    if (header.isRecord(array)) {
      long[] most = dims.clone();
      most[0] = Dataspace.UNLIMITED;
      space = Dataspace.simple(dims, most);
      traits = traits.withChunk(chunk(dims, array.type().size()));
    }
    return new Variable(
        "/" + array.name(),
        array.type().memory(),
        space,
        traits,
        new ClassicElements(file, header, array, dims));
  }

  /**
   * Returns blocks of one record, of several records if they are small, or of parts of a record if
   * it is large.
   */
  private static long[] chunk(long[] dims, int size) {
    long[] endless = dims.clone();
    endless[0] = Long.MAX_VALUE;
    long[] chunk = Boxes.rows(endless, SMALL_CHUNK_BYTES / size);
    if (chunk[0] > 1 || dims.length == 1) {
      return chunk;
    }
    endless[0] = 1;
    return Boxes.rows(endless, LARGE_CHUNK_BYTES / size);
  }

  /** Returns the variable's fill value, or the default of its type, in the model's byte order. */
  private static byte[] fillOf(ClassicHeader.Array array) {
    for (ClassicHeader.Text attribute : array.attributes()) {
      if (attribute.name().equals(FILL)
          && attribute.type() == array.type()
          && attribute.values().length == array.type().size()) {
        byte[] value = attribute.values().clone();
        array.type().swap(MemorySegment.ofArray(value), 1);
        return value;
      }
    }
    return array.type().fill(ByteOrder.LITTLE_ENDIAN);
  }

  private static AttributeValue attribute(ClassicHeader.Text text) {
    byte[] values = text.values().clone();
    MemorySegment elements = MemorySegment.ofArray(values);
    if (text.type() != ClassicType.CHAR) {
      text.type().swap(elements, values.length / text.type().size());
      Dataspace space =
          values.length == 0
              ? Dataspace.nullSpace()
              : Dataspace.simple(values.length / text.type().size());
      return new AttributeValue(text.name(), text.type().memory(), space, DataBuffer.of(elements));
    }
    if (values.length == 0) {
      return new AttributeValue(
          text.name(), ClassicType.CHAR.memory(), Dataspace.nullSpace(), DataBuffer.of(elements));
    }
    return new AttributeValue(
        text.name(), stringType(values), Dataspace.scalar(), DataBuffer.of(elements));
  }

  /** Returns a string type of exactly this number of bytes, without a terminator. */
  private static StringType stringType(byte[] values) {
    boolean hasNul = false;
    boolean ascii = true;
    for (byte value : values) {
      hasNul |= value == 0;
      ascii &= value >= 0;
    }
    boolean utf8 =
        !ascii
            && Arrays.equals(
                new String(values, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8),
                values);
    return new StringType(
        values.length,
        hasNul ? StringPadding.NULLPAD : StringPadding.NULLTERM,
        utf8 ? CharacterSet.UTF8 : CharacterSet.ASCII);
  }

  @Override
  public void close() {
    file.close();
  }
}
