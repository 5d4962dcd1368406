package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.web.options.WebOptions;

/** Runs a script that compares the replies of a server on the corpus with what h5py reads. */
final class CorpusJudge {

  private static final String TOKEN = "a-token-of-the-test";

  /**
   * Files whose root group, or a part that is compared, is refused as damaged, and which HDF5 1.10
   * takes for something.
   */
  private static final List<String> DAMAGED =
      List.of(
          "h5dump/tCVE-2021-37501_attr_decode.h5",
          "lib/bad_offset.h5",
          "lib/corrupt_stab_msg.h5",
          "lib/tmisc38a.h5",
          "misc/h5clear_fsm_persist_less.h5",
          "misc/h5clear_fsm_persist_noclose.h5");

  private CorpusJudge() {}

  /**
   * Compares a part of the corpus, or with full effort all of it.
   *
   * @param oracle the judge's name in the table of judges
   * @param script the script, a resource beside this class
   * @param nothing what the script's first line must not contain: that nothing was compared
   */
  static void compare(String oracle, String script, String nothing) throws IOException {
    List<String> names = names(); // skips the test where there is no corpus to be served
    try (TemporaryFolder folder = TemporaryFolder.create("judge");
        WebServer server =
            WebServer.show(
                root(),
                WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.of(TOKEN))))) {
      String url = server.url().substring(0, server.url().length() - 1);
      judge(folder, oracle, script, nothing, names, List.of(url, TOKEN));
    }
  }

  /** Compares what references lead to. */
  static void compareReferences() throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("judge")) {
      int number = 0;
      List<String> names = names();
      for (String name : names) {
        Path path = root().resolve(name);
        try (H5File file = Hdf5.open(path)) {
          String json = ReferenceIndex.of(file, path.toString(), 1 << 20).json();
          Files.writeString(folder.file(number + ".json"), json);
        } catch (HyperslabException damaged) {
          // the judge leaves out what is not indexed
        }
        number++;
      }
      judge(
          folder,
          "references",
          "zarr_judge.py",
          "\"arrays\": 0,",
          names,
          List.of(folder.path().toString(), "references"));
    }
  }

  private static void judge(
      TemporaryFolder folder,
      String oracle,
      String script,
      String nothing,
      List<String> names,
      List<String> source)
      throws IOException {
    try (InputStream in = CorpusJudge.class.getResourceAsStream(script)) {
      Files.write(folder.file("judge.py"), in.readAllBytes());
    }
    Files.write(folder.file("names.txt"), names);
    List<String> output =
        Oracle.python(oracle, folder.file("judge.py"))
            .run(
                source.get(0),
                source.get(1),
                root().toString(),
                folder.file("names.txt").toString())
            .orFail()
            .output()
            .lines()
            .toList();
    List<String> differences = output.stream().skip(1).toList();
    assertThat(differences).as(output.getFirst()).isEmpty();
    assertThat(output.getFirst()).as("what was compared").doesNotContain(nothing);
  }

  private static Path root() {
    return Corpus.folder().toAbsolutePath().normalize();
  }

  private static List<String> names() {
    Path root = root();
    // Of files made to do harm h5py takes the machine's memory, or crashes.
    List<String> all =
        Corpus.files(".").stream()
            .map(file -> root.relativize(file.toAbsolutePath().normalize()).toString())
            .filter(name -> !name.contains("cve"))
            .filter(name -> !DAMAGED.contains(name))
            .toList();
    int every = Effort.times(8, 1);
    return IntStream.range(0, all.size()).filter(i -> i % every == 0).mapToObj(all::get).toList();
  }
}
