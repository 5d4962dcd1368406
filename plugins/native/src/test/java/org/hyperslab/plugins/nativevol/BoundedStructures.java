package org.hyperslab.plugins.nativevol;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.SpaceStrategy;

/** Lists one of each structure whose form or availability depends on version bounds. */
final class BoundedStructures {

  private static final long NONE = Dataspace.UNLIMITED;

  private BoundedStructures() {}

  /** Creates a structure in a new file. */
  @FunctionalInterface
  interface Maker {
    void make(H5File file);
  }

  /**
   * A structure.
   *
   * @param name what the table calls it
   * @param contentSince the first release that reads the content, if no message's version
   *     determines it
   * @param options what the file is created with
   * @param maker makes it
   */
  record Structure(
      String name, Release contentSince, UnaryOperator<CreateOptions> options, Maker maker) {}

  private static Structure of(String name, Maker maker) {
    return new Structure(name, Release.R16, options -> options, maker);
  }

  private static Structure of(String name, UnaryOperator<CreateOptions> options, Maker maker) {
    return new Structure(name, Release.R16, options, maker);
  }

  private static Structure of(String name, Release since, Maker maker) {
    return new Structure(name, since, options -> options, maker);
  }

  private static Structure ofType(String name, Datatype type) {
    return of(
        name,
        file -> {
          file.createDataset("d", type, Dataspace.simple(3)).close();
          file.root().createAttribute("a", type, Dataspace.scalar());
        });
  }

  static List<Structure> all() {
    return Stream.of(files(), groups(), attributes(), layouts(), types(), news())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Structure> files() {
    SpaceStrategy pages = new SpaceStrategy(SpaceStrategy.Kind.PAGE, false, 1, 4096);
    SpaceStrategy kept = new SpaceStrategy(SpaceStrategy.Kind.FREE_SPACE, true, 1, 4096);
    return List.of(
        of("file without anything", file -> {}),
        of("file with addresses of 4 bytes", o -> o.withSizes(4, 4), file -> numbers(file, "d")),
        of("file with a user block", o -> o.withUserBlock(512), file -> numbers(file, "d")),
        of("file space in pages", o -> o.withSpace(pages), file -> numbers(file, "d")),
        of(
            "free space kept in the file",
            o -> o.withSpace(kept),
            file -> {
              numbers(file, "gone");
              numbers(file, "d");
              file.root().delete("gone");
            }));
  }

  private static void numbers(H5File file, String path) {
    file.createDataset(path, new int[] {1, 2, 3}).close();
  }

  private static List<Structure> groups() {
    return List.of(
        of("group", file -> file.root().createGroup("g").close()),
        of(
            "group that tracks creation order",
            file ->
                file.root()
                    .createGroup("g", GroupOptions.DEFAULT.withCreationOrder(), LinkOptions.DEFAULT)
                    .close()),
        of(
            "group of 30 links",
            file -> {
              for (int i = 0; i < 30; i++) {
                file.root().createSoftLink("link" + i, "/nowhere");
              }
            }),
        of("soft link", file -> file.root().createSoftLink("soft", "/")),
        of("external link", file -> file.root().createExternalLink("ext", "other.h5", "/")),
        of("link name outside ASCII", file -> numbers(file, "größe")));
  }

  private static List<Structure> attributes() {
    DatasetOptions tracking =
        DatasetOptions.builder().attributes(new AttributeStorage(true, true, 8, 6)).build();
    return List.of(
        of("attribute", file -> file.root().setAttribute("a", 1)),
        of("attribute name outside ASCII", file -> file.root().setAttribute("größe", 1)),
        of(
            "20 attributes",
            file -> {
              for (int i = 0; i < 20; i++) {
                file.root().setAttribute("a" + i, i);
              }
            }),
        of("attribute of 100,000 bytes", file -> file.root().setAttribute("a", new byte[100_000])),
        of(
            "attributes in creation order",
            file ->
                file.datasetBuilder("d")
                    .type(Datatypes.I32LE)
                    .options(tracking)
                    .create()
                    .setAttribute("a", 1)),
        of(
            "committed type, shared",
            file -> {
              CommittedType type = file.root().commit("t", Datatypes.I32LE);
              file.root().createAttribute("a", type, Dataspace.scalar());
              file.root().datasetBuilder("d").type(type).shape(2).create().close();
            }),
        of(
            "null dataspace",
            file -> {
              file.createDataset("d", Datatypes.I32LE, Dataspace.nullSpace()).close();
              file.root().createAttribute("a", Datatypes.I32LE, Dataspace.nullSpace());
            }));
  }

  private static Structure layout(String name, long[] most, DatasetOptions.Builder options) {
    return of(
        name,
        file -> {
          Dataspace space = Dataspace.simple(new long[] {20, 30}, most);
          try (Dataset made =
              file.datasetBuilder("d")
                  .type(Datatypes.I32LE)
                  .space(space)
                  .options(options.build())
                  .create()) {
            made.write(new int[20][30]);
          }
        });
  }

  private static List<Structure> layouts() {
    long[] fixed = {20, 30};
    Layout edges = new Layout.Chunked(List.of(7L, 7L), false);
    Layout raw = new Layout.External(List.of(new Layout.External.Segment("raw.bin", 0, 2400)));
    DatasetOptions.Builder seven = DatasetOptions.chunked(4, 5).fill(fill());
    return List.of(
        layout("compact", fixed, DatasetOptions.builder().layout(new Layout.Compact())),
        layout("contiguous", fixed, DatasetOptions.builder()),
        layout("external raw file", fixed, DatasetOptions.builder().layout(raw)),
        layout("one chunk", fixed, DatasetOptions.chunked(20, 30)),
        layout("chunks, fixed extent", fixed, DatasetOptions.chunked(4, 5)),
        layout(
            "chunks, allocated early",
            fixed,
            DatasetOptions.chunked(4, 5).allocationTime(AllocationTime.EARLY)),
        layout(
            "chunks, one dimension unlimited", new long[] {NONE, 30}, DatasetOptions.chunked(4, 5)),
        layout(
            "chunks, two dimensions unlimited",
            new long[] {NONE, NONE},
            DatasetOptions.chunked(4, 5)),
        layout(
            "chunks at the edge not filtered",
            fixed,
            DatasetOptions.builder().layout(edges).deflate(6)),
        layout(
            "filters of the library",
            fixed,
            DatasetOptions.chunked(4, 5).shuffle().deflate(6).fletcher32()),
        layout(
            "registered filter", fixed, DatasetOptions.chunked(4, 5).filter(FilterSpec.of(32000))),
        layout("fill value", fixed, seven),
        layout(
            "fill value undefined",
            fixed,
            DatasetOptions.chunked(4, 5).fill(new FillValue.Undefined())),
        of("virtual dataset", BoundedStructures::virtual));
  }

  private static FillValue fill() {
    return new FillValue.Value(Datatypes.I32LE, Memory.of(new int[] {7}).data());
  }

  private static void virtual(H5File file) {
    numbers(file, "source");
    Layout.Virtual.Mapping mapping =
        new Layout.Virtual.Mapping(
            Selection.all(), ".", "/source", Dataspace.simple(3), Selection.all());
    DatasetOptions options =
        DatasetOptions.builder().layout(new Layout.Virtual(List.of(mapping))).build();
    file.datasetBuilder("v").type(Datatypes.I32LE).shape(3).options(options).create().close();
  }

  private static List<Structure> types() {
    CompoundType record =
        CompoundType.builder()
            .member("n", Datatypes.I32LE)
            .member("s", Datatypes.vlenString())
            .build();
    return List.of(
        ofType("integer", Datatypes.U64BE),
        ofType("float", Datatypes.F64LE),
        ofType("float of 16 bits (bfloat16)", Datatypes.BF16LE),
        ofType("VAX float", Datatypes.VAX_F64),
        ofType("time", new TimeType(4, Endian.LITTLE, 32)),
        ofType("bitfield", Datatypes.B16LE),
        ofType("opaque", Datatypes.opaque(5, "tag")),
        ofType("string of fixed size", Datatypes.fixedString(5)),
        ofType("string of variable length", Datatypes.vlenString()),
        ofType("sequence of variable length", Datatypes.vlen(Datatypes.I16LE)),
        ofType("enumeration", EnumType.builder(Datatypes.I8LE).constant("A", 1).build()),
        ofType("array", Datatypes.array(Datatypes.I16LE, 2, 3)),
        ofType("compound", record),
        of("object references", file -> file.createDataset("r", references(file, false)).close()),
        of("region references", file -> file.createDataset("r", references(file, true)).close()));
  }

  /** References to objects, or to regions, in an array that may hold either. */
  private static Reference[] references(H5File file, boolean regions) {
    try (Group group = file.root().createGroup("g");
        Dataset numbers = file.createDataset("n", new int[] {1, 2, 3})) {
      Selection two = Selection.box(new long[] {1}, new long[] {2});
      return regions
          ? new Reference[] {numbers.regionReference(two), null}
          : new Reference[] {numbers.reference(), group.reference(), null};
    }
  }

  private static Reference far(H5File file, Selection selection, long... extent) {
    DatasetOptions chunks = DatasetOptions.chunked(8).build();
    try (Dataset wide =
        file.datasetBuilder("wide").type(Datatypes.I8LE).shape(extent).options(chunks).create()) {
      return wide.regionReference(selection);
    }
  }

  /** Structures that an upper bound writes in another form, or refuses. */
  private static List<Structure> news() {
    Complex one = new Complex(1, -1);
    Datatype complex = Datatypes.COMPLEX_F64LE;
    CompoundType nested = CompoundType.builder().member("z", complex).build();
    Selection beyond = Selection.box(new long[] {1L << 33}, new long[] {3});
    Selection points = Selection.points(1, 1L << 33, 5);
    Selection many =
        Selection.hyperslab(new long[] {0}, new long[] {3}, new long[] {100_000}, new long[] {1});
    return List.of(
        of("complex number, attribute", file -> file.root().setAttribute("z", one)),
        of(
            "complex numbers, dataset",
            file -> file.createDataset("z", new Complex[] {one, one}).close()),
        ofType("complex number of singles", Datatypes.COMPLEX_F32LE),
        ofType("complex number in a compound", nested),
        ofType("complex number in a sequence", Datatypes.vlen(complex)),
        ofType("complex number in an array", Datatypes.array(complex, 2)),
        of("complex number, committed", file -> file.root().commit("t", complex).close()),
        ofType("revised reference", Datatypes.REFERENCE),
        ofType("revised reference in a compound", revisedMember()),
        of(
            "references of both kinds",
            file ->
                file.createDataset(
                        "r",
                        new Reference[] {
                          references(file, true)[0],
                          new Reference.ToObject(file.root().token().address())
                        })
                    .close()),
        of(
            "reference to an attribute",
            file -> {
              file.root().setAttribute("a", 1);
              long root = file.root().token().address();
              Reference[] one1 = {new Reference.ToAttribute(root, "a")};
              file.createDataset("r", one1).close();
            }),
        of(
            "reference into another file",
            file -> {
              Reference there = new Reference.ToObject(96);
              Reference[] out = {new Reference.External("other.h5", there)};
              file.createDataset("r", out).close();
            }),
        of(
            "region of 100,000 blocks",
            Release.R110,
            file -> file.root().setAttribute("r", far(file, many, 300_000))),
        of(
            "region beyond 2^32, regular",
            Release.R110,
            file -> file.root().setAttribute("r", far(file, beyond, 1L << 34))),
        of(
            "region beyond 2^32, points",
            Release.R112,
            file -> file.root().setAttribute("r", far(file, points, 1L << 34))));
  }

  private static CompoundType revisedMember() {
    return CompoundType.builder()
        .member("n", Datatypes.I16LE)
        .member("r", Datatypes.REFERENCE)
        .member("m", Datatypes.I16LE)
        .build();
  }

  /** A release of the HDF5 library, described by the versions that it reads. */
  enum Release {
    R16("1.6"),
    R18("1.8"),
    R110("1.10"),
    R112("1.12"),
    R200("2.0");

    private final String text;

    Release(String text) {
      this.text = text;
    }

    static Release max(Release a, Release b) {
      return a.compareTo(b) >= 0 ? a : b;
    }

    /**
     * Returns the first release that reads a version, given the greatest version of each release.
     */
    static Optional<Release> first(int version, int... newest) {
      for (int i = 0; i < newest.length; i++) {
        if (version <= newest[i]) {
          return Optional.of(values()[i]);
        }
      }
      return Optional.empty();
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
