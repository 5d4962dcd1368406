package org.hyperslab.tools.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ncgen makes of CDL, as netCDF's ncdump prints it, beside what netCDF's ncgen makes. */
final class NcgenCommandTest {

  @TempDir Path folder;

  // --- random files ---

  /**
   * The files are the same, but for what netCDF's ncgen does wrongly (which random_cdl.py marks);
   * and what ncdump prints of its files becomes these files again.
   */
  @Test
  void randomFilesAreThoseOfNcgen() throws IOException {
    long seed = Seeds.draw();
    int count = Effort.times(12, 300);
    int same = 0;
    int restored = 0;
    for (String line : NcdumpCommandTest.RandomCdl.write(folder, seed, count)) {
      String[] words = line.split(" ");
      String name = words[0];
      Path cdl = folder.resolve(name + ".cdl");
      Optional<String> theirs = theirs(name, words[1], cdl);
      if (theirs.isEmpty()) {
        continue;
      }
      String message = "seed " + seed + ", " + line;
      String ours = ours(name, words[1], cdl);
      if (words[2].equals("none")) {
        assertThat(sorted(ours)).as(message).isEqualTo(sorted(theirs.get()));
        same++;
      }
      Path dumped = Files.writeString(folder.resolve("dumped.cdl"), theirs.get());
      String again = ours(name, words[1], dumped);
      assertThat(again).as(message + ", again").isEqualTo(theirs.get());
      restored++;
    }
    assertThat(same).as("seed %d", seed).isGreaterThan(count / 2);
    assertThat(restored).as("seed %d", seed).isGreaterThan(count * 3 / 4);
  }

  /** The types of a group are in the order of the text; ncgen changes it. */
  private static String sorted(String dump) {
    List<String> lines = new ArrayList<>();
    List<String> types = new ArrayList<>();
    boolean areTypes = false;
    for (String line : dump.split("\n")) {
      String word = line.strip();
      if (areTypes && (word.equals("}") || word.startsWith("} // ") || isSection(word))) {
        areTypes = false;
        types.stream().sorted().forEach(lines::add);
        types.clear();
      }
      (areTypes ? types : lines).add(line);
      areTypes |= word.equals("types:");
    }
    return String.join("\n", lines);
  }

  private static boolean isSection(String word) {
    return word.matches("(dimensions|variables|data):|group: .*|// (global|group) attributes:");
  }

  /** Returns what ncdump prints of a file of netCDF's ncgen; empty if one of the two fails. */
  private Optional<String> theirs(String name, String kind, Path cdl) throws IOException {
    Path file = Files.createDirectories(folder.resolve("theirs")).resolve(name + ".nc");
    Oracle.Outcome made =
        Oracle.program("ncgen").run("-k", kind, "-o", file.toString(), cdl.toString());
    if (made.exitCode() != 0 || !Files.exists(file)) {
      return Optional.empty();
    }
    Oracle.Outcome printed = Oracle.program("ncdump").run(file.toString());
    return printed.exitCode() == 0 ? Optional.of(printed.output()) : Optional.empty();
  }

  /** Returns what ncdump prints of a file of ours. */
  private String ours(String name, String kind, Path cdl, String... options) throws IOException {
    Path file = Files.createDirectories(folder.resolve("ours")).resolve(name + ".nc");
    made("-k", kind, "-o", file.toString(), cdl.toString());
    String[] words =
        Stream.concat(Stream.of(options), Stream.of(file.toString())).toArray(String[]::new);
    return Oracle.program("ncdump").run(words).orFail().output();
  }

  private static CommandRun run(String... arguments) {
    return CommandRun.of(
        Stream.concat(Stream.of("ncgen"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static void made(String... arguments) {
    CommandRun run = run(arguments);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
  }

  private String ours(String kind, String cdl, String... options) throws IOException {
    return ours("a", kind, Files.writeString(folder.resolve("a.cdl"), cdl), options);
  }

  // --- what CDL has ---

  private static List<CdlExamples.Example> examples() {
    return CdlExamples.ALL;
  }

  @ParameterizedTest
  @MethodSource("examples")
  void whatCdlHasIsMadeAsByNcgen(CdlExamples.Example example) throws IOException {
    Path cdl = Files.writeString(folder.resolve("a.cdl"), example.cdl());
    for (String kind : example.kinds()) {
      String theirs = theirs("a", kind, cdl).orElseThrow();
      assertThat(sorted(ours("a", kind, cdl))).as(kind).isEqualTo(sorted(theirs));
    }
  }

  /**
   * Lists of compounds that C pads, 64-bit integers in cdf5, characters of inner lists, texts
   * behind characters, bytes behind escapes.
   */
  @Test
  void keepsWhatNcgenLoses() throws IOException {
    assertThat(
            ours(
                "nc4",
                "netcdf a { types: compound p { int64 a; byte b; }; dimensions: n = 3;"
                    + " variables: p v(n); data: v = {1, 2}, {3, 4}, {5, 6}; }"))
        .contains("v = {1, 2}, {3, 4}, {5, 6} ;");
    assertThat(
            ours(
                "nc3",
                "netcdf a { dimensions: x = 3; variables: char v(x); :a = \"\\a\\x41\";"
                    + " data: v = 'a', 'b', \"c\"; }"))
        .contains("\"\\007A\"", "v = \"abc\"");
    assertThat(ours("nc5", "netcdf a { variables: int64 v; data: v = 5000000000; }"))
        .contains("int64 v ;", "v = 5000000000 ;");
    assertThat(
            ours(
                "nc4",
                "netcdf a { dimensions: n = 2; t = UNLIMITED; variables: char v(n, t);"
                    + " data: v = {\"ab \"}, {\"cdef\"}; }"))
        .contains("{\"ab \"}", "{\"cdef\"}");
  }

  @Test
  void commentsOfManyLinesAreSkipped() throws IOException {
    assertThat(ours("nc3", "/* a\n \" */ netcdf a { /* : */ dimensions: x = 2; // y = 3;\n }"))
        .contains("x = 2 ;")
        .doesNotContain("y = 3");
  }

  @Test
  void propertiesOfTheStorageAreApplied() throws IOException {
    String dump =
        ours(
            "nc4",
            """
            netcdf a {
            dimensions: x = 6; t = UNLIMITED;
            variables:
              int c(t, x); c:_ChunkSizes = 2, 3; c:_DeflateLevel = 4; c:_Shuffle = "true";
                c:_Fletcher32 = "true";
              int b(x); b:_Endianness = "big"; b:_Storage = "contiguous";
              short n(x); n:_NoFill = "true"; n:_Storage = "chunked";
              int z(x); z:_Filter = "1,5"; z:_ChunkSizes = 6;
              :_Format = "netCDF-4";
            data: b = 1, 2, 3; z = 7;
            }
            """,
            "-s");
    assertThat(dump)
        .contains("c:_ChunkSizes = 2, 3 ;", "c:_DeflateLevel = 4 ;", "c:_Shuffle = \"true\" ;")
        .contains(
            "c:_Fletcher32 = \"true\" ;", "b:_Endianness = \"big\" ;", "b = 1, 2, 3, _, _, _ ;")
        .contains("b:_Storage = \"contiguous\" ;", "n:_Storage = \"chunked\" ;")
        .contains("n:_NoFill = \"true\" ;", "z:_DeflateLevel = 5 ;", "z = 7, _, _, _, _, _ ;");
  }

  // --- the command ---

  private static final String PLAIN = "netcdf plain { dimensions: x = 2; %s }";

  @ParameterizedTest
  @CsvSource({
    "nc3, classic",
    "1, classic",
    "classic, classic",
    "nc6, 64-bit offset",
    "2, 64-bit offset",
    "64-bit offset, 64-bit offset",
    "nc4, netCDF-4",
    "3, netCDF-4",
    "netCDF-4, netCDF-4",
    "enhanced, netCDF-4",
    "nc7, netCDF-4 classic model",
    "4, netCDF-4 classic model",
    "nc5, cdf5",
    "5, cdf5",
    "64-bit-data, cdf5",
  })
  void kindIsThatOfTheOption(String word, String label) throws IOException {
    assertThat(ours(word, PLAIN.formatted(""), "-k").strip()).isEqualTo(label);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "| classic",
        "variables: int v(x); v:a = 1.5f, 2.f; | classic",
        "variables: int64 v(x); | netCDF-4",
        "variables: int v(x); v:a = 1ll; | netCDF-4",
        "variables: string :a = \"b\"; | netCDF-4",
        "t = UNLIMITED, s = UNLIMITED; | netCDF-4",
        "group: g { } | netCDF-4",
        "variables: :_Format = \"64-bit offset\"; | 64-bit offset",
        "variables: :_Format = \"cdf5\"; | cdf5",
        "variables: :_Format = \"netCDF-4 classic model\"; | netCDF-4 classic model",
        "variables: :_Format = \"netCDF-4\"; | netCDF-4"
      })
  void kindIsThatWhichTheContentAsksFor(String content, String label) throws IOException {
    String cdl = PLAIN.formatted(content == null ? "" : content);
    Path in = Files.writeString(folder.resolve("a.cdl"), cdl);
    String out = folder.resolve("a.nc").toString();
    made("-o", out, in.toString());
    assertThat(Oracle.program("ncdump").run("-k", out).orFail().output().strip()).isEqualTo(label);
  }

  @Test
  void withoutAFileToWriteTheTextIsOnlyChecked() throws IOException {
    Path good = Files.writeString(folder.resolve("good.cdl"), PLAIN.formatted(""));
    made(good.toString());
    Path wrong = Files.writeString(folder.resolve("wrong.cdl"), "netcdf a {\n\nx\n}");
    assertThat(run(wrong.toString()).err())
        .contains("actual=x, expected=the name of a type, at=line 3");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void anExistingFileIsReplacedOnlyByAWholeOne() throws IOException {
    Path out = folder.resolve("a.nc");
    Path in = Files.writeString(folder.resolve("a.cdl"), PLAIN.formatted(""));
    for (String kind : List.of("nc3", "nc4")) {
      made("-k", kind, "-o", out.toString(), in.toString());
      byte[] before = Files.readAllBytes(out);
      Path wrong =
          Files.writeString(
              folder.resolve("wrong.cdl"),
              PLAIN.formatted("variables: byte v(x);\ndata: v = 1, 300;"));
      CommandRun failed = run("-k", kind, "-o", out.toString(), wrong.toString());
      assertThat(failed.code()).isEqualTo(1);
      assertThat(failed.err())
          .contains("actual=300 for /v", "expected=an integer in the range of byte", "line 2")
          .doesNotContain("\tat ");
      assertThat(Files.readAllBytes(out)).isEqualTo(before);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(3);
    }
  }

  @Test
  void theTextIsNotOverwritten() throws IOException {
    Path in = Files.writeString(folder.resolve("a.cdl"), PLAIN.formatted(""));
    assertThat(run("-o", in.toString(), in.toString()).err()).contains("expected=another file");
    assertThat(in).hasContent(PLAIN.formatted(""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"../a", "/tmp/a", "a/b", "..", ""})
  void namesOfDatasetsThatLeaveTheFolderAreNotThoseOfFiles(String name) throws IOException {
    Path in = Files.writeString(folder.resolve("a.cdl"), "netcdf " + name + " { }");
    CommandRun failed = run("-b", in.toString());
    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.err()).contains("-b: actual=the name \"" + name + "\"", "expected=-o FILE");
  }

  @Test
  void mistakesAreSaid() throws IOException {
    Path in = Files.writeString(folder.resolve("a.cdl"), PLAIN.formatted(""));
    String out = folder.resolve("a.nc").toString();
    assertThat(run("-k", "nc9", "-o", out, in.toString()).err())
        .contains("-k: actual=nc9, expected=nc3, nc6, nc4, nc7 or nc5");
    assertThat(run(folder.resolve("none").toString()).err()).contains("no such file or folder");
    assertThat(run().err()).contains("Usage: hyperslab ncgen", "CDL");
    assertThat(run("--help").out()).contains("Usage: hyperslab ncgen", "-k=KIND");
    Path format =
        Files.writeString(
            folder.resolve("f.cdl"), PLAIN.formatted("variables: :_Format = \"other\";"));
    assertThat(run("-o", out, format.toString()).err())
        .contains("actual=other for _Format", "netCDF-4 classic model", "at=line 1");
    assertThat(out).satisfies(name -> assertThat(Path.of(name)).doesNotExist());
  }

  /** What the model of the kind forbids is an error, or told as the conversion tells it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nc7 | variables: string v(x);",
        "nc7 | group: g { }",
        "nc7 | t = UNLIMITED, s = UNLIMITED;",
        "nc3 | group: g { dimensions: y = 2; variables: int v(y); }",
        "nc3 | variables: int64 v(x); data: v = 5000000000;",
        "nc6 | variables: int v(x); v:a = 5000000000ll;"
      })
  void whatTheKindCannotHoldIsSaid(String kind, String content) throws IOException {
    Path in = Files.writeString(folder.resolve("a.cdl"), PLAIN.formatted(content));
    CommandRun run = run("-k", kind, "-o", folder.resolve("a.nc").toString(), in.toString());
    assertThat(run.err()).isNotEmpty().doesNotContain("\tat ");
  }
}
