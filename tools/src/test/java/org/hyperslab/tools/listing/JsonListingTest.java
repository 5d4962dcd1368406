package org.hyperslab.tools.listing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code --json} of {@code ls}, {@code stat}, {@code diff} and {@code attr get}. */
final class JsonListingTest {

  private static final String MAKE =
      """
      import sys, h5py, numpy
      with h5py.File(sys.argv[1], "w") as file:
          x = file.create_dataset("grid/x", data=numpy.arange(12.).reshape(3, 4), chunks=(2, 2),
                                  maxshape=(None, 8), compression="gzip", shuffle=True)
          x.attrs["units"] = "m"
          x.attrs["big"] = numpy.array([2**63 - 1, -2**63, 7])
          x.attrs["most"] = numpy.uint64(2**64 - 1)
          x.attrs["odd"] = [numpy.nan, numpy.inf, -numpy.inf, 0.1]
          x.attrs["none"] = h5py.Empty("f4")
          x.attrs["flag"] = True
          x.attrs["row"] = numpy.array((1, 2.5), dtype=[("i", "i4"), ("d", "f8")])
          file["scalar"] = numpy.float32(0.5)
          file["again"] = x
          file["kind"] = numpy.dtype("i2")
          file["words"] = ["a", "\\u00fc\\n\\"", ""]
          file["soft"] = h5py.SoftLink("/grid")
          file["outside"] = h5py.ExternalLink("other.h5", "/y")
          file.id.links.create_soft(b"gr\\xfcn", b"/grid")
      """;

  @TempDir private Path folder;

  private Path path;

  @BeforeEach
  void make() {
    path = folder.resolve("run.h5");
    Oracle.h5py().run(MAKE, path.toString()).orFail();
  }

  /** Runs a command, and has Python check the document, which it gets as {@code j}. */
  private CommandRun judged(String checks, int code, String... words) throws IOException {
    CommandRun run = CommandRun.of(words);
    assertThat(run.code()).as(run.err()).isEqualTo(code);
    Path document = folder.resolve("document.json");
    Files.writeString(document, run.out());
    String script =
        """
        import json, sys, h5py, numpy
        def no(word):
            raise ValueError(word)
        j = json.load(open(sys.argv[1], encoding="ascii"), parse_constant=no)
        file = h5py.File(sys.argv[2], "r")
        """;
    Oracle.h5py().run(script + checks, document.toString(), path.toString()).orFail();
    return run;
  }

  @Test
  void listingHasWhatH5pySees() throws IOException {
    judged(
        """
        (one,) = j["files"]
        assert one["path"] == "/" and one["file"].endswith("run.h5") and "error" not in one
        by = {each["path"]: each for each in one["objects"]}
        assert set(by) == {"/", "/grid", "/grid/x", "/again", "/scalar", "/kind", "/words", "/soft",
                           "/outside", "/gr\\\\udcfcn"}, set(by)
        x = by["/again"]
        assert x["kind"] == "dataset" and x["links"] == 2
        assert x["address"] == h5py.h5o.get_info(file["again"].id).addr
        assert x["shape"] == [3, 4] and x["max_shape"] == [None, 8] and x["chunks"] == [2, 2]
        assert x["layout"] == "chunked" and x["stored_bytes"] == file["again"].id.get_storage_size()
        assert [f["name"] for f in x["filters"]] == ["shuffle", "deflate"], x["filters"]
        assert x["type"]["class"] == 1 and x["type"]["dtype"] == "<f8" and x["type"]["size"] == 8
        assert [a["name"] for a in x["attributes"]] == sorted(file["again"].attrs)
        assert "value" not in x and all("value" not in a for a in x["attributes"])
        assert by["/grid/x"] == {"path": "/grid/x", "kind": "dataset", "same_as": "/again"}
        assert by["/scalar"]["shape"] == [] and by["/scalar"]["layout"] == "contiguous"
        assert by["/kind"]["kind"] == "datatype" and by["/kind"]["type"]["dtype"] == "<i2"
        assert by["/soft"] == {"path": "/soft", "kind": "soft_link", "target_path": "/grid"}
        assert by["/outside"]["target_file"] == "other.h5"
        """,
        0,
        "ls",
        "-r",
        "--json",
        path.toString());
    assertThat(CommandRun.of("ls", "-r", path.toString()).out().lines().count()).isEqualTo(10);
  }

  @Test
  void datasetsWhoseElementsAreTooManyAreDescribed() throws IOException {
    try (H5File file = Hdf5.openForEdit(path)) {
      file.datasetBuilder("huge")
          .type(double.class)
          .shape(1 << 14, 1 << 14)
          .options(o -> o.chunked(64, 64))
          .create()
          .setAttribute("units", "m");
    }
    CommandRun run =
        judged(
            """
            (x,) = j["files"][0]["objects"]
            assert x["path"] == "/huge" and x["kind"] == "dataset" and x["links"] == 1
            assert x["shape"] == [2**14, 2**14] and x["type"]["dtype"] == "<f8"
            assert x["attributes"][0]["value"] == "m" and x["chunks"] == [64, 64]
            assert x["value"] is None and "elements as text" in x["error"], x
            """,
            1,
            "ls",
            "-d",
            "--json",
            path + "/huge");
    assertThat(run.err()).contains("/huge: elements as text");
  }

  @Test
  void statisticsOfAFileThatCannotBeReadAreADocument() throws IOException {
    String none = folder.resolve("none.h5").toString();
    judged(
        "assert 'none.h5' in j['file'] and 'no such file' in j['error']",
        1,
        "stat",
        "--json",
        none);
  }

  @Test
  void elementsAreExact() throws IOException {
    judged(
        """
        (x,) = j["files"][0]["objects"]
        assert x["path"] == "/grid/x" and x["value"] == file["grid/x"][...].tolist()
        a = {each["name"]: each for each in x["attributes"]}
        assert a["units"]["value"] == "m" and a["units"]["shape"] == []
        assert [int(n) for n in a["big"]["value"]] == [2**63 - 1, -2**63, 7]
        assert a["big"]["value"][2] == 7 and int(a["most"]["value"]) == 2**64 - 1
        assert a["odd"]["value"] == ["NaN", "Infinity", "-Infinity", 0.1]
        assert a["none"]["value"] is None and a["none"]["shape"] is None
        assert a["flag"]["value"] is True and a["row"]["value"] == [1, 2.5]
        """,
        0,
        "ls",
        "-d",
        "--json",
        path + "/grid/x");
    judged(
        """
        by = {each["path"]: each for each in j["files"][0]["objects"]}
        assert by["/words"]["value"] == ["a", "\\u00fc\\n\\"", ""]
        assert by["/scalar"]["value"] == 0.5
        """,
        0,
        "ls",
        "-d",
        "--json",
        path.toString());
  }

  @Test
  void whatIsMissingIsAnErrorInTheDocument() throws IOException {
    CommandRun run =
        judged(
            """
            assert len(j["files"]) == 3
            assert j["files"][0]["objects"] == [] and "nowhere" in j["files"][0]["error"]
            assert "objects" not in j["files"][1] and j["files"][1]["error"]
            assert len(j["files"][2]["objects"]) == 8
            """,
            1,
            "ls",
            "--json",
            path + "/nowhere",
            folder.resolve("none.h5").toString(),
            path.toString());
    assertThat(run.err()).contains("nowhere", "none.h5");
    assertThat(CommandRun.of("ls", "--json", "-E", path.toString()).code()).isEqualTo(2);
  }

  @Test
  void attributesAreADocument() throws IOException {
    judged(
        """
        assert j["path"] == "/grid/x" and j["file"].endswith("run.h5")
        (units,) = j["attributes"]
        assert units["name"] == "units" and units["value"] == "m" and units["type"]["class"] == 3
        """,
        0,
        "attr",
        "get",
        "--json",
        path + ":/grid/x",
        "units");
    judged(
        """
        assert [a["name"] for a in j["attributes"]] == sorted(file["grid/x"].attrs)
        """,
        0,
        "attr",
        "get",
        "--json",
        path + ":/grid/x");
    CommandRun missing = CommandRun.of("attr", "get", "--json", path + ":/grid/x", "unis");
    assertThat(missing.out()).isEmpty();
    assertThat(missing.err()).contains("did you mean \"units\"");
  }

  @Test
  void statisticsAreThoseOfTheText() throws IOException {
    judged(
        """
        o = j["objects"]
        assert (o["groups"], o["datasets"], o["datatypes"]) == (2, 3, 1), o
        assert o["most_links_to_object"] == 2 and o["most_objects_in_group"] == 8
        d = j["datasets"]
        assert d["layouts"] == {"compact": 0, "contiguous": 2, "chunked": 1, "virtual": 0}
        assert d["filters"]["gzip"] == 1 and d["filters"]["none"] == 2
        assert d["ranks"] == [{"size": n, "count": 1} for n in (0, 1, 2)]
        assert sum(t["count"] for t in d["types"]) == 3
        assert j["attribute_counts"] == [{"size": 0, "count": 5}, {"size": 7, "count": 1}]
        s = j["space"]
        import os
        assert s["file_bytes"] == os.path.getsize(sys.argv[2])
        assert s["strategy"] == "free_space" or s["strategy"] == "aggregation" or s["strategy"]
        """,
        0,
        "stat",
        "--json",
        path.toString());
    String text = CommandRun.of("stat", path.toString()).out();
    judged(
        """
        text = \"""
        """
            + text
            + """
            \"""
            def said(label):
                (line,) = [l for l in text.splitlines() if l.strip().startswith(label)]
                return int(line.split(":")[1].split()[0].split("/")[0])
            s = j["space"]
            m = j["metadata_bytes"]
            assert said("File metadata") == s["metadata_bytes"] and said("Raw data") == s["raw_data_bytes"]
            assert said("Unaccounted space") == s["unaccounted_bytes"]
            assert said("Superblock:") == m["superblock"] and said("Index") == m["chunk_indexes"]
            assert said("Groups: ") == m["group_headers"]["total"]
            """,
        0,
        "stat",
        "--json",
        path.toString());
  }

  @Test
  void differencesAreCounted() throws IOException {
    Path other = folder.resolve("other.h5");
    Files.copy(path, other);
    judged(
        """
        assert j["result"] == "same" and j["differences"] == [] and j["compared"] > 5
        assert j["only_in_1"] == [] and j["errors"] == [] and j["not_comparable"] == []
        assert j["object1"] == "/" and j["file2"].endswith("other.h5")
        """,
        0,
        "diff",
        "--json",
        path.toString(),
        other.toString());
    try (H5File file = Hdf5.openForEdit(other)) {
      Dataset x = file.dataset("grid/x");
      x.setAttribute("units", "km");
      x.deleteAttribute("flag");
      x.select(Selection.box(new long[] {1, 1}, new long[] {1, 2})).write(new double[] {-1, -2});
      file.delete("words");
      file.delete("scalar");
      file.createDataset("scalar", new int[] {1});
      file.createGroup("more/deep");
    }
    String[] words = {"diff", "--json", path.toString(), other.toString()};
    judged(
        """
        assert j["result"] == "different"
        found = {(d["kind"], d["path1"], d.get("attribute")): d["count"] for d in j["differences"]}
        assert found == {("dataset", "/again", None): 2, ("attribute", "/again", "units"): 2,
                         ("dataset", "/grid/x", None): 2, ("attribute", "/grid/x", "units"): 2}, found
        assert {"path": "/words"} in j["only_in_1"]
        assert {"path": "/again", "attribute": "flag"} in j["only_in_1"]
        assert j["only_in_2"] == [{"path": "/more"}, {"path": "/more/deep"}]
        assert len(j["not_comparable"]) == 1 and "/scalar" in j["not_comparable"][0]
        """,
        1,
        words);
    String[] objects =
        Stream.concat(Arrays.stream(words), Stream.of("/none")).toArray(String[]::new);
    judged("assert j['result'] == 'failed' and '/none' in j['errors'][0]", 2, objects);
    String[] files = {"diff", "--json", path.toString(), folder.resolve("none.h5").toString()};
    judged("assert j['result'] == 'failed' and 'none.h5' in j['errors'][0]", 2, files);
    assertThat(CommandRun.of("diff", "--json", "-r", "a", "b").code()).isEqualTo(2);
  }

  /** What {@code ls} and {@code stat} read, they also describe, in every file of the corpus. */
  @Test
  void documentsOfAllFilesOfTheCorpusAreJson() throws IOException {
    Path list = folder.resolve("documents.jsonl");
    StringBuilder documents = new StringBuilder();
    try (Stream<Path> files = Files.list(Corpus.folder().resolve("lib"))) {
      for (Path each : files.filter(file -> file.toString().endsWith(".h5")).sorted().toList()) {
        CommandRun ls = CommandRun.of("ls", "-r", "--json", each.toString());
        documents.append(ls.out());
        assertThat(ls.code()).as(each + ls.err()).isIn(0, 1);
        CommandRun text = CommandRun.of("ls", "-r", each.toString());
        assertThat(ls.code()).as(each + ls.err() + text.err()).isEqualTo(text.code());
        CommandRun stat = CommandRun.of("stat", "--json", each.toString());
        documents.append(stat.out());
        CommandRun stats = CommandRun.of("stat", each.toString());
        assertThat(stat.code()).as(each + stat.err()).isEqualTo(stats.code());
      }
    }
    Files.writeString(list, documents);
    Oracle.h5py()
        .run(
            "import json, sys\nfor line in open(sys.argv[1]):\n    json.loads(line)",
            list.toString())
        .orFail();
  }
}
