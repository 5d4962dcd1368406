package org.hyperslab.tools.dump;

import java.util.Arrays;
import java.util.function.IntToLongFunction;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.PointSelection;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceType;

/**
 * Prints references that are elements by themselves, with their targets: the elements of a dataset,
 * the shape of a region and, if asked for, its elements, or the type of an attribute.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ReferenceText {

  /** The greatest number of parts of a region that are listed. */
  private static final int REGION_PARTS = 1 << 20;

  private final DdlPage page;
  private final DumpOptions options;
  private final ReferenceNames names;
  private final H5File file;
  private final DataText data;

  ReferenceText(
      DdlPage page, DumpOptions options, ReferenceNames names, H5File file, DataText data) {
    this.page = page;
    this.options = options;
    this.names = names;
    this.file = file;
    this.data = data;
  }

  /** Prints references, each on lines of its own. */
  void print(ReferenceType type, DataBuffer buffer, long count, int indent) {
    for (long i = 0; i < count; i++) {
      Reference reference =
          ReferenceNames.decode(type, buffer.elements(), i * type.size(), buffer.heap());
      if (reference == null) {
        page.line(indent, "NULL");
      } else {
        print(reference, indent, i == 0);
      }
    }
  }

  private void print(Reference reference, int indent, boolean first) {
    String heading = names.heading(reference);
    switch (reference) {
      case Reference.ToObject o -> {
        page.line(indent, heading);
        if (!ReferenceNames.isUnknown(heading)) {
          elements(o, indent);
        }
      }
      case Reference.ToRegion r -> {
        try (var object = file.dereference(r)) {
          region(r, object instanceof Dataset dataset ? dataset : null, indent, first);
        } catch (HyperslabException dangling) {
          page.line(indent, heading);
        }
      }
      case Reference.ToAttribute a -> {
        try (var object = file.dereference(a)) {
          attribute(heading, object.attribute(a.name()), indent);
        } catch (HyperslabException dangling) {
          page.line(indent, heading);
        }
      }
      case Reference.External e -> {
        boolean attribute = e.target() instanceof Reference.ToAttribute;
        page.line(indent, heading + (attribute ? " {" : ""));
        if (attribute) {
          page.line(indent + 3, "NULL");
          page.line(indent, "}");
        }
      }
    }
  }

  private void elements(Reference.ToObject reference, int indent) {
    try (var object = file.dereference(reference)) {
      if (object instanceof Dataset dataset) {
        data.dataset(dataset, indent + 3, null);
      }
    } catch (HyperslabException unreadable) {
      // The heading shows the target.
    }
  }

  private void attribute(String heading, Attribute attribute, int indent) {
    page.line(indent, heading + " {");
    typeAndSpace(attribute.type(), attribute.space(), indent + 3);
    if (options.regions) {
      data.attribute(attribute, indent + 3);
    }
    page.line(indent, "}");
  }

  private void typeAndSpace(Datatype type, Dataspace space, int indent) {
    page.line(indent, "DATATYPE  " + TypeText.of(type, indent));
    page.line(indent, "DATASPACE  " + SpaceText.of(space));
  }

  private void region(Reference.ToRegion reference, Dataset dataset, int indent, boolean first) {
    String heading = names.heading(reference);
    Selection selection = dataset == null ? null : dataset.region(reference).selection();
    if (selection == null || selection.rank() == Selection.ANY_RANK || selection.isUnlimited()) {
      page.line(indent, heading); // all, none, or unlimited: no list of points or blocks
      return;
    }
    if (selection instanceof PointSelection points) {
      // The C library separates the brace of a list of points from the preceding text like an
      // element.
      page.line(indent, heading, first ? "{" : " {", first ? 0 : 1);
      wrapped(indent + 3, "REGION_TYPE POINT  " + points(points));
    } else {
      page.line(indent, heading, " {", 0);
      wrapped(indent + 3, "REGION_TYPE BLOCK  " + blocks(selection, dataset.shape()));
    }
    typeAndSpace(dataset.type(), dataset.space(), indent + 3);
    if (options.regions) {
      page.line(indent + 3, "DATA {");
      regionElements(dataset, selection, indent + 3);
      page.line(indent + 3, "}");
    }
    page.line(indent, "}");
  }

  private void regionElements(Dataset dataset, Selection selection, int indent) {
    long[] extent = dataset.shape();
    if (selection instanceof PointSelection points) {
      long[] one = new long[points.rank()];
      Arrays.fill(one, 1);
      for (int p = 0; p < points.size(); p++) {
        long[] at = new long[one.length];
        for (int d = 0; d < at.length; d++) {
          at[d] = points.coordinate(p, d);
        }
        data.box(dataset, at, one, indent + 3, p + 1 == points.size());
      }
      return;
    }
    long blocks = selection.blockCount(extent);
    long[] done = {0};
    selection.forEachBlock(
        extent,
        (low, high) -> {
          long[] dims = new long[low.length];
          for (int d = 0; d < dims.length; d++) {
            dims[d] = high[d] - low[d] + 1;
          }
          data.box(dataset, low, dims, indent + 3, ++done[0] == blocks);
        });
  }

  /**
   * Prints a list that continues in the next line, one column further in, when the width is
   * reached.
   */
  private void wrapped(int indent, String text) {
    StringBuilder line = new StringBuilder();
    for (String part : text.split("(?<=,) ", -1)) {
      int columns =
          part.length() + (part.endsWith(",") ? 0 : 1); // room for a comma that it does not have
      if (!line.isEmpty() && indent + 3 + line.length() + 1 + columns > options.width) {
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
      int point = p;
      text.append(p == 0 ? "" : ", ");
      corner(text, d -> points.coordinate(point, d), points.rank());
    }
    return text.toString();
  }

  private static String blocks(Selection selection, long[] extent) {
    StringBuilder text = new StringBuilder();
    if (selection instanceof RegularHyperslab regular) {
      regular(text, regular);
    } else if (selection.blockCount(extent) <= REGION_PARTS) {
      selection.forEachBlock(
          extent, (low, high) -> block(text, d -> low[d], d -> high[d], low.length));
    } else {
      Selection.Bounds bounds = selection.bounds(extent);
      block(text, bounds::low, bounds::high, bounds.rank());
    }
    return text.toString();
  }

  private static void regular(StringBuilder text, RegularHyperslab regular) {
    int rank = regular.rank();
    long[] index = new long[rank];
    for (int parts = 0; parts < REGION_PARTS; parts++) {
      block(
          text,
          d -> regular.start(d) + index[d] * regular.stride(d),
          d -> regular.start(d) + index[d] * regular.stride(d) + regular.block(d) - 1,
          rank);
      int d = rank - 1;
      while (d >= 0 && ++index[d] >= regular.count(d)) {
        index[d--] = 0;
      }
      if (d < 0) {
        return;
      }
    }
  }

  private static void block(
      StringBuilder text, IntToLongFunction low, IntToLongFunction high, int rank) {
    text.append(text.isEmpty() ? "" : ", ");
    corner(text, low, rank);
    text.append('-');
    corner(text, high, rank);
  }

  private static void corner(StringBuilder text, IntToLongFunction coordinate, int rank) {
    for (int d = 0; d < rank; d++) {
      text.append(d == 0 ? "(" : ",").append(coordinate.applyAsLong(d));
    }
    text.append(')');
  }
}
