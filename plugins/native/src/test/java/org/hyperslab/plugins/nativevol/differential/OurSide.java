package org.hyperslab.plugins.nativevol.differential;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;

/** Makes files from edits, and describes files, as differential.py does. No state. */
final class OurSide {

  private final Session session;

  OurSide(Session session) {
    this.session = session;
  }

  /** Makes a file. */
  void make(Path path, FormatVersion low, List<String> lines) {
    CreateOptions options = CreateOptions.DEFAULT.withBounds(low, FormatVersion.LATEST);
    OpenOptions again = OpenOptions.EDIT.withBounds(low, FormatVersion.LATEST);
    H5File file = session.create(path, options);
    try {
      for (String line : lines) {
        if (line.equals("reopen")) {
          file.close();
          file = session.open(path, again);
        } else {
          edit(file, line.split(" "));
        }
      }
    } finally {
      file.close();
    }
  }

  private static void edit(H5File file, String[] words) {
    Group root = file.root();
    switch (words[0]) {
      case "group" -> file.createGroup(words[1]).close();
      case "dataset" -> dataset(file, words);
      case "commit" -> root.commit(words[1], Kind.of(words[2]).type).close();
      case "virtual" -> virtual(file, words);
      case "growing" -> growing(file, words);
      case "numbered" -> numbered(file, words);
      case "region" -> region(file, words);
      case "raw" -> raw(file, words);
      case "write" -> write(file, words);
      case "extent" -> {
        try (Dataset dataset = file.dataset(words[1])) {
          dataset.setExtent(numbers(words[2]));
        }
      }
      case "attribute" -> attribute(file, words);
      case "noattribute" -> {
        try (H5Object object = object(file, words[1])) {
          object.deleteAttribute(words[2]);
        }
      }
      case "delete" -> root.delete(words[1]);
      case "hard" -> root.createHardLink(words[1], words[2]);
      case "soft" -> root.createSoftLink(words[1], words[2]);
      case "external" -> root.createExternalLink(words[1], words[2], words[3]);
      case "move" -> root.move(words[1], words[2]);
      case "flush" -> file.flush();
      default -> throw new IllegalArgumentException(String.join(" ", words));
    }
  }

  private static H5Object object(H5File file, String path) {
    return path.equals("/") ? file.root() : file.get(path);
  }

  private static long[] numbers(String text) {
    return text.equals("-")
        ? new long[0]
        : Arrays.stream(text.split(",")).mapToLong(Long::parseLong).toArray();
  }

  private static void dataset(H5File file, String[] words) {
    Kind kind = Kind.of(words[2]);
    DatasetOptions.Builder options = DatasetOptions.builder();
    switch (words[3]) {
      case "compact" -> options.layout(new Layout.Compact());
      case "contiguous" -> options.layout(new Layout.Contiguous());
      case "early" -> options.chunked(numbers(words[6])).allocationTime(AllocationTime.EARLY);
      default -> options.chunked(numbers(words[6]));
    }
    for (String filter : words[7].split("\\+")) {
      switch (filter) {
        case "shuffle" -> options.shuffle();
        case "deflate" -> options.deflate(3);
        case "fletcher32" -> options.fletcher32();
        default -> {}
      }
    }
    if (!words[8].equals("-")) {
      int[] value = {Integer.parseInt(words[8])};
      options.fill(
          new FillValue.Value(Datatypes.NATIVE_INT, DataBuffer.of(MemorySegment.ofArray(value))));
    }
    long[] dims = numbers(words[4]);
    long[] most =
        Arrays.stream(numbers(words[5])).map(n -> n < 0 ? Dataspace.UNLIMITED : n).toArray();
    Dataspace space = dims.length == 0 ? Dataspace.scalar() : Dataspace.simple(dims, most);
    if (words[9].equals("-")) {
      file.datasetBuilder(words[1])
          .type(kind.type)
          .space(space)
          .options(options.build())
          .create()
          .close();
      return;
    }
    try (CommittedType shared = file.root().committedType(words[9])) {
      file.root()
          .datasetBuilder(words[1])
          .type(shared)
          .space(space)
          .options(options.build())
          .create()
          .close();
    }
  }

  private static void virtual(H5File file, String[] words) {
    long[] dims = numbers(words[3]);
    List<Layout.Virtual.Mapping> mappings = new ArrayList<>();
    for (int at = 4; at < words.length; at += 4) {
      long[] count = numbers(words[at + 3]);
      mappings.add(
          mapping(
              file,
              Selection.box(numbers(words[at + 2]), count),
              words[at],
              Selection.box(numbers(words[at + 1]), count)));
    }
    create(file, words, Dataspace.simple(dims), new Layout.Virtual(mappings));
  }

  private static Layout.Virtual.Mapping mapping(
      H5File file, Selection virtual, String source, Selection selected) {
    try (Dataset from = file.dataset(source)) {
      return new Layout.Virtual.Mapping(virtual, ".", source, from.space(), selected);
    }
  }

  private static void growing(H5File file, String[] words) {
    long block = Long.parseLong(words[5]);
    long[] unlimited = {Selection.UNLIMITED};
    Selection whole =
        Selection.hyperslab(new long[] {0}, new long[] {1}, new long[] {1}, unlimited);
    List<Layout.Virtual.Mapping> mappings = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Selection blocks =
          Selection.hyperslab(
              new long[] {i * block}, new long[] {2 * block}, unlimited, new long[] {block});
      mappings.add(mapping(file, blocks, words[3 + i], whole));
    }
    create(file, words, Dataspace.simple(new long[] {0}, unlimited), new Layout.Virtual(mappings));
  }

  private static void numbered(H5File file, String[] words) {
    long[] block = numbers(words[3]);
    long[] unlimited = {Selection.UNLIMITED};
    Layout.Virtual.Mapping mapping =
        new Layout.Virtual.Mapping(
            Selection.hyperslab(new long[] {0}, block, unlimited, block),
            ".",
            words[1] + "s%b",
            Dataspace.simple(block),
            Selection.all());
    Layout layout = new Layout.Virtual(List.of(mapping));
    create(file, words, Dataspace.simple(new long[] {0}, unlimited), layout);
    for (long number : numbers(words[4])) {
      String[] source = {"", words[1] + "s" + number, words[2]};
      create(file, source, Dataspace.simple(block), new Layout.Contiguous());
      String seed = "" + (7 * number + 1);
      write(file, new String[] {"write", source[1], words[2], "0", words[3], seed});
    }
  }

  private static void create(H5File file, String[] words, Dataspace space, Layout layout) {
    DatasetOptions options = DatasetOptions.builder().layout(layout).build();
    file.datasetBuilder(words[1])
        .type(Kind.of(words[2]).type)
        .space(space)
        .options(options)
        .create()
        .close();
  }

  private static void region(H5File file, String[] words) {
    Selection box = Selection.box(numbers(words[3]), numbers(words[4]));
    try (Dataset target = file.dataset(words[2]);
        Dataset dataset =
            file.createDataset(words[1], Datatypes.REGION_REFERENCE, Dataspace.simple(1))) {
      dataset.write(new Reference.ToRegion[] {target.regionReference(box)});
    }
  }

  private static void raw(H5File file, String[] words) {
    Kind kind = Kind.of(words[2]);
    long[] dims = numbers(words[3]);
    long bytes = (long) count(dims) * kind.type.size();
    String base = Path.of(file.name()).toAbsolutePath() + "." + words[4];
    // The two parts follow each other, with a gap.
    long half = bytes / 2;
    List<Layout.External.Segment> segments =
        half == 0
            ? List.of(new Layout.External.Segment(base, 3, bytes))
            : List.of(
                new Layout.External.Segment(base, 3, half),
                new Layout.External.Segment(base, half + 7, bytes - half));
    create(file, words, Dataspace.simple(dims), new Layout.External(segments));
    String all = "0" + ",0".repeat(dims.length - 1);
    write(file, new String[] {"write", words[1], words[2], all, words[3], words[5]});
  }

  private static int count(long[] dims) {
    return Math.toIntExact(Arrays.stream(dims).reduce(1, (a, b) -> a * b));
  }

  private static void write(H5File file, String[] words) {
    long[] count = numbers(words[4]);
    Object values =
        Kind.of(words[2]).values(Integer.parseInt(words[5]), count(count), file.root().reference());
    try (Dataset dataset = file.dataset(words[1])) {
      Selection selection =
          count.length == 0 ? Selection.all() : Selection.box(numbers(words[3]), count);
      dataset.write(selection, values);
    }
  }

  private static void attribute(H5File file, String[] words) {
    Kind kind = Kind.of(words[3]);
    long[] dims = numbers(words[4]);
    Dataspace space = dims.length == 0 ? Dataspace.scalar() : Dataspace.simple(dims);
    Object values = kind.values(Integer.parseInt(words[5]), count(dims), file.root().reference());
    try (H5Object object = object(file, words[1])) {
      if (object.hasAttribute(words[2])) {
        object.deleteAttribute(words[2]);
      }
      object.createAttribute(words[2], kind.type, space).write(values);
    }
  }

  /** Describes the content of a file, line by line. */
  List<String> describe(Path path) {
    List<String> lines = new ArrayList<>();
    try (H5File file = session.open(path)) {
      describe(file, "/", file.root(), lines);
    }
    return lines;
  }

  private static void describe(H5File file, String path, H5Object object, List<String> lines) {
    lines.add(letter(object) + " " + path);
    object
        .attributes()
        .sorted(Comparator.comparing(Attribute::name))
        .forEach(a -> {
          Kind kind = kind(a.type());
          String values = kind.text(a.read(kind.arrayClass()));
          lines.add("A " + path + " " + a.name() + " " + text(a.shape()) + " " + values);
        });
    if (object instanceof CommittedType type) {
      lines.add("T " + path);
      kind(type.datatype()); // one of those that were written
    } else if (object instanceof Dataset dataset
        && dataset.type() instanceof ReferenceType of
        && of.kind() == ReferenceKind.REGION) {
      lines.add("R " + path + " " + regions(file, dataset));
    } else if (object instanceof Dataset dataset) {
      if (dataset.committedType().isPresent()) {
        lines.add("C " + path);
      }
      Kind kind = kind(dataset.type());
      String values = kind.text(dataset.read(kind.arrayClass()));
      String most = text(dataset.space().maxDims());
      lines.add("E " + path + " " + text(dataset.shape()) + " " + most + " " + values);
    } else if (object instanceof Group group) {
      group
          .links()
          .sorted(Comparator.comparing(Link::name))
          .forEach(link ->
              describe(
                  file, (path.equals("/") ? "" : path) + "/" + link.name(), link, group, lines));
    }
  }

  private static String letter(H5Object object) {
    return switch (object.kind()) {
      case DATASET -> "D";
      case COMMITTED_TYPE -> "N";
      default -> "G";
    };
  }

  private static String regions(H5File file, Dataset dataset) {
    StringJoiner joiner = new StringJoiner(";");
    for (Reference.ToRegion reference : dataset.read(Reference.ToRegion[].class)) {
      try (Dataset target = (Dataset) file.dereference(reference)) {
        Selection selection = target.region(reference).selection();
        Selection.Bounds bounds = selection.bounds(target.shape());
        long[] low = new long[bounds.rank()];
        long[] high = new long[bounds.rank()];
        for (int d = 0; d < low.length; d++) {
          low[d] = bounds.low(d);
          high[d] = bounds.high(d);
        }
        joiner.add(selection.elementCount(target.shape()) + " " + text(low) + " " + text(high));
      }
    }
    return joiner.toString();
  }

  private static void describe(
      H5File file, String path, Link link, Group group, List<String> lines) {
    switch (link.kind()) {
      case SOFT -> lines.add("S " + path + " " + link.info().targetPath());
      case EXTERNAL ->
          lines.add("X " + path + " " + link.info().targetFile() + " " + link.info().targetPath());
      case HARD, USER_DEFINED -> {
        try (H5Object object = group.get(link.name())) {
          describe(file, path, object, lines);
        }
      }
    }
  }

  private static Kind kind(Datatype type) {
    for (Kind kind : Kind.values()) {
      boolean enumerations =
          kind.type instanceof EnumType && type instanceof EnumType; // constants in any order
      if (enumerations || kind.type.describe().equals(type.describe())) {
        return kind;
      }
    }
    throw new AssertionError("a type that nobody has written: " + type.describe());
  }

  private static String text(long[] numbers) {
    StringJoiner joiner = new StringJoiner(",");
    Arrays.stream(numbers).forEach(n -> joiner.add(n == Dataspace.UNLIMITED ? "-1" : "" + n));
    return joiner.toString();
  }
}
