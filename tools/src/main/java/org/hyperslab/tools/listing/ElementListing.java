package org.hyperslab.tools.listing;

import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.tools.command.Streams;
import org.hyperslab.tools.walk.DatasetPieces;

/** Prints the elements of datasets and attributes in lines. */
public final class ElementListing {

  private static final int DATASET_INDENT = 9;
  private static final int ATTRIBUTE_INDENT = 15;
  private static final int ATTRIBUTE_EXTRA_COLUMNS = 3;

  private final LineBuffer page;
  private final ListingOptions options;
  private final H5File file;
  private final PrintStream errors;

  ElementListing(LineBuffer page, ListingOptions options, H5File file, PrintStream errors) {
    this.errors = errors;
    this.page = page;
    this.options = options;
    this.file = file;
  }

  /**
   * {@return a listing that prints nothing, for the texts of single elements}
   *
   * @param file the file that references lead into
   * @param streams receive messages about errors
   */
  public static ElementListing ofValues(H5File file, Streams streams) {
    LineBuffer page = new LineBuffer(streams.out());
    return new ElementListing(page, new ListingOptions(), file, streams.err());
  }

  /**
   * {@return the text of an element in one line}
   *
   * @param type the type in memory
   * @param buffer the elements
   * @param index the number of the element, from 0
   */
  public String element(Datatype type, DataBuffer buffer, long index) {
    ValueText text = new ValueText(options, buffer.heap(), this::reference, true);
    String one = text.of(type, buffer.elements(), index * type.size());
    return one.replace(String.valueOf(ValueText.BREAK), "");
  }

  /** Prints all elements of a dataset, read piece by piece. */
  void dataset(Dataset dataset) {
    page.add("    Data:").endLine();
    Datatype type = dataset.type().inMemory();
    Dataspace space = dataset.space();
    ValueLines lines = lines(type, DATASET_INDENT);
    try {
      for (DatasetPieces.Piece piece : DatasetPieces.of(space, type.size())) {
        DataBuffer buffer = DatasetPieces.read(dataset, type, piece.selection(), piece.count());
        print(lines, type, buffer, piece.count(), piece.last(), true);
      }
      lines.done();
    } catch (HyperslabException failure) {
      page.add(" ".repeat(options.simple ? 16 : 17) + "Unable to print data.").endLine();
      errors.println(dataset.path() + ": " + failure.getMessage());
    }
  }

  /** Prints all elements of an attribute. */
  void attribute(Attribute attribute) {
    page.add("        Data:").endLine();
    Datatype type = attribute.type().inMemory();
    long count = attribute.space().elementCount();
    ValueLines lines = lines(type, ATTRIBUTE_INDENT);
    if (count > 0) {
      DataBuffer buffer = DataBuffer.allocate(type, count);
      attribute.read(type, buffer);
      print(lines, type, buffer, count, true, false);
    }
    lines.done();
  }

  private ValueLines lines(Datatype type, int indent) {
    boolean quoted = options.characters && type instanceof IntegerType && type.size() == 1;
    boolean simple = options.simple && indent == DATASET_INDENT;
    int extraColumns = indent == ATTRIBUTE_INDENT ? ATTRIBUTE_EXTRA_COLUMNS : 0;
    return new ValueLines(page, options, simple ? indent - 1 : indent, extraColumns, quoted);
  }

  private void print(
      ValueLines lines, Datatype type, DataBuffer buffer, long count, boolean last, boolean full) {
    ValueText text = new ValueText(options, buffer.heap(), this::reference, full);
    boolean quoted = options.characters && type instanceof IntegerType && type.size() == 1;
    String comma = quoted ? "" : options.simple ? " " : ",";
    for (long i = 0; i < count; i++) {
      String one = text.of(type, buffer.elements(), i * type.size());
      lines.element(i + 1 < count || !last ? one + comma : one);
    }
  }

  private String reference(ReferenceType type, MemorySegment elements, long at, VlenHeap heap) {
    Object value = ElementCodec.of(type).decode(elements, at, heap);
    if (!(value instanceof Reference reference) || reference.token() == 0) {
      return "NULL";
    }
    String path = file.pathOf(new ObjectToken(reference.token())).orElse("");
    return switch (reference) {
      case Reference.ToRegion r -> "DATASET \"" + path + "\"";
      case Reference.ToAttribute a -> "ATTRIBUTE \"" + path + "/" + a.name() + "\"";
      case Reference.External e -> "EXTERNAL \"" + e.file() + "\"";
      case Reference.ToObject o -> {
        try (H5Object object = file.dereference(o)) {
          String word =
              switch (object.kind()) {
                case GROUP -> "GROUP";
                case DATASET -> "DATASET";
                case COMMITTED_TYPE -> "DATATYPE";
              };
          yield word + "-1:" + o.token() + " \"" + path + "\"";
        } catch (HyperslabException dangling) {
          yield "UNKNOWN-1:" + o.token();
        }
      }
    };
  }
}
