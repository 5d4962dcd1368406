package org.hyperslab.tools.ddl;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.PointSelection;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.DatasetOperation.Transfer;

/** The DATA blocks of datasets and attributes. */
final class DataText {

  private static final long PIECE_BYTES = 1 << 20;
  private static final int REGION_PARTS = 1 << 20;

  private final DdlPage page;
  private final DumpOptions options;
  private final ReferenceNames references;
  private final H5File file;

  DataText(DdlPage page, DumpOptions options, ReferenceNames references, H5File file) {
    this.page = page;
    this.options = options;
    this.references = references;
    this.file = file;
  }

  /** The elements of an attribute. */
  void attribute(Attribute attribute, int indent) {
    Datatype type = attribute.type().inMemory();
    Dataspace space = attribute.space();
    page.line(indent, "DATA {");
    if (space.elementCount() > 0) {
      DataBuffer buffer = DataBuffer.allocate(type, space.elementCount());
      attribute.read(type, buffer);
      if (type instanceof ReferenceType t) {
        references(t, buffer, space.elementCount(), indent + 3);
      } else {
        Printer printer = new Printer(type, space.dims(), indent, null);
        printer.piece(buffer, space.elementCount(), true);
        printer.lines.done();
      }
    }
    page.line(indent, "}");
  }

  /** One value by itself, such as a fill value. */
  String value(Datatype type, DataBuffer buffer, int level) {
    return new ElementText(options, references, buffer.heap())
        .of(type, buffer.elements(), 0, level);
  }

  /** The elements of a dataset, or of a subset of it. */
  void dataset(Dataset dataset, int indent, DumpOptions.Subset subset) {
    DatasetInfo info = dataset.datasetInfo();
    if (options.packedBits.isEmpty()) {
      dataset(dataset, info, indent, subset, null);
    }
    for (DumpOptions.PackedBits bits : options.packedBits) {
      page.line(indent, "PACKED_BITS OFFSET=" + bits.offset() + " LENGTH=" + bits.length());
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
      page.line(indent, "}");
      return;
    }
    fillIn(subset, info.space().rank());
    page.line(indent, "SUBSET {");
    page.line(indent + 3, "START " + list(subset.start) + ";");
    page.line(indent + 3, "STRIDE " + list(subset.stride) + ";");
    page.line(indent + 3, "COUNT " + list(subset.count) + ";");
    page.line(indent + 3, "BLOCK " + list(subset.block) + ";");
    page.line(indent + 3, "DATA {");
    if (page.takesData()) {
      subset(
          dataset,
          new Printer(info.type().inMemory(), info.space().dims(), indent + 3, bits),
          subset);
    }
    page.line(indent + 3, "}");
    page.line(indent, "}");
  }

  private static String list(long[] values) {
    return Arrays.stream(values)
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(", ", "( ", " )"));
  }

  private static void fillIn(DumpOptions.Subset s, int rank) {
    s.start = s.start == null ? new long[rank] : s.start;
    s.stride = orOnes(s.stride, rank);
    s.count = orOnes(s.count, rank);
    s.block = orOnes(s.block, rank);
    if (s.start.length != rank
        || s.stride.length != rank
        || s.count.length != rank
        || s.block.length != rank) {
      throw new InvalidUseException(
          "subset: actual=another number of coordinates, expected=" + rank);
    }
  }

  private static long[] orOnes(long[] values, int rank) {
    if (values != null) {
      return values;
    }
    long[] ones = new long[rank];
    Arrays.fill(ones, 1);
    return ones;
  }

  private void whole(Dataset dataset, DatasetInfo info, int indent, DumpOptions.PackedBits bits) {
    long count = info.space().elementCount();
    if (count == 0 || !page.takesData()) {
      return;
    }
    Datatype type = info.type().inMemory();
    if (type instanceof ReferenceType t) {
      references(t, read(dataset, type, Selection.all(), count), count, indent + 3);
      return;
    }
    Printer printer = new Printer(type, info.space().dims(), indent, bits);
    if (info.space().rank() == 0) {
      printer.piece(read(dataset, type, Selection.all(), 1), 1, true);
    } else {
      pieces(dataset, printer, count);
    }
    printer.lines.done();
  }

  /** Boxes of at most about a MiB, in an order that is row-major where boxes are whole rows. */
  private static void pieces(Dataset dataset, Printer printer, long count) {
    long[] dims = printer.dims;
    long[] box = new long[dims.length];
    long bytes = printer.type.size();
    for (int d = dims.length - 1; d >= 0; d--) {
      box[d] = Math.min(dims[d], Math.max(1, PIECE_BYTES / bytes));
      bytes *= box[d];
    }
    long[] start = new long[dims.length];
    for (long done = 0; done < count; ) {
      long[] size = new long[dims.length];
      long elements = 1;
      for (int d = 0; d < dims.length; d++) {
        size[d] = Math.min(box[d], dims[d] - start[d]);
        elements *= size[d];
      }
      DataBuffer buffer = read(dataset, printer.type, Selection.box(start, size), elements);
      printer.lines.piece(done, false);
      done += elements;
      printer.piece(buffer, elements, done >= count);
      int d = dims.length - 1;
      for (; d >= 0; d--) {
        start[d] += size[d];
        if (start[d] < dims[d]) {
          break;
        }
        start[d] = 0;
      }
    }
  }

  private static DataBuffer read(Dataset dataset, Datatype type, Selection from, long count) {
    DataBuffer buffer = DataBuffer.allocate(type, count);
    Dataspace space = Dataspace.simple(count);
    dataset
        .readAsync(
            new Transfer(type, space, Selection.all(), from, TransferOptions.DEFAULT), buffer)
        .join();
    return buffer;
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

    Printer(Datatype type, long[] dims, int indent, DumpOptions.PackedBits bits) {
      this.type = type;
      this.dims = dims;
      this.bits = bits;
      characters = options.characters && type instanceof IntegerType t && t.size() == 1;
      level = indent / 3 + 1;
      lines = new ElementLines(page, options, characters ? level + 1 : level, dims);
      if (characters) {
        lines.quoted();
      }
    }

    void piece(DataBuffer buffer, long count, boolean last) {
      ElementText text = new ElementText(options, references, buffer.heap());
      text.packed(bits);
      if (characters) {
        text.asCharacters();
      }
      for (long i = 0; i < count; i++) {
        String one = text.of(type, buffer.elements(), i * type.size(), level);
        boolean comma = !characters && (i + 1 < count || !last);
        lines.element(comma ? one + "," : one, i);
      }
      lines.pieceDone();
    }
  }

  private void references(ReferenceType type, DataBuffer buffer, long count, int indent) {
    for (long i = 0; i < count; i++) {
      Reference reference =
          ReferenceNames.decode(type, buffer.elements(), i * type.size(), buffer.heap());
      if (reference == null) {
        page.line(indent, "NULL");
        continue;
      }
      try {
        reference(reference, indent);
      } catch (HyperslabException dangling) {
        page.line(indent, references.heading(reference));
      }
    }
  }

  private void reference(Reference reference, int indent) {
    switch (reference) {
      case Reference.ToObject o -> {
        page.line(indent, references.heading(o));
        try (var object = file.dereference(o)) {
          if (object instanceof Dataset dataset) {
            dataset(dataset, indent + 3, null);
          }
        }
      }
      case Reference.ToRegion r -> region(r, indent);
      case Reference.ToAttribute a -> {
        try (var object = file.dereference(a)) {
          Attribute attribute = object.attribute(a.name());
          page.line(indent, references.heading(a) + " {");
          typeAndSpace(attribute.type(), attribute.space(), indent + 3);
          page.line(indent, "}");
        }
      }
      case Reference.External e -> page.line(indent, references.heading(e));
    }
  }

  private void typeAndSpace(Datatype type, Dataspace space, int indent) {
    page.line(indent, "DATATYPE  " + TypeText.of(type, indent));
    page.line(indent, "DATASPACE  " + SpaceText.of(space));
  }

  private void region(Reference.ToRegion reference, int indent) {
    try (var object = file.dereference(reference)) {
      if (!(object instanceof Dataset dataset)) {
        page.line(indent, references.heading(reference));
        return;
      }
      Selection selection = dataset.region(reference).selection();
      page.line(indent, references.heading(reference) + " {");
      wrapped(
          indent + 3,
          selection instanceof PointSelection points
              ? "REGION_TYPE POINT  " + points(points)
              : "REGION_TYPE BLOCK  " + blocks(selection, dataset.shape()));
      typeAndSpace(dataset.type(), dataset.space(), indent + 3);
      page.line(indent, "}");
    }
  }

  /** A list that goes on in the next line, one column further in, where the width is used up. */
  private void wrapped(int indent, String text) {
    StringBuilder line = new StringBuilder();
    for (String part : text.split("(?<=,) ", -1)) {
      if (!line.isEmpty() && indent + line.length() + 1 + part.length() >= options.width) {
        page.line(indent, line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() && part.startsWith("(") ? " " : line.isEmpty() ? "" : " ");
      line.append(part);
    }
    page.line(indent, line.toString());
  }

  private static String points(PointSelection points) {
    StringBuilder text = new StringBuilder();
    for (int p = 0; p < Math.min(points.size(), REGION_PARTS); p++) {
      text.append(p == 0 ? "(" : ", (");
      for (int d = 0; d < points.rank(); d++) {
        text.append(d == 0 ? "" : ",").append(points.coordinate(p, d));
      }
      text.append(')');
    }
    return text.toString();
  }

  private static String blocks(Selection selection, long[] extent) {
    StringBuilder text = new StringBuilder();
    if (!(selection instanceof RegularHyperslab regular)) {
      var bounds = selection.bounds(extent);
      return corner(text, bounds::low, bounds.rank())
          .append('-')
          .append(corner(new StringBuilder(), bounds::high, bounds.rank()))
          .toString();
    }
    int rank = regular.rank();
    long[] index = new long[rank];
    for (int parts = 0; parts < REGION_PARTS; parts++) {
      text.append(parts == 0 ? "" : ", ");
      corner(text, d -> regular.start(d) + index[d] * regular.stride(d), rank).append('-');
      corner(
          text, d -> regular.start(d) + index[d] * regular.stride(d) + regular.block(d) - 1, rank);
      int d = rank - 1;
      while (d >= 0 && ++index[d] >= regular.count(d)) {
        index[d--] = 0;
      }
      if (d < 0) {
        break;
      }
    }
    return text.toString();
  }

  private static StringBuilder corner(
      StringBuilder text, java.util.function.IntToLongFunction coordinate, int rank) {
    for (int d = 0; d < rank; d++) {
      text.append(d == 0 ? "(" : ",").append(coordinate.applyAsLong(d));
    }
    return text.append(')');
  }
}
