package org.hyperslab.plugins.libhdf5;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Oracle.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that C programs behave the same through the bridge as on libhdf5's native connector. */
final class BridgedProgramTest {

  @TempDir private static Path folder;
  private static BridgedPrograms programs;
  private static Path program;

  @BeforeAll
  static void compile() {
    programs = new BridgedPrograms(folder);
    program = programs.compile("program.c");
  }

  @Test
  void printsAndWritesTheSame() throws Exception {
    Path ours = Files.createDirectory(folder.resolve("ours"));
    Path theirs = Files.createDirectory(folder.resolve("theirs"));

    Outcome alone = programs.alone("h5run").runIn(theirs, program.toString(), "f.h5").orFail();
    Outcome bridged =
        programs.bridged("h5run", "native").runIn(ours, program.toString(), "f.h5").orFail();

    assertThat(alone.output()).doesNotContain("failed").contains("closed 0");
    assertThat(bridged.output()).isEqualTo(alone.output());
    Oracle dump = programs.alone("h5dump");
    assertThat(dump.runIn(ours, "f.h5").orFail().output())
        .isEqualTo(dump.runIn(theirs, "f.h5").orFail().output());
    // The reverse: a file that the C library wrote is read through the bridge.
    assertThat(programs.bridged("h5dump", "native").runIn(theirs, "f.h5").orFail().output())
        .isEqualTo(dump.runIn(theirs, "f.h5").orFail().output());
  }

  /** Each line is something that HDF5's own tests showed to be otherwise than with libhdf5. */
  @Test
  void doesTheSameAtTheEdges() throws Exception {
    Path edges = programs.compile("edges.c");
    Path ours = Files.createDirectory(folder.resolve("our edges"));
    Path theirs = Files.createDirectory(folder.resolve("their edges"));

    Outcome alone =
        programs.alone("h5run").runIn(theirs, edges.toString(), "f.h5", "o.h5").orFail();
    Outcome bridged =
        programs.bridged("h5run", "native").runIn(ours, edges.toString(), "f.h5", "o.h5").orFail();

    assertThat(alone.output()).doesNotContain("line").contains("left behind: 0");
    assertThat(bridged.output()).isEqualTo(alone.output());
    Oracle dump = programs.alone("h5dump");
    for (String file : new String[] {"f.h5", "o.h5"}) {
      assertThat(dump.runIn(ours, file).orFail().output())
          .isEqualTo(dump.runIn(theirs, file).orFail().output());
    }
  }

  @Campaign
  @Test
  void doesTheSameOnAnAsynchronousConnector() throws Exception {
    Path ours = Files.createDirectory(folder.resolve("async"));
    Outcome bridged =
        programs
            .bridged("h5run", "async | native")
            .runIn(ours, program.toString(), "f.h5")
            .orFail();
    assertThat(bridged.output()).doesNotContain("failed").contains("closed 0");
  }

  /** The core driver, with and without a file on disk, and images of files, given and taken. */
  @Test
  void filesInMemoryAreTheSame() throws Exception {
    String images = programs.compile("images.c").toString();
    Path ours = Files.createDirectory(folder.resolve("our images"));
    Path theirs = Files.createDirectory(folder.resolve("their images"));

    Outcome alone = programs.alone("h5run").run(images, theirs.toString()).orFail();
    Outcome bridged = programs.bridged("h5run", "native").run(images, ours.toString()).orFail();

    assertThat(alone.output())
        .contains(
            "from latest: opened 1, read 1, same 1",
            "grown: signed 1, freed 1, on disk 0",
            "from grown: opened 1, read 1, same 1");
    assertThat(bridged.output()).isEqualTo(alone.output());
  }

  /** Files are read and written by their drivers, in the program's thread; libhdf5 reads them. */
  @Test
  void filesOfAllDriversAreTheSame() throws Exception {
    String drivers = programs.compile("drivers.c").toString();
    Path ours = Files.createDirectory(folder.resolve("our drivers"));
    Path theirs = Files.createDirectory(folder.resolve("their drivers"));

    Outcome alone = programs.alone("h5run").runIn(theirs, drivers).orFail();
    Oracle connected = programs.bridged("h5run", "native");
    Outcome bridged = connected.runIn(ours, drivers).orFail();

    assertThat(alone.output()).contains("memory: created 1", "again 1, edited 1", "strangers 0");
    assertThat(bridged.output()).isEqualTo(alone.output());
    assertThat(programs.alone("h5run").runIn(ours, drivers, "read").orFail().output())
        .isEqualTo("f%02d: read 1\n");
    assertThat(ours.resolve("second.h5")).hasSameBinaryContentAs(ours.resolve("first.h5"));
    programs.alone("h5run").runIn(theirs, drivers, "split").orFail();
    assertThat(connected.runIn(theirs, drivers, "read", "split").orFail().output())
        .isEqualTo("f%02d: read 1\ns: read 1\n");
    assertThat(connected.runIn(ours, drivers, "split").errors())
        .contains("file driver: actual=split or multi with a file to create");
    assertThat(ours.resolve("memory")).doesNotExist();
  }

  /** Mounts are the bridge's own: connectors know nothing of them. */
  @Test
  void mountedFilesAreTheSame() throws Exception {
    String mounts = programs.compile("mounts.c").toString();
    Path ours = Files.createDirectory(folder.resolve("our mounts"));
    Path theirs = Files.createDirectory(folder.resolve("their mounts"));
    String[] run = {mounts, "p.h5", "c.h5", "g.h5"};

    Outcome alone = programs.alone("h5run").runIn(theirs, run).orFail();
    Outcome bridged = programs.bridged("h5run", "native").runIn(ours, run).orFail();

    assertThat(alone.output()).contains("/point/inner/third: 3", "soft: 3");
    assertThat(bridged.output()).isEqualTo(alone.output());
    Oracle dump = programs.alone("h5dump");
    for (String file : new String[] {"p.h5", "c.h5", "g.h5"}) {
      assertThat(dump.runIn(ours, file).orFail().output())
          .isEqualTo(dump.runIn(theirs, file).orFail().output());
    }
  }

  /** Filters that the program registers, and those of a filter plugin of HDF5. */
  @Test
  void filtersOfTheProgramAreCalled() throws Exception {
    String filters = programs.compile("filters.c").toString();
    Path plugin = Files.createDirectory(folder.resolve("filter plugins"));
    BridgedPrograms.copied("filter_plugin.c", plugin);
    programs
        .alone("h5cc")
        .runIn(plugin, "-shared", "-fPIC", "-o", "libinverting.so", "filter_plugin.c")
        .orFail();
    Map<String, String> path = Map.of("HDF5_PLUGIN_PATH", plugin.toString());
    String theirs = folder + "/their filters.h5";
    String ours = folder + "/our filters.h5";

    Outcome alone = programs.alone("h5run").with(path).run(filters, theirs).orFail();
    Outcome bridged = programs.bridged("h5run", "native", path).run(filters, ours, theirs).orFail();
    Outcome read = programs.alone("h5run").with(path).run(filters, theirs, ours).orFail();
    Outcome asynchronous =
        programs.bridged("h5run", "async | native", path).run(filters, ours, theirs).orFail();

    String other = "of the other 1 1\n".repeat(3);
    assertThat(alone.output()).contains("plugin made 1, written 1, read 1, same 1");
    assertThat(bridged.output()).isEqualTo(alone.output() + other);
    assertThat(read.output()).isEqualTo(alone.output() + other);
    assertThat(asynchronous.output()).isEqualTo(alone.output() + other);
  }

  /** Stored chunks, with the structures of the library that runs. */
  @Test
  void storedChunksAreTheSame() {
    String chunks = programs.compile("chunks.c").toString();

    Outcome alone = programs.alone("h5run").run(chunks, folder + "/their chunks.h5").orFail();
    Outcome bridged =
        programs.bridged("h5run", "native").run(chunks, folder + "/our chunks.h5").orFail();

    assertThat(alone.output()).contains("write 0", "read 0, mask 0, same 1", "stored 0: 80");
    assertThat(bridged.output()).isEqualTo(alone.output());
  }

  /** The system's linker would bind a native coder of ours to the process's library. */
  @Test
  void aCoderOfTheProcessIsNotConfusedWithOurs() {
    String zstd = programs.compile("zstd.c").toString();
    Outcome bridged = programs.bridged("h5run", "native").run(zstd, folder + "/zstd.h5").orFail();
    assertThat(bridged.output())
        .isEqualTo("another library 1\nwrite 0\nread 0\nsame 1, smaller 1\nclosed 0\n");
  }

  @Test
  void programThatEndsWithoutClosingLeavesACompleteFile() {
    Path unclosed = programs.compile("unclosed.c");
    Path file = folder.resolve("unclosed.h5");
    programs.bridged("h5run", "native").run(unclosed.toString(), file.toString()).orFail();
    assertThat(programs.alone("h5dump").run("-d", "numbers", file.toString()).orFail().output())
        .contains("0, 1, 2, 3");
  }

  @Test
  void theLibraryIsClosedWithEverythingOpen() {
    Path dangling = programs.compile("dangling.c");
    Path file = folder.resolve("dangling.h5");
    Outcome outcome =
        programs.bridged("h5run", "native").run(dangling.toString(), file.toString()).orFail();
    assertThat(outcome.output()).isEqualTo("made 1\nclosed 0\n");
    assertThat(programs.alone("h5dump").run(file.toString()).orFail().output())
        .contains("DATATYPE \"type\"", "GROUP \"group\"", "ATTRIBUTE \"a\"");
  }

  @Test
  void aProgramOfSeveralThreadsMayCallFromAll() {
    Path threads = programs.compile("threads.c");
    Path file = folder.resolve("threads.h5");
    assertThat(
            programs
                .bridged("h5run", "native")
                .run(threads.toString(), file.toString())
                .orFail()
                .output())
        .isEqualTo("4 threads, 0 failures, 40 links\n");
  }

  @Test
  void errorsOfTheConnectorAreOnTheStack() {
    Path errors = programs.compile("errors.c");
    Outcome missing =
        programs
            .bridged("h5run", "native")
            .run(errors.toString(), folder.resolve("none.h5").toString());
    assertThat(missing.exitCode()).isEqualTo(3);
    assertThat(missing.errors())
        .contains("Hyperslab-DIAG", "FILE_OPEN", "none.h5", "minor: not found");
  }

  /** External links whose files are found and opened as access lists say, and limits of links. */
  @Test
  void linksAreFollowedAsAccessListsSay() throws Exception {
    String links = programs.compile("elinks.c").toString();
    Path ours = Files.createDirectories(folder.resolve("our links/below")).getParent();
    Path theirs = Files.createDirectories(folder.resolve("their links/below")).getParent();

    Outcome alone =
        programs.alone("h5run").run(links, theirs.toString(), theirs + "/below").orFail();
    Outcome bridged =
        programs.bridged("h5run", "native").run(links, ours.toString(), ours + "/below").orFail();

    assertThat(alone.output())
        .contains("prefix, through: 1 2 3", "callback parent.h5 /here", "target closed 1");
    assertThat(bridged.output()).isEqualTo(alone.output());
  }

  /** Links of classes of H5Lregister: their functions are called, and what they open is used. */
  @Test
  void linksOfTheProgramsClassesAreFollowed() throws Exception {
    String links = programs.compile("userlinks.c").toString();
    Path ours = Files.createDirectories(folder.resolve("our classes"));
    Path theirs = Files.createDirectories(folder.resolve("their classes"));

    Outcome alone = programs.alone("h5run").run(links, theirs + "/a.h5", theirs + "/b.h5").orFail();
    Outcome bridged =
        programs.bridged("h5run", "native").run(links, ours + "/a.h5", ours + "/b.h5").orFail();

    assertThat(alone.output())
        .contains("group/up/up/below: 1 1", "in the other file: 1", "delete up", "unregistered 0");
    assertThat(bridged.output())
        .isEqualTo(alone.output().replace(theirs.toString(), ours.toString()));
  }

  /** Expressions of H5Pset_data_transform, which libhdf5 itself evaluates. */
  @Test
  void elementsAreTransformedByExpressions() {
    String transform = programs.compile("transform.c").toString();

    Outcome alone = programs.alone("h5run").run(transform, folder + "/theirs.h5").orFail();
    Outcome bridged =
        programs.bridged("h5run", "native").run(transform, folder + "/ours.h5").orFail();

    assertThat(alone.output()).contains("stored: 1 3 6 8 11 13", "of text 0");
    assertThat(bridged.output()).isEqualTo(alone.output());
  }

  @Test
  void callbacksOfTransfersAreRefusedAndNotForgotten() {
    Outcome written =
        programs
            .bridged("h5run", "native")
            .run(programs.compile("callbacks.c").toString(), folder + "/callbacks.h5");
    assertThat(written.output()).isEqualTo("converted 0\nfiltered 0\nunchecked 0\nplain 1\n");
    assertThat(written.errors())
        .contains(
            "Hyperslab-DIAG", "H5Pset_type_conv_cb", "H5Pset_filter_callback", "H5Pset_edc_check");
  }

  /** Transfers use the extent in the file, until the program sets another one or asks for it. */
  @Test
  void virtualDatasetsFollowTheirSourcesWhenTheProgramAsks() throws IOException {
    String extents = programs.compile("extents.c").toString();
    Path theirs = Files.createDirectory(folder.resolve("their extents"));
    Path ours = Files.createDirectory(folder.resolve("our extents"));

    Outcome alone = programs.alone("h5run").runIn(theirs, extents, "v.h5").orFail();
    Outcome bridged = programs.bridged("h5run", "native").runIn(ours, extents, "v.h5").orFail();

    assertThat(alone.output())
        .contains("opened for reading: read 5, last 5", "smaller: read 6, last 6");
    assertThat(bridged.output()).isEqualTo(alone.output());
    String[] recorded = {extents, "v.h5", "recorded"};
    assertThat(programs.alone("h5run").runIn(ours, recorded).orFail().output())
        .isEqualTo("recorded: read 7, last 7\n");
    assertThat(programs.bridged("h5run", "native").runIn(theirs, recorded).orFail().output())
        .isEqualTo("recorded: read 7, last 7\n");
  }

  /** External files and virtual sources in other folders, and views of unlimited sources. */
  @Test
  void datasetsFindOtherFilesAsTheirListsSay() throws IOException {
    String prefixes = programs.compile("prefixes.c").toString();
    Path theirs = Files.createDirectories(folder.resolve("theirs/parts")).getParent();
    Path ours = Files.createDirectories(folder.resolve("ours/parts")).getParent();

    Outcome alone = programs.alone("h5run").run(prefixes, theirs.toString()).orFail();
    Outcome bridged = programs.bridged("h5run", "native").run(prefixes, ours.toString()).orFail();

    assertThat(alone.output()).contains("external 1 2 3 4", "other prefix 0", "virtual 5 6 7 8");
    assertThat(bridged.output()).isEqualTo(alone.output());
    assertThat(ours.resolve("parts/raw.bin"))
        .hasSameBinaryContentAs(theirs.resolve("parts/raw.bin"));
  }

  @Test
  void unsupportedAccessListsAreRefusedIfTheyMatter() {
    Map<String, String> prefixes =
        Map.of("HDF5_EXT_PREFIX", "e", "HDF5_EXTFILE_PREFIX", "e", "HDF5_VDS_PREFIX", "e");
    Outcome opened =
        programs
            .bridged("h5run", "native", prefixes)
            .run(programs.compile("lists.c").toString(), folder + "/lists.h5")
            .orFail();
    assertThat(opened.output())
        .isEqualTo(
            """
            fresh 1 1 1
            empty prefix 1 1 1
            prefix 1 1 1
            flags 1 1 1
            default flags 1 1 1
            callback 1 1 1
            default file list 1 1 1
            file list 1 1 1
            external file prefix plain 1
            external file prefix external 1
            external file prefix virtual 1
            made 1
            virtual prefix plain 1
            virtual prefix external 1
            virtual prefix virtual 1
            virtual prefix . virtual 1
            view plain 1
            view virtual 1
            default view virtual 1
            gap virtual 1
            many links plain 1
            few links plain 1
            append flush plain 0
            path without merging 1
            path 0
            merging 1
            search 0
            optional filter of a group 1
            mandatory filter of a group 0
            """);
    assertThat(opened.errors())
        .contains(
            "H5Pset_append_flush",
            "H5Padd_merge_committed_dtype_path",
            "H5Pset_mcdt_search_cb",
            "filter of a group");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "nativ; actual=\"nativ\", expected=one of async",
        "compacting | nonsense; actual=\"nonsense\", expected=one of async",
        "native |; actual=the end of the string, expected=a connector's name",
        "native nothing=1; actual=native nothing=1, expected=no option but verify=write",
        "forwarding; server: actual=none, expected=servers=HOST:PORT"
      })
  void aWrongConfigurationIsRefusedWithItsReason(String configuration, String reason) {
    Path errors = programs.compile("errors.c");
    Outcome wrong =
        programs.bridged("h5run", configuration).run(errors.toString(), folder + "/wrong.h5");
    assertThat(wrong.exitCode()).isEqualTo(3);
    assertThat(wrong.errors()).contains("Hyperslab-DIAG", reason);
    assertThat(folder.resolve("wrong.h5")).doesNotExist();
  }

  @Test
  void wrongJvmOptionIsReported() {
    Outcome wrong =
        programs
            .bridged("h5run", "native", Map.of("HYPERSLAB_JAVA_OPTS", "-nonsense"))
            .run(programs.compile("errors.c").toString(), folder + "/options.h5");
    assertThat(wrong.errors()).contains("hyperslab: the JVM did not start");
  }
}
