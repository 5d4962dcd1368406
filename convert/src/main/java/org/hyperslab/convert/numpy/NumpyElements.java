package org.hyperslab.convert.numpy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.Boxes.Box;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.rewrite.FixedText;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.interchange.numpy.NpyHead;
import org.hyperslab.interchange.numpy.PythonLiteral;

/**
 * Provides a variable as a NumPy array.
 *
 * @param variable the variable
 * @param descr NumPy's type, as a Python literal
 * @param layout the type whose elements have the same bytes as NumPy's
 * @param text the positions of text in an element, which becomes four bytes for each character
 */
public record NumpyElements(
    Variable variable, String descr, Datatype layout, Optional<UcsText> text) {

  /** Receives blocks of elements in NumPy's form. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Receives the elements of a box.
     *
     * @param box the box
     * @param elements the elements, in row-major order; valid only during the call
     */
    void accept(Box box, MemorySegment elements);
  }

  /**
   * Prepares a variable for NumPy.
   *
   * @param variable the variable
   * @param format what the array is for, in messages
   * @param work receives a report of properties that NumPy cannot represent
   * @return the array, or empty if NumPy has no such type and the user tolerates this
   */
  public static Optional<NumpyElements> of(Variable variable, String format, ConversionRun work) {
    if (variable.space().kind() == Dataspace.Kind.NULL) {
      work.reportLoss(Variable.NULL_SPACE, variable.path());
      return Optional.empty();
    }
    if (variable.type() instanceof VlenStringType) {
      return FixedText.ofCharacters(variable, work).map(NumpyElements::ofText);
    }
    Optional<String> kept = NumpyAttribute.of(variable);
    if (kept.isPresent()) {
      Object parsed = PythonLiteral.parse(kept.get(), variable.path());
      NumpyType type = NumpyType.of(parsed, variable.path());
      return Optional.of(new NumpyElements(variable, kept.get(), type.type(), type.text()));
    }
    Datatype element = variable.type();
    while (element instanceof ArrayType array) {
      element = array.base();
    }
    Optional<String> descr = Descr.of(element, what -> reportUnlessText(what, variable, work));
    if (descr.isEmpty()) {
      work.reportLoss(
          "elements of a type that " + format + " does not have, " + variable.type().describe(),
          variable.path());
    }
    return descr.map(
        name -> new NumpyElements(variable, name, Descr.layout(variable.type()), Optional.empty()));
  }

  /**
   * Returns the same elements without gaps between members, for formats that cannot describe gaps.
   * Types given by the attribute {@code numpy_dtype} are not changed.
   */
  public NumpyElements packed() {
    Datatype without = packed(layout);
    Datatype base = without;
    while (base instanceof ArrayType array) {
      base = array.base();
    }
    boolean isSame = without.size() == layout.size() || text.isPresent();
    return isSame
        ? this
        : new NumpyElements(variable, Descr.of(base, _ -> {}).orElseThrow(), without, text);
  }

  private static Datatype packed(Datatype type) {
    return switch (type) {
      case ArrayType array -> new ArrayType(array.dimensions(), packed(array.base()));
      case CompoundType compound -> {
        CompoundType.Builder builder = CompoundType.builder();
        compound.members().forEach(member -> builder.member(member.name(), packed(member.type())));
        yield builder.build();
      }
      default -> type;
    };
  }

  /** Returns fixed-length UTF-8 strings as NumPy text. */
  private static NumpyElements ofText(Variable fixed) {
    int characters = fixed.type().size() / 4;
    return new NumpyElements(
        fixed,
        NpyHeader.literal("<U" + characters),
        fixed.type(),
        Optional.of(new UcsText.Field(characters, false)));
  }

  /** Keeps the bytes of text, as h5py does; NumPy cannot record the character set. */
  private static void reportUnlessText(String what, Variable variable, ConversionRun work) {
    if (!what.startsWith("text in UTF-8")) {
      work.reportLoss(what, variable.path());
    }
  }

  /**
   * Returns the parsed description.
   *
   * @return a String, or a List of fields
   */
  public Object parsedDescr() {
    return PythonLiteral.parse(descr, variable.path());
  }

  /**
   * Returns whether an attribute contains just this description.
   *
   * @param attribute an attribute of the variable
   * @return true if NumPy's type already contains this information
   */
  public boolean isKeptBy(AttributeValue attribute) {
    return attribute.name().equals(NumpyAttribute.NAME) && NumpyAttribute.of(variable).isPresent();
  }

  /**
   * Returns the type of an element, without the dimensions of an array type.
   *
   * @return the type whose bytes are NumPy's
   */
  public Datatype baseLayout() {
    Datatype element = layout;
    while (element instanceof ArrayType array) {
      element = array.base();
    }
    return element;
  }

  /**
   * Returns the size of an element, without the dimensions of an array type.
   *
   * @return bytes
   */
  public int baseBytes() {
    return baseLayout().size();
  }

  /**
   * Returns the size of an element of the variable.
   *
   * @return bytes
   */
  public int elementBytes() {
    return layout.size();
  }

  long bytes() {
    return Math.multiplyExact(variable.space().elementCount(), (long) layout.size());
  }

  /** Returns the header of an array. */
  byte[] header() {
    return NpyHead.encode(descr, shape());
  }

  /**
   * Returns the shape in NumPy, in which the dimensions of an array type follow those of the
   * variable.
   *
   * @return the lengths
   */
  public long[] shape() {
    long[] dims = variable.space().dims();
    Datatype element = layout;
    while (element instanceof ArrayType array) {
      long[] inner = array.dimensions().stream().mapToLong(Integer::longValue).toArray();
      int rank = dims.length;
      dims = Arrays.copyOf(dims, rank + inner.length);
      System.arraycopy(inner, 0, dims, rank, inner.length);
      element = array.base();
    }
    return dims;
  }

  /** Passes all elements to a sink in blocks, several at a time. */
  void copy(ConversionRun work, Sink sink) {
    work.copy(variable, (box, elements) -> sink.accept(box, converted(box, elements)));
  }

  /**
   * Passes all elements to a sink in blocks of a shape, several at a time.
   *
   * @param work moves them
   * @param block the shape of a block
   * @param sink takes the blocks
   */
  public void copy(ConversionRun work, long[] block, Sink sink) {
    work.copy(variable, block, (box, elements) -> sink.accept(box, converted(box, elements)));
  }

  /**
   * Passes some elements to a sink.
   *
   * @param work moves them
   * @param block the shape of the largest box
   * @param boxes the boxes
   * @param sink takes the boxes
   */
  public void copy(ConversionRun work, long[] block, Iterable<Box> boxes, Sink sink) {
    work.copy(
        variable, block, boxes, (box, elements) -> sink.accept(box, converted(box, elements)));
  }

  /** Returns whether stored elements have the same bytes as NumPy's. */
  public boolean isStoredForm() {
    return text.isEmpty()
        && !variable.type().hasOutOfLineParts()
        && Converter.between(variable.type(), layout).isNoOp();
  }

  /** Passes all elements to a sink in row-major order. */
  void copyInOrder(ConversionRun work, Consumer<MemorySegment> sink) {
    work.copyInOrder(variable, (box, elements) -> sink.accept(converted(box, elements)));
  }

  private MemorySegment converted(Box box, DataBuffer elements) {
    toNumpy(elements.elements(), box.elements());
    return elements.elements();
  }

  /**
   * Converts elements from the variable's form to NumPy's, in place.
   *
   * @param elements the contiguous elements
   * @param count the number of elements
   */
  public void toNumpy(MemorySegment elements, long count) {
    Converter converter = Converter.between(variable.type().inMemory(), layout);
    if (!converter.isNoOp()) {
      converter.open().convert(elements, 0, elements, 0, count);
    }
    text.ifPresent(where -> {
      for (long i = 0; i < count; i++) {
        where.toUcs4(elements, i * layout.size(), variable.path());
      }
    });
  }
}
