package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.zarr.codec.BytesCodec;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ZarrConversionTest {

  private static final String ARRAY =
      """
      {"zarr_format":3,"node_type":"array","shape":[%s],"data_type":"int32",\
      "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[%s]}},\
      "chunk_key_encoding":{"name":"default"},"fill_value":7,\
      "codecs":[{"name":"bytes","configuration":{"endian":"little"}}],"attributes":{"a":[1,2]}}\
      """;
  private static final String GROUP = "{\"zarr_format\":3,\"node_type\":\"group\"}";

  @TempDir Path folder;

  /** Several chunks on every thread, so that what coders keep between chunks is used. */
  @Test
  void largeChunksAreReadByZarr() {
    Path in = folder.resolve("large.h5");
    int[] values = new int[1 << 20];
    Arrays.setAll(values, i -> i * 31 / 7 % 100_000);
    try (H5File file = Hdf5.create(in)) {
      file.datasetBuilder("data")
          .type(int.class)
          .shape(values.length)
          .options(o -> o.chunked(values.length / 8).shuffle().deflate(1))
          .create()
          .write(values);
    }
    Path out = folder.resolve("large.zarr");
    Path back = folder.resolve("back.h5");
    FileConverter.convert(in, out);
    FileConverter.convert(out, back);
    Path script = JudgedRoundTrip.resource("zarr_equal.py");
    for (Path file : List.of(in, back)) {
      String[] arguments = {file.toString(), "data", out.toString(), "data"};
      assertThat(Oracle.python("zarr", script).run(arguments).orFail().output().strip())
          .isEqualTo("zlib 8");
    }
  }

  @Test
  void keepsRandomHierarchies() {
    JudgedRoundTrip.run("zarr", "zarr_judge.py", 36, ".h5", ZarrConversionTest::layout);
  }

  /** Alternates between all layouts. */
  static ConversionOptions layout(Path in) {
    String name = in.getFileName().toString();
    boolean three = name.endsWith(".zarr3");
    int number = Integer.parseInt(name.substring(0, name.indexOf('.'))) / 2;
    List<String> layouts =
        three
            ? List.of("", "shard=2", "order=F", "shard=3,order=F,checksum", "separator=.")
            : List.of("", "separator=/", "order=F", "order=F,separator=/");
    String layout = layouts.get(number % layouts.size());
    return layout.isEmpty()
        ? ConversionOptions.DEFAULT
        : ConversionOptions.DEFAULT.withZarr(layout);
  }

  @Test
  void damagedHierarchiesAreRefused() throws IOException {
    Map<FileKind, Map<String, byte[]>> sound = new LinkedHashMap<>();
    for (FileKind kind : List.of(FileKind.ZARR2, FileKind.ZARR3)) {
      sound.put(kind, example(kind));
    }
    long seed = Seeds.draw();
    sound.get(FileKind.ZARR2).putAll(filtered());
    int times = Effort.times(300, 20_000);
    for (int i = 0; i < times; i++) {
      Random random = Seeds.random(seed, i);
      FileKind kind = i % 3 == 0 ? FileKind.ZARR3 : FileKind.ZARR2;
      Map<String, byte[]> damaged = new LinkedHashMap<>(sound.get(kind));
      List<String> keys = new ArrayList<>(damaged.keySet());
      String key = keys.get(random.nextInt(keys.size()));
      damaged.put(key, HostileInput.damage(damaged.get(key), random));
      HostileInput.convert(zip(damaged), kind, "seed " + seed + ", case " + i);
    }
  }

  /** The keys and values of a hierarchy that was converted from HDF5. */
  private Map<String, byte[]> example(FileKind kind) throws IOException {
    Path in = folder.resolve(kind.option() + ".h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", new double[][] {{1, 2, 3}, {4, 5, 6}}).setAttribute("unit", "m");
      file.datasetBuilder("g/y")
          .type(int.class)
          .shape(20)
          .options(o -> o.chunked(8).shuffle().deflate(2))
          .create()
          .write(new int[20]);
      file.createDataset("t", new String[] {"a", "grün", ""});
    }
    Path out = folder.resolve(kind.option());
    ConversionOptions options = ConversionOptions.DEFAULT.withKinds(FileKind.HDF5, kind);
    FileConverter.convert(in, out, options, FileConverter.Progress.NONE);
    Map<String, byte[]> values = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        values.put(out.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return values;
  }

  private static String array2(String dtype, String filters, String compressor) {
    return """
    {"zarr_format":2,"shape":[8],"chunks":[8],"dtype":"%s","order":"C","fill_value":null,\
    "filters":[%s],"compressor":%s}\
    """
        .formatted(dtype, filters, compressor);
  }

  /** Arrays of version 2 with filters, and codecs that are only read. */
  private static Map<String, byte[]> filtered() {
    Map<String, byte[]> values = new LinkedHashMap<>();
    String delta = "{\"id\":\"delta\",\"dtype\":\"<i4\",\"astype\":\"|i1\"}";
    values.put("p/.zarray", utf8(array2("<i4", delta, "null")));
    values.put("p/0", new byte[] {1, 2, 3, -4, 5, 6, 7, 8});
    String scale =
        "{\"id\":\"fixedscaleoffset\",\"scale\":10,\"offset\":1.5,\"dtype\":\"<f4\",\"astype\":\"|u1\"}";
    values.put("q/.zarray", utf8(array2("<f4", scale, "{\"id\":\"lz4\"}")));
    values.put("q/0", new byte[] {8, 0, 0, 0, (byte) 0x80, 1, 2, 3, 4, 5, 6, 7, 8});
    values.put("r/.zarray", utf8(array2("|b1", "{\"id\":\"packbits\"}", "null")));
    values.put("r/0", new byte[] {0, 0x5A});
    values.put("s/.zarray", utf8(array2("|O", "{\"id\":\"json2\"}", "{\"id\":\"lz4\"}")));
    byte[] json = utf8("[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"|O\",[8]]");
    byte[] block = new byte[4 + 2 + json.length];
    block[0] = (byte) json.length;
    block[4] = (byte) 0xF0;
    block[5] = (byte) (json.length - 15);
    System.arraycopy(json, 0, block, 6, json.length);
    values.put("s/0", block);
    values.put("v/.zarray", utf8(array2("|O", "{\"id\":\"vlen-bytes\"}", "null")));
    byte[] sequences = new byte[4 + 8 * 5];
    sequences[0] = 8;
    for (int i = 0; i < 8; i++) {
      sequences[4 + 5 * i] = 1;
      sequences[8 + 5 * i] = (byte) i;
    }
    values.put("v/0", sequences);
    return values;
  }

  @Test
  void filtersAndCodecsThatAreOnlyReadGiveTheirElements() throws IOException {
    Map<String, byte[]> values = filtered();
    values.put(".zgroup", utf8("{\"zarr_format\":2}"));
    Path in = Files.write(folder.resolve("in.zarr.zip"), zip(values));
    Path out = folder.resolve("out.h5");
    FileConverter.convert(in, out);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("p").readInts()).containsExactly(1, 3, 6, 2, 7, 13, 20, 28);
      assertThat(file.dataset("q").readFloats()).startsWith(1.6f, 1.7f).endsWith(2.3f);
      assertThat(file.dataset("r").read(boolean[].class))
          .containsExactly(false, true, false, true, true, false, true, false);
      assertThat(file.dataset("s").readStrings())
          .containsExactly("a", "b", "c", "d", "e", "f", "g", "h");
      assertThat(file.dataset("v").slice("7:8").read(byte[][].class)[0]).containsExactly(7);
    }
  }

  /** The metadata that zarr-python 3 writes for types that the specification lacks. */
  @Test
  void typesOfZarrPythonAreRead() throws IOException {
    String structure =
        "{\"name\":\"structured\",\"configuration\":{\"fields\":"
            + "[[\"a\",\"int16\"],[\"b\",\"float32\"]]}}";
    Map<String, byte[]> values = new LinkedHashMap<>();
    values.put("zarr.json", utf8(GROUP));
    String array = ARRAY.formatted("2", "2");
    values.put(
        "s/zarr.json",
        utf8(array.replace("\"int32\"", structure).replace(":7,", ":\"AQAAAAAA\",")));
    values.put("s/c/0", new byte[] {5, 0, 0, 0, -128, 63, 6, 0, 0, 0, 0, 64});
    String serializer = "{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}";
    values.put(
        "v/zarr.json",
        utf8(
            array
                .replace("\"int32\"", "\"variable_length_bytes\"")
                .replace(":7,", ":\"\",")
                .replace(serializer, "{\"name\":\"vlen-bytes\"}")));
    values.put("v/c/0", new byte[] {2, 0, 0, 0, 1, 0, 0, 0, 9, 2, 0, 0, 0, 0, 7});
    Path in = Files.write(folder.resolve("in.zarr3.zip"), zip(values));
    Path out = folder.resolve("out.h5");
    FileConverter.convert(in, out);
    String program =
        "import h5py, sys; f = h5py.File(sys.argv[1], 'r');"
            + " print(f['s'][:].tolist(), f['s'].fillvalue, [v.tolist() for v in f['v'][:]])";
    assertThat(Oracle.h5py().run(program, out.toString()).orFail().output())
        .isEqualToIgnoringNewLines("[(5, 1.0), (6, 2.0)] (1, 0.) [[9], [0, 7]]");
  }

  @Test
  void bombsInFiltersAreRefused() throws IOException {
    String delta = "{\"id\":\"delta\",\"dtype\":\"<i8\",\"astype\":\"<i8\"}";
    Map<String, byte[]> documents = new LinkedHashMap<>();
    documents.put("lz4", utf8(array2("<i8", "", "{\"id\":\"lz4\"}")));
    documents.put("json", utf8(array2("|O", "{\"id\":\"json2\"}", "{\"id\":\"lz4\"}")));
    documents.put("bytes", utf8(array2("|O", "{\"id\":\"vlen-bytes\"}", "null")));
    documents.put("delta", utf8(array2("|u1", delta, "null").replace("[8]", "[1000000000]")));
    documents.put("after", utf8(array2("<i8", "{\"id\":\"shuffle\"}," + delta, "null")));
    byte[][] chunks = {
      {-1, -1, -1, 0x7F, (byte) 0xFF, -1, -1, -1, -1}, // a length of 2 GiB
      {64, 0, 0, 0, 0x1F, 7, 0, 0, -1, -1}, // a match before the start
      {8, 0, 0, 0, -1, -1, -1, 0x7F}, // a sequence of 2 GiB
      {},
    };
    for (Map.Entry<String, byte[]> document : documents.entrySet()) {
      for (byte[] chunk : chunks) {
        Map<String, byte[]> values = new LinkedHashMap<>();
        values.put("a/.zarray", document.getValue());
        values.put("a/0", chunk);
        String what = document.getKey() + " " + Arrays.toString(chunk);
        assertThat(HostileInput.convert(zip(values), FileKind.ZARR2, what)).as(what).isPresent();
      }
    }
  }

  @Test
  void chunksThatExpandBeyondTheirShapeAreRefused() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(new byte[64 << 20]);
    }
    Map<String, byte[]> values = new LinkedHashMap<>();
    values.put("a/.zarray", utf8(array2("<i8", "", "{\"id\":\"gzip\",\"level\":1}")));
    values.put("a/0", packed.toByteArray());
    assertThat(HostileInput.convert(zip(values), FileKind.ZARR2, "gzip"))
        .containsInstanceOf(CorruptFileException.class);
  }

  @Test
  void zipStoresThatExpandBeyondTheLimitAreRefused() throws IOException {
    Map<String, byte[]> values = new LinkedHashMap<>();
    values.put("zarr.json", utf8(ARRAY.formatted("4000000", "1000000")));
    for (int i = 0; i < 4; i++) {
      values.put("c/" + i, new byte[4_000_000]);
    }
    Path in = Files.write(folder.resolve("in.zarr3.zip"), zip(values));
    Path out = folder.resolve("out.h5");
    ConversionOptions limited = expandingTo(10_000_000);
    assertThatThrownBy(() -> FileConverter.convert(in, out, limited, FileConverter.Progress.NONE))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("--max-expanded");
    assertThat(out).doesNotExist();
  }

  private static ConversionOptions expandingTo(long bytes) {
    return ConversionOptions.DEFAULT.withExpanded(bytes);
  }

  @Test
  void deeplyNestedMetadataIsRefused() throws IOException {
    for (int depth : new int[] {65, 100_000}) {
      String nested = "[".repeat(depth) + "]".repeat(depth);
      byte[] array = utf8(ARRAY.formatted("4", "2").replace("[1,2]", nested));
      assertThat(HostileInput.convert(zip(Map.of("zarr.json", array)), FileKind.ZARR3, "nested"))
          .as("%d", depth)
          .hasValueSatisfying(refused -> assertThat(refused).hasMessageContaining("levels"));
    }
    // groups are nested by the names of keys, without a word in a document
    byte[] group = utf8(GROUP);
    for (int depth : new int[] {GroupNode.MAX_DEPTH, GroupNode.MAX_DEPTH + 1, 10_000}) {
      byte[] store = zip(Map.of("zarr.json", group, "g/".repeat(depth) + "zarr.json", group));
      assertThat(HostileInput.convert(store, FileKind.ZARR3, "groups").isPresent())
          .as("%d groups", depth)
          .isEqualTo(depth > GroupNode.MAX_DEPTH);
    }
  }

  /** A link in a folder must not make a file elsewhere part of the output, nor a chunk missing. */
  @Test
  void linksInAFolderThatLeadOutOfTheStoreAreRefused() throws IOException {
    Path secret = Files.write(folder.resolve("secret"), new byte[] {9, 9, 9, 9, 9, 9, 9, 9});
    Path store = Files.createDirectory(folder.resolve("in.zarr3"));
    Files.write(store.resolve("zarr.json"), utf8(ARRAY.formatted("2", "2")));
    Files.createDirectory(store.resolve("c"));
    Files.createSymbolicLink(store.resolve("c/0"), secret);
    Path out = folder.resolve("out.h5");
    assertThatThrownBy(() -> FileConverter.convert(store, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("symbolic link");
    assertThat(out).doesNotExist();
  }

  private static byte[] zip(Map<String, byte[]> values) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> value : values.entrySet()) {
        zip.putNextEntry(new ZipEntry(value.getKey()));
        zip.write(value.getValue());
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void shardsOfImpossibleLengthsAreRefused() throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.datasetBuilder("x")
          .type(int.class)
          .shape(9, 7)
          .options(o -> o.chunked(2, 3).deflate(1))
          .create()
          .write(new int[63]);
    }
    Path out = folder.resolve("sharded.zarr3");
    ConversionOptions layout = ConversionOptions.DEFAULT.withZarr("shard=2,order=F,checksum");
    FileConverter.convert(in, out, layout, FileConverter.Progress.NONE);
    Map<String, byte[]> sound = new LinkedHashMap<>();
    for (String key : List.of("zarr.json", "x/zarr.json")) {
      sound.put(key, Files.readAllBytes(out.resolve(key)));
    }
    // zarr-python divides a shard into chunks before it transposes anything
    assertThat(new String(sound.get("x/zarr.json"), StandardCharsets.UTF_8))
        .containsPattern(
            "\"codecs\":.\\{\"name\":\"sharding_indexed\".*\"chunk_shape\":.2,3].*\"transpose\"");
    // all elements are the fill value, as the index of a shard records
    assertThat(Files.readAllBytes(out.resolve("x/c/0/0"))).hasSize(4 * 16 + 4);
    for (long length : new long[] {0, Long.MAX_VALUE, 1L << 40}) {
      byte[] shard = new byte[4 * 16 + 4];
      ByteBuffer.wrap(shard)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putLong(length)
          .putLong(length)
          .putInt(64, BytesCodec.Crc32c.of(shard, 64));
      sound.put("x/c/0/0", shard);
      assertThat(HostileInput.convert(zip(sound), FileKind.ZARR3, "length " + length))
          .containsInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void typesOfAbsurdSizesAreRefused() throws IOException {
    byte[] sound = zip(Map.of("zarr.json", utf8(ARRAY.formatted("4", "2"))));
    Path first = Files.write(folder.resolve("first.zarr3.zip"), sound);
    FileConverter.convert(first, folder.resolve("first.h5")); // which loads classes
    for (String size :
        List.of("0", "-5", "4294967296", "1e300", "99999999999999999999", "2000000000")) {
      for (String name : List.of("null_terminated_bytes", "fixed_length_utf32", "raw_bytes")) {
        String type =
            "{\"name\":\"%s\",\"configuration\":{\"length_bytes\":%s}}".formatted(name, size);
        String array =
            ARRAY.formatted("4", "2").replace("\"int32\"", type).replace(":7,", ":null,");
        assertThat(
                HostileInput.convert(zip(Map.of("zarr.json", utf8(array))), FileKind.ZARR3, type))
            .as(type)
            .isPresent();
      }
    }
  }

  @Test
  void layoutsThatAVersionDoesNotHaveAreRefused() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", new int[] {1});
    }
    for (String layout : List.of("shard=2", "checksum", "shard=0", "order=G", "")) {
      ConversionOptions options = ConversionOptions.DEFAULT.withZarr(layout);
      Path out = folder.resolve("out.zarr");
      assertThatThrownBy(() -> FileConverter.convert(in, out, options, FileConverter.Progress.NONE))
          .as(layout)
          .isInstanceOf(InvalidUseException.class);
      assertThat(out).doesNotExist();
    }
  }

  @Test
  void keysThatLeadOutOfTheStoreAreRefused() throws IOException {
    for (String key : List.of("../zarr.json", "/zarr.json", "a/../../b/zarr.json")) {
      Map<String, byte[]> values = new LinkedHashMap<>();
      values.put("zarr.json", utf8(GROUP));
      values.put(key, utf8(ARRAY.formatted("4", "2")));
      assertThat(HostileInput.convert(zip(values), FileKind.ZARR3, key))
          .as(key)
          .containsInstanceOf(CorruptFileException.class);
    }
    String consolidated =
        "{\"metadata\":{\"../secret/.zarray\":{\"zarr_format\":2,\"shape\":[1],\"chunks\":[1],"
            + "\"dtype\":\"<i4\",\"compressor\":null,\"fill_value\":0,\"order\":\"C\"}}}";
    Map<String, byte[]> values = new LinkedHashMap<>();
    values.put(".zgroup", utf8("{\"zarr_format\":2}"));
    values.put(".zmetadata", utf8(consolidated));
    assertThat(HostileInput.convert(zip(values), FileKind.ZARR2, "consolidated"))
        .containsInstanceOf(CorruptFileException.class);
  }

  @Test
  void missingChunksAreNotWritten() throws IOException {
    Path store = Files.createDirectory(folder.resolve("large.zarr3"));
    Files.write(store.resolve("zarr.json"), utf8(ARRAY.formatted("1000000000000", "1000")));
    Files.createDirectory(store.resolve("c"));
    Files.write(store.resolve("c/5"), new byte[4000]);
    Path out = folder.resolve("large.h5");
    FileConverter.convert(store, out);
    assertThat(out).satisfies(file -> assertThat(Files.size(file)).isLessThan(1 << 20));
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("data").slice("4999:5001").readInts()).containsExactly(7, 0);
    }
  }

  @Test
  void chunksLargerThanTheMemoryAreRefused() throws IOException {
    Map<String, byte[]> values = new LinkedHashMap<>();
    values.put("zarr.json", utf8(ARRAY.formatted("1000000000", "500000000")));
    values.put("c/0", new byte[10]);
    assertThat(HostileInput.convert(zip(values), FileKind.ZARR3, "large chunk"))
        .hasValueSatisfying(refused -> assertThat(refused).hasMessageContaining("--memory"));
  }

  @Test
  void foldersOfOtherFilesAreNotReplaced() throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", new int[] {1});
    }
    Path mine = Files.createDirectory(folder.resolve("mine.zarr"));
    Files.writeString(mine.resolve("text"), "mine");
    ConversionOptions replace = ConversionOptions.DEFAULT.withReplace(true);
    Path link = Files.createSymbolicLink(folder.resolve("link.zarr"), mine);
    for (Path out : List.of(mine, link)) {
      assertThatThrownBy(() -> FileConverter.convert(in, out, replace, FileConverter.Progress.NONE))
          .isInstanceOf(InvalidUseException.class);
    }
    assertThat(mine.resolve("text")).hasContent("mine");
    Path out = folder.resolve("out.zarr");
    FileConverter.convert(in, out);
    FileConverter.convert(in, out, replace, FileConverter.Progress.NONE);
    assertThat(out.resolve("x/0")).exists();
  }

  @Test
  void anOutputThatFailsIsRemoved() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("a", new int[] {1});
      file.createDataset("b", Datatypes.REGION_REFERENCE, Dataspace.simple(1));
    }
    Path out = folder.resolve("out.zarr3");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("/b");
    assertThat(out).doesNotExist();
  }

  /** Chunks with shuffle and deflate keep their zlib streams, in Blosc's container. */
  @Test
  void shuffledAndDeflatedChunksAreCopied() throws IOException {
    Path in = folder.resolve("packed.h5");
    Oracle.h5py()
        .runIn(
            folder,
            """
            import h5py, numpy as np, zlib
            with h5py.File('packed.h5', 'w') as f:
                for name, dtype in (('a', '<f8'), ('b', '>i4'), ('c', '<i2'), ('d', '|u1')):
                    d = f.create_dataset(name, (10, 7), dtype, chunks=(4, 4), fillvalue=5,
                                         compression='gzip', compression_opts=6, shuffle=True)
                    d[:7, :] = np.arange(49).reshape(7, 7)
                wide = np.random.default_rng(3).integers(0, 9, (2000, 500)).astype('<i8')
                f.create_dataset('wide', data=wide, chunks=(700, 300), compression='gzip', shuffle=True)
                plain = np.arange(16, dtype='<f8').reshape(4, 4)
                shuffled = plain.view('u1').reshape(16, 8).T.tobytes()
                f['a'].id.write_direct_chunk((4, 4), shuffled, 0b10)
            """)
        .orFail();
    String judge =
        """
        import h5py, sys, zarr, numpy as np
        g = zarr.open_group(sys.argv[1], mode='r')
        with h5py.File(sys.argv[2]) as f:
            for name in f:
                assert (g[name][...] == f[name][...]).all(), name
            if len(sys.argv) > 3:
                raw = open(sys.argv[1] + '/wide/0.0', 'rb').read()
                assert raw[24:] == f['wide'].id.read_direct_chunk((0, 0))[1]
        """;
    Path script = Files.writeString(folder.resolve("judge.py"), judge);
    Path plain = folder.resolve("packed.zarr");
    FileConverter.convert(in, plain);
    Oracle.python("zarr", script).run(plain.toString(), in.toString(), "streams").orFail();
    for (String layout : List.of("order=F", "separator=/", "checksum")) {
      Path out = folder.resolve(layout.charAt(0) + ".zarr3");
      ConversionOptions options = ConversionOptions.DEFAULT.withZarr(layout);
      FileConverter.convert(in, out, options, FileConverter.Progress.NONE);
      Path back = folder.resolve(layout.charAt(0) + ".h5");
      FileConverter.convert(out, back);
      Oracle.h5py()
          .run(
              """
              import h5py, sys
              with h5py.File(sys.argv[1]) as f, h5py.File(sys.argv[2]) as g:
                  for name in f:
                      assert (f[name][...] == g[name][...]).all(), name
              """,
              in.toString(),
              back.toString())
          .orFail();
    }
  }

  /** Bytes that Blosc shuffled are compressed again without putting elements together. */
  @Test
  void chunksShuffledByBloscKeepTheirElements() throws IOException {
    Path script =
        Files.writeString(
            folder.resolve("blosc.py"),
            """
            import h5py, numpy as np, sys, zarr
            from numcodecs import Blosc
            rng = np.random.default_rng(5)
            def cases():
                for name in ('blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd'):
                    for dtype in ('|u1', '<i2', '>i4', '<f8', '<c16', [('a', '<i4'), ('b', '<f8')]):
                        for shuffle in (0, 1, 2):
                            for size in (0, 4096):
                                yield name, np.dtype(dtype), shuffle, size
            folder, verb = sys.argv[1:3]
            if verb == 'make':
                g = zarr.open_group(folder + '/in.zarr', mode='w')
            else:
                g = zarr.open_group(folder + '/in.zarr', mode='r')
                f = h5py.File(folder + '/out.h5')
            for number, (name, dtype, shuffle, size) in enumerate(cases()):
                if verb == 'make':
                    count = 70 * 90 * dtype.itemsize
                    values = rng.integers(0, 256 if number % 5 == 0 else 3, count).astype('u1')
                    values = values.view(dtype).reshape(70, 90)
                    g.array(str(number), values, chunks=(32, 50), fill_value=None,
                            compressor=Blosc(name, 3, shuffle, size))
                else:
                    same = g[str(number)][...].tobytes() == f[str(number)][...].tobytes()
                    assert same, (name, dtype, shuffle, size)
                    assert f[str(number)].shuffle and f[str(number)].compression == 'gzip'
            """);
    Oracle judge = Oracle.python("zarr", script);
    judge.run(folder.toString(), "make").orFail();
    FileConverter.convert(folder.resolve("in.zarr"), folder.resolve("out.h5"));
    judge.run(folder.toString(), "check").orFail();
  }

  @Test
  void aDamagedChunkIsNotCopied() throws IOException {
    Path in = folder.resolve("damaged.h5");
    Oracle.h5py()
        .runIn(
            folder,
            """
            import h5py, numpy as np, zlib
            with h5py.File('damaged.h5', 'w') as f:
                d = f.create_dataset('d', (8, 64), 'f8', chunks=(4, 64), compression='gzip', shuffle=True)
                d[...] = 1
                d.id.write_direct_chunk((4, 0), zlib.compress(bytes(64 * 4 * 8 + 1)))
            """)
        .orFail();
    Path out = folder.resolve("damaged.zarr");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("/d");
    assertThat(out).doesNotExist();
  }
}
