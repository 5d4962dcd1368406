package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.web.options.WebOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compares the replies of the API on a file with what h5py reads. */
final class GroveApiTest {

  private static final String TOKEN = "a-token-of-the-test";

  private TemporaryFolder folder;

  @BeforeEach
  void create() {
    folder = TemporaryFolder.create("grove");
  }

  @AfterEach
  void delete() {
    folder.close();
  }

  private static WebServer serve(Path path) {
    return WebServer.show(
        path, WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.of(TOKEN))));
  }

  @Test
  void corpusIsServedAsReadByH5py() throws IOException {
    CorpusJudge.compare("h5py", "grove_judge.py", "\"binary\": 0,");
  }

  @Test
  void numbersOfAnEnumerationWithoutANameAreKept() {
    EnumType level =
        EnumType.builder(IntegerType.of(2, Endian.BIG, true))
            .constant("LOW", 0)
            .constant("HIGH", 1)
            .build();
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createDataset("x", level, Dataspace.simple(3)).write(new short[] {1, 7, -3});
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      byte[] safe = client.get("/data?file=x.h5&path=/x&format=bin&dtype=safe").body();
      assertThat(safe).containsExactly(1, 0, 7, 0, -3, -1);
      byte[] origin = client.get("/data?file=x.h5&path=/x&format=bin").body();
      assertThat(origin).containsExactly(0, 1, 0, 7, -1, -3);
    }
  }

  @Test
  void rangesOfASliceAreTheBytesOfTheWhole() {
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      int[][] values = new int[700][900];
      for (int i = 0; i < values.length; i++) {
        for (int j = 0; j < values[i].length; j++) {
          values[i][j] = i * 1000 + j;
        }
      }
      file.datasetBuilder("x")
          .value(values)
          .options(DatasetOptions.chunked(64, 100).build())
          .create()
          .close();
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      String address = "/data?file=x.h5&path=/x&format=bin&selection=5:,::3";
      byte[] whole = client.get(address).body();
      assertThat(whole).hasSize(695 * 300 * 4);
      assertThat(ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getInt(4 * 301))
          .isEqualTo(6003);
      int[][] ranges = {{0, 1}, {3, 10}, {4000, 123_456}, {whole.length - 7, whole.length}};
      for (int[] range : ranges) {
        var part = client.get(address, "range", "bytes=" + range[0] + "-" + (range[1] - 1));
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo(Arrays.copyOfRange(whole, range[0], range[1]));
      }
      assertThat(client.get(address, "range", "bytes=-4").body())
          .isEqualTo(Arrays.copyOfRange(whole, whole.length - 4, whole.length));
      assertThat(client.get(address, "range", "bytes=" + whole.length + "-").statusCode())
          .isEqualTo(416);
      assertThat(client.get(address, "range", "lines=1-2").body()).isEqualTo(whole);
      for (String known : List.of("\"tag\"", "Sun, 29 Nov 2026 10:00:00 GMT")) {
        var all = client.get(address, "range", "bytes=0-3", "if-range", known);
        assertThat(all.statusCode()).as(known).isEqualTo(200);
        assertThat(all.body()).isEqualTo(whole);
      }
    }
  }

  @Test
  void complexNumbersInTablesAreThoseOfPython() {
    Complex[] numbers = {
      new Complex(1, -2.5), new Complex(-0.0, Double.POSITIVE_INFINITY), new Complex(Double.NaN, 0)
    };
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createDataset("x", numbers).close();
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      String table = client.text("/data?file=x.h5&path=/x&format=csv");
      assertThat(table).isEqualTo("1.0-2.5j\r\n-0.0+infj\r\nnan+0.0j\r\n");
      String code = "import sys; print([complex(line) for line in sys.argv[1].split()])";
      assertThat(Oracle.h5py().run(code, table).orFail().output())
          .contains("[(1-2.5j), (-0+infj), (nan+0j)]");
    }
  }

  @Test
  void errorsHaveTheFormThatH5webExpects() {
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createDataset("text", "words").close();
      file.createDataset("line", new int[] {1, 2, 3}).close();
      file.root().createSoftLink("broken", "nowhere");
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/meta?file=y.h5")).contains("File not found");
      assertThat(client.text("/meta?file=x.h5&path=/none")).contains("is not a valid path");
      assertThat(client.text("/meta?file=x.h5&path=/broken")).contains("soft_link");
      assertThat(client.text("/meta?file=x.h5&path=/broken&resolve_links=all"))
          .contains("Cannot resolve");
      assertThat(client.text("/data?file=x.h5&path=/broken")).contains("Cannot resolve");
      for (String wrong :
          List.of(
              "path=/text&format=bin",
              "path=/text&format=npy",
              "path=/line&format=tiff",
              "path=/line&format=wrong",
              "path=/line&dtype=wrong",
              "path=/line&selection=4",
              "path=/line&selection=1,2",
              "path=/line&selection=a:b",
              "path=/line&selection=::0",
              "path=/line&selection=::-1",
              "path=/line&selection=2:0:-1&format=bin",
              "path=/line&selection=%5B2,0%5D",
              "path=/line&selection=%5B0,2%5D&format=csv",
              "path=/line&selection=::-1&format=bin&reduce=mean",
              "path=/")) {
        assertThat(client.status("/data?file=x.h5&" + wrong)).as(wrong).isEqualTo(422);
      }
      assertThat(client.text("/data?file=x.h5&path=/line&selection=::-1"))
          .contains("a negative step", "positive steps");
      assertThat(client.status("/meta")).isEqualTo(422);
      assertThat(client.status("/nothing")).isEqualTo(404);
    }
  }

  @Test
  void filtersHaveTheNamesThatH5pyGives() {
    Path path = folder.file("x.h5");
    try (H5File file =
        Hdf5.create(
            path, CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.V110))) {
      file.datasetBuilder("x")
          .value(new int[100])
          .options(o -> o.chunked(10).shuffle().deflate(4).filter(FilterSpec.lzf()))
          .create()
          .close();
      file.datasetBuilder("y")
          .value(new int[100])
          .options(o -> o.chunked(10).fletcher32())
          .create()
          .close();
      file.datasetBuilder("z").value(new int[100]).options(o -> o.chunked(10)).create().close();
    }
    String theirs =
        Oracle.h5py()
            .run(
                """
                import sys, json, h5py
                with h5py.File(sys.argv[1]) as file:
                    for name in "xyz":
                        plist = file[name].id.get_create_plist()
                        found = [plist.get_filter(i) for i in range(plist.get_nfilters())]
                        list = [{"id": f[0], "name": f[3].decode()} for f in found] or None
                        print('"filters":' + json.dumps(list, separators=(",", ":")))
                """,
                path.toString())
            .orFail()
            .output();
    try (WebServer server = serve(path);
        Client client = new Client(server, TOKEN)) {
      String[] expected = theirs.split("\n");
      assertThat(expected[0]).contains("shuffle", "deflate", "lzf");
      for (int i = 0; i < 3; i++) {
        assertThat(client.text("/meta?file=x.h5&path=/" + "xyz".charAt(i))).contains(expected[i]);
      }
    }
  }

  @Test
  void addressesOfOldClientsEndInASlash() {
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createDataset("line", new int[] {1, 2, 3}).setAttribute("units", "m");
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      for (String name : List.of("meta", "data", "attr", "paths", "stats")) {
        String query = "?file=x.h5&path=/line";
        assertThat(client.text("/" + name + "/" + query))
            .as(name)
            .isEqualTo(client.text("/" + name + query))
            .doesNotContain("message");
      }
    }
  }

  /** Makes a file whose writer ends without closing it. */
  private Path left() {
    Path path = folder.file("left.h5");
    Oracle.h5py()
        .run(
            """
            import os, sys, h5py
            file = h5py.File(sys.argv[1], "w", libver="latest")
            file["x"] = [1, 2, 3]
            file.flush()
            os._exit(0)
            """,
            path.toString())
        .orFail();
    return path;
  }

  @Test
  void fileThatIsMarkedAsOpenForWritingIsRefusedWithWhatToDo() {
    try (WebServer server = serve(left());
        Client client = new Client(server, TOKEN)) {
      assertThat(client.status("/meta?file=left.h5")).isEqualTo(409);
      assertThat(client.text("/data?file=left.h5&path=/x"))
          .contains("The file 'left.h5' is marked as open for writing")
          .contains("'hyperslab clear -s FILE'", "--read-marked")
          .doesNotContain(folder.path().toString());
    }
  }

  @Test
  void fileThatIsMarkedAsOpenForWritingIsReadIfTheServerIsToldTo() {
    WebOptions options =
        WebOptions.DEFAULT
            .withAccess(new WebOptions.Access.Token(Optional.of(TOKEN)))
            .withReadsMarked(true);
    try (WebServer server = WebServer.show(left(), options);
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/data?file=left.h5&path=/x")).isEqualTo("[1,2,3]");
      assertThat(client.text("/data?file=left.h5&path=/x")).isEqualTo("[1,2,3]");
    }
  }

  @Test
  void exactNumbersAreTextsWhereJsonHasNone() {
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createDataset("long", new long[] {1, -(1L << 53) - 1, Long.MAX_VALUE}).close();
      file.root().setAttribute("limits", new double[] {0.5, Double.NaN, Double.NEGATIVE_INFINITY});
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/attr?file=x.h5&path=/&numbers=exact"))
          .isEqualTo("{\"limits\":[0.5,\"NaN\",\"-Infinity\"]}");
      assertThat(client.text("/attr?file=x.h5&path=/")).isEqualTo("{\"limits\":[0.5,null,null]}");
      assertThat(client.text("/data?file=x.h5&path=/long&numbers=exact"))
          .isEqualTo("[1,\"-9007199254740993\",\"9223372036854775807\"]");
      assertThat(client.text("/data?file=x.h5&path=/long"))
          .isEqualTo("[1,-9007199254740993,9223372036854775807]");
      assertThat(client.status("/attr?file=x.h5&path=/&numbers=wrong")).isEqualTo(422);
    }
  }

  @Test
  void linksThatLeadNowhereHaveAReason() {
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.root().createSoftLink("soft", "/nowhere");
      file.root().createExternalLink("outside", "none.h5", "/x");
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/meta?file=x.h5&path=/soft&resolve_links=all"))
          .contains("Cannot resolve the link 'soft': ", "/nowhere");
      assertThat(client.text("/meta?file=x.h5&path=/outside&resolve_links=all"))
          .contains("Cannot resolve the link 'outside': ", "none.h5")
          .doesNotContain(folder.path().toString());
    }
  }

  @Test
  void pathsOfACircleOfGroupsEnd() {
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createGroup("a/b").close();
      file.root().createHardLink("a/b/again", "/a");
      file.root().createSoftLink("a/soft", "/a/b");
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/paths?file=x.h5&resolve_links=none"))
          .isEqualTo("[\"/\",\"/a\",\"/a/b\",\"/a/b/again\",\"/a/soft\"]");
      assertThat(client.text("/paths?file=x.h5&path=/a/b")).startsWith("[\"/a/b\"");
    }
  }

  @Test
  void referencesAreExportedAsPaths() {
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      Reference object = file.createGroup("a").reference();
      file.createDataset("refs", new Reference[] {object, null, file.root().reference()}).close();
      CompoundType row =
          CompoundType.builder()
              .member("x", Datatypes.I32LE)
              .member("all", Datatypes.vlen(Datatypes.OBJECT_REFERENCE))
              .build();
      file.createDataset("rows", row, Dataspace.simple(1))
          .write(new Object[] {Map.of("x", 7, "all", List.of(object, object))});
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/data?file=x.h5&path=/refs&format=csv")).isEqualTo("/a\r\n\r\n/\r\n");
      assertThat(client.text("/data?file=x.h5&path=/rows&format=csv"))
          .isEqualTo("x,all\r\n7,\"[/a, /a]\"\r\n");
    }
  }

  @Test
  void imagesAndTablesAreExported() {
    try (H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createDataset("image", new short[][] {{1, 2, 3}, {4, 5, 6}}).close();
      file.createDataset("words", new String[] {"plain", "with, comma", "with \"quotes\""}).close();
    }
    try (WebServer server = serve(folder.file("x.h5"));
        Client client = new Client(server, TOKEN)) {
      assertThat(client.text("/data?file=x.h5&path=/image&format=csv"))
          .isEqualTo("1,2,3\r\n4,5,6\r\n");
      assertThat(client.text("/data?file=x.h5&path=/words&format=csv"))
          .isEqualTo("plain\r\n\"with, comma\"\r\n\"with \"\"quotes\"\"\"\r\n");
      ByteBuffer tiff =
          ByteBuffer.wrap(client.get("/data?file=x.h5&path=/image&format=tiff").body())
              .order(ByteOrder.LITTLE_ENDIAN);
      assertThat(tiff.getShort(0)).isEqualTo((short) 0x4949);
      assertThat(tiff.getShort(2)).isEqualTo((short) 42);
      assertThat(tiff.getShort(tiff.capacity() - 2)).isEqualTo((short) 6);
    }
  }
}
