package org.hyperslab.tools.dump;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.tools.walk.DatasetPieces;
import org.hyperslab.tools.walk.OrderedTasks;

/** Prints the DATA blocks of datasets and attributes. */
final class DataText {

  /** The text of an element and its copies take many times the bytes of the element. */
  private static final long LONGEST_ELEMENT = Runtime.getRuntime().maxMemory() / 15;

  private static final int REGION_PARTS = 1 << 20;

  private final DdlPage page;
  private final DumpOptions options;
  private final ReferenceNames names;
  private final ReferenceText references;

  DataText(DdlPage page, DumpOptions options, ReferenceNames names, H5File file) {
    this.page = page;
    this.options = options;
    this.names = names;
    this.references = new ReferenceText(page, options, names, file, this);
  }

  /** Prints the elements of an attribute. */
  void attribute(Attribute attribute, int indent) {
    Datatype type = attribute.type().inMemory();
    Dataspace space = attribute.space();
    page.line(indent, "DATA {");
    if (space.elementCount() > 0) {
      attribute(attribute, type, indent);
    }
    page.begunLine(indent, "}");
  }

  private void attribute(Attribute attribute, Datatype type, int indent) {
    long count = attribute.space().elementCount();
    if (type instanceof ReferenceType t) {
      references.print(t, read(attribute, type), count, indent + 3);
    } else if (page.binary() == null) {
      Printer printer =
          new Printer(page.attributes(), type, attribute.space().dims(), indent, null);
      printer.piece(read(attribute, type), count, true);
      printer.lines.done();
    } else {
      options
          .binary
          .of(attribute.type())
          .ifPresent(form -> bytes(form, read(attribute, form), count));
    }
  }

  private static DataBuffer read(Attribute attribute, Datatype type) {
    DataBuffer buffer = DataBuffer.allocate(type, attribute.space().elementCount());
    attribute.read(type, buffer);
    return buffer;
  }

  private void bytes(Datatype type, DataBuffer buffer, long count) {
    new BinaryElements(page.binary(), buffer.heap()).write(type, buffer.elements(), 0, count);
  }

  /** Formats one value by itself, such as a fill value. */
  String value(Datatype type, DataBuffer buffer, int level) {
    return new ElementText(options, names, buffer.heap()).of(type, buffer.elements(), 0, level);
  }

  /** Prints the elements of a dataset, or of a subset of it. */
  void dataset(Dataset dataset, int indent, DumpOptions.Subset subset) {
    DatasetInfo info = dataset.datasetInfo();
    if (options.packedBits.isEmpty()) {
      dataset(dataset, info, indent, subset, null);
    }
    for (DumpOptions.PackedBits bits : options.packedBits) {
      page.begunLine(indent, "PACKED_BITS OFFSET=" + bits.offset() + " LENGTH=" + bits.length());
      dataset(dataset, info, indent, subset, bits);
    }
  }

  private void dataset(
      Dataset dataset,
      DatasetInfo info,
      int indent,
      DumpOptions.Subset subset,
      DumpOptions.PackedBits bits) {
    if (subset == null || info.space().rank() == 0) {
      page.line(indent, "DATA {");
      whole(dataset, info, indent, bits);
      page.begunLine(indent, "}");
      return;
    }
    page.line(indent, "SUBSET {");
    page.line(indent + 3, "START " + list(subset.start) + ";");
    page.line(indent + 3, "STRIDE " + list(subset.stride) + ";");
    page.line(indent + 3, "COUNT " + list(subset.count) + ";");
    page.line(indent + 3, "BLOCK " + list(subset.block) + ";");
    page.line(indent + 3, "DATA {");
    try {
      subset(dataset, info, indent + 3, subset, bits);
    } finally {
      page.begunLine(indent + 3, "}");
      page.line(indent, "}");
    }
  }

  private void subset(
      Dataset dataset,
      DatasetInfo info,
      int indent,
      DumpOptions.Subset subset,
      DumpOptions.PackedBits bits) {
    Datatype type = info.type().inMemory();
    long[] dims = info.space().dims();
    if (Arrays.stream(subset.count).anyMatch(n -> n == 0)
        || Arrays.stream(subset.block).anyMatch(n -> n == 0)) {
      return;
    }
    if (page.binary() == null && !(type instanceof ReferenceType)) {
      subset(dataset, new Printer(page.datasets(), type, dims, indent, bits), subset);
      return;
    }
    Selection selection =
        Selection.hyperslab(subset.start, subset.stride, subset.count, subset.block);
    selection.requireWithin(dims);
    long count = selection.elementCount(dims);
    if (type instanceof ReferenceType t) {
      references.print(t, read(dataset, type, selection, count), count, indent + 3);
    } else {
      options
          .binary
          .of(info.type())
          .ifPresent(form -> bytes(form, read(dataset, form, selection, count), count));
    }
  }

  private static String list(long[] values) {
    return Arrays.stream(values)
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(", ", "( ", " )"));
  }

  private void whole(Dataset dataset, DatasetInfo info, int indent, DumpOptions.PackedBits bits) {
    long count = info.space().elementCount();
    if (count == 0) {
      return;
    }
    Datatype type = info.type().inMemory();
    long[] dims = info.space().dims();
    if (type instanceof ReferenceType t) {
      references.print(t, read(dataset, type, Selection.all(), count), count, indent + 3);
    } else if (page.binary() != null) {
      options
          .binary
          .of(info.type())
          .ifPresent(form ->
              pieces(
                  dataset,
                  form,
                  new long[dims.length],
                  dims,
                  (buffer, piece) -> bytes(form, buffer, piece.count())));
    } else if (page.datasets() != null) {
      Printer printer = new Printer(page.datasets(), type, dims, indent, bits);
      NumberTexts numbers =
          bits == null && !printer.characters ? NumberTexts.of(type, options.floats) : null;
      if (numbers != null) {
        ahead(printer, piece -> words(dataset, numbers, piece));
      } else if (ElementTexts.canBeMadeAhead(type) && count > DatasetPieces.BYTES / type.size()) {
        ahead(printer, piece -> printer.words(dataset, piece));
      } else {
        pieces(
            dataset,
            type,
            new long[dims.length],
            dims,
            (buffer, piece) -> printer.piece(buffer, piece, piece.last()));
      }
      printer.lines.done();
    }
  }

  /** Processes a piece of a dataset and its elements. */
  private interface PieceAction {
    void piece(DataBuffer buffer, DatasetPieces.Piece piece);
  }

  /** Reads a box of a dataset piece by piece, and processes each piece. */
  private static void pieces(
      Dataset dataset, Datatype type, long[] origin, long[] dims, PieceAction action) {
    for (DatasetPieces.Piece piece : DatasetPieces.asPrinted(origin, dims, type.size())) {
      DataBuffer buffer = read(dataset, type, piece.selection(), piece.count());
      action.piece(buffer, piece);
    }
  }

  /**
   * Prints a whole dataset; several threads read and format its pieces.
   *
   * @param maker reads and formats a piece, called by any thread
   */
  private static void ahead(Printer printer, Function<DatasetPieces.Piece, ElementTexts> maker) {
    OrderedTasks.run(
        DatasetPieces.asPrinted(new long[printer.dims.length], printer.dims, printer.type.size()),
        piece -> new Words(piece, maker.apply(piece)),
        words -> {
          printer.lines.piece(words.piece);
          printer.lines.elements(words.texts);
          printer.lines.pieceDone();
          return true;
        });
  }

  private static ElementTexts words(
      Dataset dataset, NumberTexts numbers, DatasetPieces.Piece piece) {
    DataBuffer buffer = read(dataset, numbers.type(), piece.selection(), piece.count());
    return numbers.of(buffer.elements(), Math.toIntExact(piece.count()), piece.last());
  }

  /** The texts of a piece. */
  private record Words(DatasetPieces.Piece piece, ElementTexts texts) {}

  /**
   * Prints the elements of one box of a dataset without coordinates, as a part of a region.
   *
   * @param low its lowest indices
   * @param dims its lengths
   * @param last whether no box follows it
   */
  void box(Dataset dataset, long[] low, long[] dims, int indent, boolean last) {
    Datatype type = dataset.type().inMemory();
    if (page.binary() == null && page.datasets() != null) {
      Printer printer = new Printer(page.datasets(), type, dims, indent, null);
      printer.lines.bare();
      pieces(
          dataset,
          type,
          low,
          dims,
          (buffer, piece) -> printer.piece(buffer, piece, piece.last() && last));
    }
  }

  /**
   * Reads the selected elements of a dataset.
   *
   * @throws UnsupportedFeatureException if the text of one would not fit into memory
   */
  private static DataBuffer read(Dataset dataset, Datatype type, Selection from, long count) {
    if (type.size() > LONGEST_ELEMENT) {
      throw new UnsupportedFeatureException(
          "element to be printed: actual="
              + type.size()
              + " bytes, expected=at most "
              + LONGEST_ELEMENT
              + ", which grows with the memory of the JVM (-Xmx), at="
              + dataset.path());
    }
    return DatasetPieces.read(dataset, type, from, count);
  }

  /** Prints plane by plane, each row of the plane in lines of its own. */
  private static void subset(Dataset dataset, Printer printer, DumpOptions.Subset s) {
    int rank = printer.dims.length;
    int row = rank == 1 ? 0 : rank - 2;
    long planes = 1;
    for (int d = 0; d < rank - 2; d++) {
      planes = Math.multiplyExact(planes, s.count[d]);
    }
    long rows = rank == 1 ? 1 : Math.multiplyExact(s.count[row], s.block[row]);
    long[] plane = new long[rank];
    for (long p = 0; p < planes; p++) {
      for (long r = 0; r < rows; r++) {
        long[] start = s.start.clone();
        long[] count = s.count.clone();
        long[] block = s.block.clone();
        for (int d = 0; d < rank - 2; d++) {
          start[d] += plane[d] * s.stride[d];
          count[d] = 1;
        }
        if (rank > 1) {
          start[row] += r / s.block[row] * s.stride[row] + r % s.block[row];
          count[row] = 1;
          block[row] = 1;
        }
        Selection selection = Selection.hyperslab(start, s.stride, count, block);
        long elements = selection.elementCount(printer.dims);
        selection.requireWithin(printer.dims);
        if (elements > 0) {
          long position = 0;
          for (int d = 0; d < rank; d++) {
            position = position * printer.dims[d] + start[d];
          }
          printer.lines.piece(position, true);
          printer.piece(read(dataset, printer.type, selection, elements), elements, r == rows - 1);
        }
      }
      for (int d = rank - 3; d >= 0 && ++plane[d] == s.count[d]; d--) {
        plane[d] = 0;
      }
    }
    printer.lines.done();
  }

  /** Prints elements of one dataset or attribute, piece by piece. */
  private final class Printer {
    final Datatype type;
    final long[] dims;
    final ElementLines lines;
    final int level;
    final boolean characters;
    final DumpOptions.PackedBits bits;

    Printer(Appendable out, Datatype type, long[] dims, int indent, DumpOptions.PackedBits bits) {
      this.type = type;
      this.dims = dims;
      this.bits = bits;
      characters = options.characters && type instanceof IntegerType t && t.size() == 1;
      level = indent / 3 + 1;
      lines = new ElementLines(page, out, options, characters ? level + 1 : level, dims);
      if (characters) {
        lines.quoted();
      }
    }

    /** Prints a piece of a dataset. */
    void piece(DataBuffer buffer, DatasetPieces.Piece piece, boolean last) {
      lines.piece(piece);
      piece(buffer, piece.count(), last);
    }

    void piece(DataBuffer buffer, long count, boolean last) {
      ElementText text = text(buffer);
      StringBuilder one = new StringBuilder();
      try {
        for (long i = 0; i < count; i++) {
          text.appendTo(one, type, buffer.elements(), i * type.size(), level);
          if (!characters && (i + 1 < count || !last)) {
            one.append(',');
          }
          lines.element(one.toString(), i);
          one.setLength(0);
        }
      } finally {
        lines.pieceDone();
      }
    }

    /** Reads and formats a piece. May be called by any thread. */
    ElementTexts words(Dataset dataset, DatasetPieces.Piece piece) {
      DataBuffer buffer = read(dataset, type, piece.selection(), piece.count());
      int count = Math.toIntExact(piece.count());
      return ElementTexts.of(
          text(buffer), type, buffer.elements(), count, !characters, piece.last(), level);
    }

    private ElementText text(DataBuffer buffer) {
      ElementText text = new ElementText(options, names, buffer.heap());
      text.packed(bits);
      if (characters) {
        text.asCharacters();
      }
      return text;
    }
  }
}
