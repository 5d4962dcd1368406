package org.hyperslab.tools.listing;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectToken;

/** Prints the details of an object below its line in a verbose listing, and its elements. */
final class ObjectDetails {

  private static final int TYPE_INDENT = 15;

  private final LineBuffer page;
  private final ListingOptions options;
  private final H5File file;
  private final PrintStream errors;
  private final Map<Long, Integer> fileNumbers = new HashMap<>();

  ObjectDetails(LineBuffer page, ListingOptions options, H5File file, PrintStream errors) {
    this.errors = errors;
    this.page = page;
    this.options = options;
    this.file = file;
  }

  /** Appends the extent in the form of an object's line. */
  static void extent(StringBuilder text, Dataspace space, boolean verbose) {
    text.append('{');
    switch (space.kind()) {
      case NULL -> text.append("NULL");
      case SCALAR -> text.append("SCALAR");
      case SIMPLE -> {
        for (int d = 0; d < space.rank(); d++) {
          text.append(d == 0 ? "" : ", ").append(space.dim(d));
          if (space.maxDim(d) == Dataspace.UNLIMITED) {
            text.append("/Inf");
          } else if (verbose || space.maxDim(d) != space.dim(d)) {
            text.append('/').append(space.maxDim(d));
          }
        }
      }
    }
    text.append('}');
  }

  /** Prints everything that the options request. */
  void show(H5Object object) {
    if (options.verbose) {
      common(object);
    }
    switch (object) {
      case Dataset dataset -> {
        if (options.verbose) {
          dataset(dataset);
        }
        if (options.data) {
          new ElementListing(page, options, file, errors).dataset(dataset);
        }
      }
      case CommittedType type -> {
        if (options.verbose) {
          type(type.datatype(), Optional.of(type.token()), type.info().fileNumber());
        }
      }
      case Group group -> {}
    }
  }

  private void common(H5Object object) {
    ObjectInfo info = object.info();
    try {
      Iterator<Attribute> attributes = object.attributes().iterator();
      while (attributes.hasNext()) {
        attribute(attributes.next(), info.fileNumber());
      }
    } catch (HyperslabException failure) {
      page.row("Attribute:", "*ERROR* " + failure.getMessage());
    }
    page.row("Location:", number(info.fileNumber()) + ":" + info.token().address());
    page.row("Links:", Long.toString(info.referenceCount()));
    // Like h5ls, which shows the times of headers of version 2 only.
    if (info.header().version() >= 2 && info.modified().isPresent()) {
      page.row("Modified:", time(info.modified().get()));
    }
    if (info.comment().isPresent()) {
      StringBuilder text = new StringBuilder("\"");
      Escapes.append(text, info.comment().get(), false);
      page.row("Comment:", text.append('"').toString());
    }
  }

  /**
   * Returns the number of a file; files are numbered from 1 in the order of their first occurrence.
   */
  private int number(long fileNumber) {
    return fileNumbers.computeIfAbsent(fileNumber, key -> fileNumbers.size() + 1);
  }

  private String time(Instant instant) {
    ZoneId zone = options.simple ? ZoneId.of("UTC") : ZoneId.systemDefault();
    ZonedDateTime t = instant.atZone(zone);
    String abbreviation =
        zone.getId().equals("Etc/UTC") || zone.getId().equals("UTC")
            ? "UTC"
            : zone.getDisplayName(TextStyle.SHORT, Locale.ROOT);
    return two(t.getYear())
        + '-'
        + two(t.getMonthValue())
        + '-'
        + two(t.getDayOfMonth())
        + ' '
        + two(t.getHour())
        + ':'
        + two(t.getMinute())
        + ':'
        + two(t.getSecond())
        + ' '
        + abbreviation;
  }

  private static String two(int number) {
    return number < 10 ? "0" + number : Integer.toString(number);
  }

  private void attribute(Attribute attribute, long fileNumber) {
    page.add("    Attribute: ");
    Escapes.append(page.text, attribute.name(), true);
    Dataspace space = attribute.space();
    switch (space.kind()) {
      case NULL -> page.add(" null");
      case SCALAR -> page.add(" scalar");
      case SIMPLE -> {
        for (int d = 0; d < space.rank(); d++) {
          page.add(d == 0 ? " {" : ", ").add(Long.toString(space.dim(d)));
        }
        page.add("}");
      }
    }
    page.endLine();
    page.add("        Type:      ");
    typeText(attribute.type(), attribute.info().committedType(), fileNumber);
    page.endLine();
    if (options.data) {
      new ElementListing(page, options, file, errors).attribute(attribute);
    }
  }

  private void type(Datatype type, Optional<ObjectToken> committed, long fileNumber) {
    page.add("    Type:      ");
    typeText(type, committed, fileNumber);
    page.endLine();
  }

  private void typeText(Datatype type, Optional<ObjectToken> committed, long fileNumber) {
    if (committed.isPresent()) {
      page.add("shared-" + number(fileNumber) + ":" + committed.get().address() + " ");
    }
    page.add(TypeDescription.of(type, !options.simple, TYPE_INDENT));
  }

  private void dataset(Dataset dataset) {
    DatasetInfo info = dataset.datasetInfo();
    switch (info.options().layout()) {
      case Layout.Chunked chunked -> chunks(chunked, info.type());
      case Layout.External external -> segments(external.segments());
      case Layout.Virtual virtual -> mappings(virtual.mappings());
      case Layout.Auto none -> {}
      case Layout.Compact none -> {}
      case Layout.Contiguous none -> {}
    }
    page.row("Storage:", storage(info));
    int number = 0;
    for (FilterSpec filter : info.options().filters()) {
      filter("Filter-" + number++ + ":", filter);
    }
    type(info.type(), info.committedType(), dataset.info().fileNumber());
    if (options.addresses) {
      addresses(dataset, info);
    }
  }

  private void chunks(Layout.Chunked chunked, Datatype type) {
    long bytes = TypeDescription.memorySize(type);
    StringBuilder text = new StringBuilder("{");
    for (int d = 0; d < chunked.dims().size(); d++) {
      text.append(d == 0 ? "" : ", ").append(chunked.dims().get(d));
      bytes *= chunked.dims().get(d);
    }
    page.row("Chunks:", text.append("} ").append(bytes).append(" bytes").toString());
  }

  private static String right(Object value, int columns) {
    String text = value.toString();
    return " ".repeat(Math.max(0, columns - text.length())) + text;
  }

  private void segments(List<Layout.External.Segment> segments) {
    int count = segments.size();
    page.row("Extern:", count + " external file" + (count == 1 ? "" : "s"));
    page.add("          ID  DSet-Addr  File-Addr      Bytes File").endLine();
    int longest = 0;
    for (Layout.External.Segment segment : segments) {
      longest = Math.max(longest, Escapes.append(new StringBuilder(), segment.file(), true));
    }
    String rule = "        ---- ---------- ---------- ---------- " + "-".repeat(longest);
    page.add(rule).endLine();
    long total = 0;
    int number = 0;
    for (Layout.External.Segment segment : segments) {
      String ordinal = Integer.toString(number++);
      boolean unlimited = segment.sizeBytes() == Dataspace.UNLIMITED;
      page.add("        #" + "0".repeat(Math.max(0, 3 - ordinal.length())) + ordinal);
      page.add(" " + right(total, 10) + " " + right(segment.offsetBytes(), 10));
      page.add(" " + right(unlimited ? "INF" : segment.sizeBytes(), 10) + " ");
      Escapes.append(page.text, segment.file(), true);
      page.endLine();
      total += segment.sizeBytes();
    }
    page.add(rule).endLine();
  }

  private void mappings(List<Layout.Virtual.Mapping> mappings) {
    if (mappings.isEmpty()) {
      return;
    }
    page.row("Maps:", "{" + mappings.size() + "} Source {");
    for (Layout.Virtual.Mapping mapping : mappings) {
      page.add("                      ");
      Escapes.append(page.text, mapping.sourceFile(), true);
      page.add("   ");
      Escapes.append(page.text, mapping.sourceDataset(), true);
      page.endLine();
    }
    page.add("               }").endLine();
  }

  private static String storage(DatasetInfo info) {
    if (info.type() instanceof VlenType || info.type() instanceof ReferenceType) {
      return "information not available";
    }
    long logical = info.space().elementCount() * TypeDescription.memorySize(info.type());
    long used = info.storage().allocatedBytes();
    String text = bytes(logical, "logical") + ", " + bytes(used, "allocated");
    return used == 0 ? text : text + ", " + percent(logical, used) + "% utilization";
  }

  private static String bytes(long number, String kind) {
    return Long.toUnsignedString(number) + " " + kind + " byte" + (number == 1 ? "" : "s");
  }

  private static String percent(long logical, long used) {
    return new BigDecimal(logical * 100.0 / used)
        .setScale(2, RoundingMode.HALF_EVEN)
        .toPlainString();
  }

  private void filter(String label, FilterSpec filter) {
    StringBuilder text = new StringBuilder(filterName(filter));
    text.append('-').append(filter.id()).append(filter.optional() ? " OPT {" : "  {");
    int count = 0;
    for (int parameter : filter.parameters()) {
      text.append(count++ == 0 ? "" : ", ").append(Integer.toUnsignedString(parameter));
    }
    page.row(label, text.append('}').toString());
  }

  private static String filterName(FilterSpec filter) {
    if (!filter.name().isEmpty()) {
      return filter.name();
    }
    return switch (filter.id()) {
      case 1 -> "deflate";
      case 2 -> "shuffle";
      case 3 -> "fletcher32";
      case 4 -> "szip";
      case 5 -> "nbit";
      case 6 -> "scaleoffset";
      default -> "method";
    };
  }

  /** Returns the file offset from which addresses count, that of the end of the user block. */
  private long base() {
    return file.info().creation().userBlockBytes();
  }

  private void addresses(Dataset dataset, DatasetInfo info) {
    Layout layout = info.options().layout();
    long base = base();
    if (layout instanceof Layout.Contiguous || layout instanceof Layout.External) {
      // -1, where nothing is stored, is printed as the library's undefined address.
      long offset = info.storage().offset();
      page.row("Address:", Long.toUnsignedString(offset < 0 ? offset : offset - base));
    }
    if (!(layout instanceof Layout.Chunked) || info.storage().chunkIndex().isEmpty()) {
      return; // no chunks, or none that the connector knows
    }
    Iterator<ChunkInfo> chunks = dataset.chunks().iterator();
    if (chunks.hasNext()) {
      page.add("           Flags    Bytes     Address          Logical Offset").endLine();
      page.add("        ========== ======== ========== ==============================").endLine();
    }
    while (chunks.hasNext()) {
      ChunkInfo chunk = chunks.next();
      String mask = Integer.toHexString(chunk.filterMask());
      page.add("        0x" + "0".repeat(8 - mask.length()) + mask);
      page.add(" " + right(chunk.storedBytes(), 8) + " " + right(chunk.address() - base, 10));
      // The library has a last dimension, in which an element's bytes lie.
      String offset = chunk.offset().toString();
      page.add(" " + offset.substring(0, offset.length() - 1) + ", 0]").endLine();
    }
  }
}
