package org.hyperslab.convert.rewrite;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;

/**
 * Reads fixed-length strings as arrays of characters with an additional dimension, because netCDF
 * has no fixed-length strings. The bytes stay the same. The dimension is named {@code string5} for
 * strings of 5 bytes, and the attribute {@code _Encoding} marks UTF-8 text, as in xarray and
 * netCDF4-python.
 *
 * @param strings the elements as strings
 * @param length the bytes of a string
 */
public record CharArrays(ElementReader strings, int length) implements ElementReader {

  /** The type in which netCDF-4 stores a character. */
  public static final StringType CHARACTER =
      new StringType(1, StringPadding.NULLTERM, CharacterSet.ASCII);

  private static final String ENCODING = "_Encoding";

  /**
   * Converts a variable of fixed-length strings to a variable of characters.
   *
   * @param variable any variable
   * @param known the dimensions of the group, which may include the dimension of the characters
   * @param work reads the strings if they are marked as UTF-8, which they need not be
   * @return the new variable, or the given one if it does not hold fixed-length strings of several
   *     bytes
   */
  public static Variable of(Variable variable, List<Dimension> known, ConversionRun work) {
    if (!(variable.type() instanceof StringType type)
        || type.size() == 1
        || variable.space().kind() == Dataspace.Kind.NULL) {
      return variable;
    }
    Dataspace space = variable.space();
    int rank = space.rank();
    long[] dims = Arrays.copyOf(space.dims(), rank + 1);
    long[] most = new long[rank + 1];
    for (int axis = 0; axis < rank; axis++) {
      most[axis] = space.maxDim(axis);
    }
    dims[rank] = type.size();
    most[rank] = type.size();
    return new Variable(
        variable.path(),
        CHARACTER,
        Dataspace.simple(dims, most),
        traits(variable, type, known, work),
        new CharArrays(variable.elements(), type.size()));
  }

  private static Variable.Traits traits(
      Variable variable, StringType type, List<Dimension> known, ConversionRun work) {
    Variable.Traits traits = variable.traits();
    List<Dimension> dimensions = new ArrayList<>(traits.dimensions());
    Dataspace space = variable.space();
    for (int axis = dimensions.size(); axis < space.rank(); axis++) {
      boolean unlimited = space.maxDim(axis) == Dataspace.UNLIMITED;
      dimensions.add(new Dimension("", space.dim(axis), unlimited));
    }
    dimensions.add(dimension(type.size(), known));
    List<Long> chunk = new ArrayList<>(traits.chunk());
    if (!chunk.isEmpty()) {
      chunk.add((long) type.size());
    }
    List<AttributeValue> attributes =
        new ArrayList<>(MissingValues.ofCharacters(traits.attributes()));
    if (variable.attribute(ENCODING).isEmpty() && isUtf8(variable, type, work)) {
      attributes.add(AttributeValue.ofText(ENCODING, "utf-8"));
    }
    return new Variable.Traits(dimensions, attributes, chunk, traits.filters(), Optional.empty());
  }

  /** Other programs do not read a variable of a wrong encoding. */
  private static boolean isUtf8(Variable variable, StringType type, ConversionRun work) {
    boolean isMarked = type.charset() == CharacterSet.UTF8;
    if (!isMarked || variable.elements() instanceof FixedText) {
      return isMarked;
    }
    AtomicBoolean isUtf8 = new AtomicBoolean(true);
    work.scan(
        variable,
        (box, strings) -> {
          for (long i = 0; i < box.elements() && isUtf8.get(); i++) {
            if (!FixedText.isUtf8(strings.elements().asSlice(i * type.size(), type.size()))) {
              isUtf8.set(false);
            }
          }
        });
    return isUtf8.get();
  }

  private static Dimension dimension(int length, List<Dimension> known) {
    StringBuilder path = new StringBuilder("/string" + length);
    while (true) {
      Dimension wanted = new Dimension(path.toString(), length, false);
      boolean free =
          known.stream().allMatch(d -> !d.path().equals(wanted.path()) || d.equals(wanted));
      if (free) {
        return wanted;
      }
      path.append('_');
    }
  }

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    int rank = count.length - 1;
    long[] outerStart = Arrays.copyOf(start, rank);
    long[] outer = Arrays.copyOf(count, rank);
    if (count[rank] == length) {
      strings.read(outerStart, outer, target);
      return;
    }
    byte[] whole = new byte[Math.toIntExact(Math.multiplyExact(Dataspace.product(outer), length))];
    MemorySegment from = MemorySegment.ofArray(whole);
    strings.read(outerStart, outer, DataBuffer.of(from));
    long[] dims = Arrays.copyOf(outer, rank + 1);
    dims[rank] = length;
    long[] first = new long[rank + 1];
    first[rank] = start[rank];
    Boxes.runs(
        dims,
        first,
        count,
        (in, to, run) -> MemorySegment.copy(from, in, target.elements(), to, run));
  }

  @Override
  public long[] block(long[] dims, long most) {
    int rank = dims.length - 1;
    long strings = Math.max(1, most / length);
    long[] outer = this.strings.block(Arrays.copyOf(dims, rank), strings);
    long[] block = Arrays.copyOf(outer, rank + 1);
    block[rank] = length;
    return most < length ? Boxes.rows(dims, most) : block;
  }
}
