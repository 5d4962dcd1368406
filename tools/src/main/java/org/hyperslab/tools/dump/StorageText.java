package org.hyperslab.tools.dump;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;

/** Prints the storage of a dataset: layout, filters, fill value, allocation time. */
final class StorageText {

  private final DdlPage page;
  private final int indent;
  private final DatasetInfo info;

  StorageText(DdlPage page, int indent, DatasetInfo info) {
    this.page = page;
    this.indent = indent;
    this.info = info;
  }

  /** Prints all blocks; the value is the fill value's text, if the user gave one. */
  void print(String fillValue) {
    page.line(indent, "STORAGE_LAYOUT {");
    layout(indent + 3);
    page.line(indent, "}");
    // For a virtual dataset, the C library shows neither filters nor the allocation time.
    boolean virtual = info.options().layout() instanceof Layout.Virtual;
    if (!virtual) {
      filters();
    }
    page.line(indent, "FILLVALUE {");
    page.line(indent + 3, "FILL_TIME H5D_FILL_TIME_" + fillTime(info.options().fillTime()));
    page.line(
        indent + 3,
        "VALUE  "
            + switch (info.options().fill()) {
              case FillValue.Default d -> "H5D_FILL_VALUE_DEFAULT";
              case FillValue.Undefined u -> "H5D_FILL_VALUE_UNDEFINED";
              case FillValue.Value v -> fillValue;
            });
    page.line(indent, "}");
    if (!virtual) {
      page.line(indent, "ALLOCATION_TIME {");
      page.line(indent + 3, "H5D_ALLOC_TIME_" + allocation());
      page.line(indent, "}");
    }
  }

  private void filters() {
    page.line(indent, "FILTERS {");
    if (info.options().filters().isEmpty()) {
      page.line(indent + 3, "NONE");
    }
    info.options().filters().forEach(f -> filter(indent + 3, f));
    page.line(indent, "}");
  }

  private static String fillTime(FillValue.Time time) {
    return switch (time) {
      case ON_ALLOCATION -> "ALLOC";
      case NEVER -> "NEVER";
      case IF_SET -> "IFSET";
    };
  }

  private String allocation() {
    return switch (info.options().allocationTime()) {
      case AllocationTime.EARLY -> "EARLY";
      case AllocationTime.LATE -> "LATE";
      case AllocationTime.INCREMENTAL -> "INCR";
      case AllocationTime.DEFAULT ->
          switch (info.options().layout()) {
            case Layout.Compact c -> "EARLY";
            case Layout.Chunked c -> "INCR";
            case Layout.Virtual v -> "INCR";
            case Layout.Contiguous c -> "LATE";
            case Layout.External e -> "LATE";
            case Layout.Auto a -> "LATE";
          };
    };
  }

  private void layout(int at) {
    switch (info.options().layout()) {
      case Layout.Compact c -> {
        page.line(at, "COMPACT");
        page.line(at, "SIZE " + info.storage().allocatedBytes());
      }
      case Layout.Chunked c -> {
        page.line(at, "CHUNKED " + list(c.dims()));
        page.line(at, "SIZE " + info.storage().allocatedBytes() + ratio());
      }
      case Layout.External e -> {
        page.line(at, "CONTIGUOUS");
        page.line(at, "EXTERNAL {");
        for (Layout.External.Segment s : e.segments()) {
          String size = s.sizeBytes() < 0 ? "H5S_UNLIMITED" : Long.toString(s.sizeBytes());
          page.line(
              at + 3, "FILENAME " + s.file() + " SIZE " + size + " OFFSET " + s.offsetBytes());
        }
        page.line(at, "}");
      }
      case Layout.Virtual v -> mappings(at, v);
      case Layout.Contiguous c -> contiguous(at);
      case Layout.Auto a -> contiguous(at);
    }
  }

  private void contiguous(int at) {
    page.line(at, "CONTIGUOUS");
    page.line(at, "SIZE " + info.storage().allocatedBytes());
    long offset = info.storage().offset();
    page.line(at, "OFFSET " + (offset < 0 ? "HADDR_UNDEF" : Long.toString(offset)));
  }

  private static String list(List<Long> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(", ", "( ", " )"));
  }

  private String ratio() {
    if (info.options().filters().isEmpty()) {
      return "";
    }
    double raw = (double) info.space().elementCount() * info.type().size();
    double stored = info.storage().allocatedBytes();
    return String.format(Locale.ROOT, " (%.3f:1 COMPRESSION)", stored == 0 ? 0.0 : raw / stored);
  }

  private void mappings(int at, Layout.Virtual virtual) {
    int n = 0;
    for (Layout.Virtual.Mapping m : virtual.mappings()) {
      page.line(at, "MAPPING " + n++ + " { ");
      page.line(at + 3, "VIRTUAL {");
      selection(at + 6, m.selection());
      page.line(at + 3, "}");
      page.line(at + 3, "SOURCE {");
      page.line(at + 6, "FILE \"" + m.sourceFile() + "\"");
      page.line(at + 6, "DATASET \"" + m.sourceDataset() + "\"");
      selection(at + 6, m.sourceSelection());
      page.line(at + 3, "}");
      page.line(at, "}");
    }
  }

  private void selection(int at, Selection selection) {
    if (!(selection instanceof RegularHyperslab r)) {
      page.line(at, "SELECTION " + (selection == Selection.all() ? "ALL" : "IRREGULAR_HYPERSLAB"));
      return;
    }
    StringBuilder[] parts = {
      new StringBuilder(), new StringBuilder(), new StringBuilder(), new StringBuilder()
    };
    for (int d = 0; d < r.rank(); d++) {
      long[] values = {r.start(d), r.stride(d), r.count(d), r.block(d)};
      for (int i = 0; i < 4; i++) {
        parts[i].append(d == 0 ? "" : ",").append(values[i] < 0 ? "H5S_UNLIMITED" : values[i]);
      }
    }
    page.line(at, "SELECTION REGULAR_HYPERSLAB { ");
    page.line(at + 3, "START (" + parts[0] + ")");
    page.line(at + 3, "STRIDE (" + parts[1] + ")");
    page.line(at + 3, "COUNT (" + parts[2] + ")");
    page.line(at + 3, "BLOCK (" + parts[3] + ")");
    page.line(at, "}");
  }

  private static int parameter(FilterSpec filter, int index) {
    return index < filter.parameters().size() ? filter.parameters().get(index) : 0;
  }

  private void filter(int at, FilterSpec f) {
    switch (f.id()) {
      case 1 -> page.line(at, "COMPRESSION DEFLATE { LEVEL " + parameter(f, 0) + " }");
      case 2 -> page.line(at, "PREPROCESSING SHUFFLE");
      case 3 -> page.line(at, "CHECKSUM FLETCHER32");
      case 4 -> szip(at, f);
      case 5 -> page.line(at, "COMPRESSION NBIT");
      case 6 -> page.line(at, "COMPRESSION SCALEOFFSET { MIN BITS " + parameter(f, 0) + " }");
      default -> {
        page.line(at, "USER_DEFINED_FILTER {");
        page.line(at + 3, "FILTER_ID " + f.id());
        if (!f.name().isEmpty()) {
          page.line(at + 3, "COMMENT " + f.name());
        }
        if (!f.parameters().isEmpty()) {
          page.line(
              at + 3,
              f.parameters().stream()
                  .map(Integer::toUnsignedString)
                  .collect(Collectors.joining(" ", "PARAMS { ", " }")));
        }
        page.line(at, "}");
      }
    }
  }

  private void szip(int at, FilterSpec f) {
    int mask = parameter(f, 0);
    page.line(at, "COMPRESSION SZIP {");
    page.line(at + 3, "PIXELS_PER_BLOCK " + parameter(f, 1));
    if ((mask & 1) != 0) {
      page.line(at + 3, "MODE K13");
    }
    if ((mask & 2) != 0) {
      page.line(at + 3, "MODE CHIP");
    }
    page.line(at + 3, "CODING " + ((mask & 4) != 0 ? "ENTROPY" : "NEAREST NEIGHBOUR"));
    page.line(at + 3, "BYTE_ORDER " + ((mask & 16) != 0 ? "MSB" : "LSB"));
    if ((mask & 128) != 0) {
      page.line(at + 3, "HEADER RAW");
    }
    page.line(at, "}");
  }
}
