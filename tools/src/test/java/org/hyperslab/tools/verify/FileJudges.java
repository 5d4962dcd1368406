package org.hyperslab.tools.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Dialogue;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.tools.dump.Dump;

/** Other engines that judge a file: h5dump, the C library through h5py, and jHDF. */
final class FileJudges implements AutoCloseable {

  private static final Pattern ADDRESS =
      Pattern.compile("((?:DATASET|GROUP|DATATYPE) |\"/#)\\d+(?= \"|\")");

  /** Blanks between something else and a closing brace. */
  private static final Pattern BEFORE_BRACE = Pattern.compile("(?<=\\S) +\\}");

  /**
   * The data that the C library's copy loses: regions in compounds, references in sequences of
   * attributes.
   */
  private static final Pattern UNCOPIED =
      Pattern.compile("H5T_STD_REF_DSETREG \\} \"|\"DIMENSION_LIST\"");

  /**
   * The greatest number of elements compared; of files with more, only the description is compared.
   */
  private static final long MAX_ELEMENTS = 200_000;

  /** The newest available h5dump, because its output has changed between releases. */
  private final Oracle h5dump = Oracle.newest("h5dump").orElseGet(Oracle::h5dump);

  /** Whether only HDF5 1.10 is there, which omits blanks, and cannot print some fill values. */
  private final boolean isOld = Oracle.newest("h5dump").isEmpty();

  private Dialogue copier;
  private final Session ours = Hdf5.session("native");
  private final Session jhdf = Hdf5.session("jhdf");
  private static final Pattern BIG_ENUMERATION =
      Pattern.compile("H5T_ENUM \\{\\s+H5T_STD_[IU]\\d+BE");
  private static final Pattern NUMBER_WITHOUT_NAME =
      Pattern.compile("[ (,][0-9a-f]{2}(:[0-9a-f]{2})+\\b");
  private static final Pattern BEYOND_FLOAT =
      Pattern.compile("DATATYPE  (?!H5T)[^\\n]*floating-point(?s:.*?)e\\+([4-9]\\d|\\d{3})");

  private int dumped;
  private int copied;
  private int comparedByJhdf;
  private int notByJhdf;
  private int foreign;
  private int diedOfCopying;
  private int lostByCopy;

  private FileJudges() {
    copier = startCopier();
  }

  /** Starts the judges that are processes; skips the test if one is not installed. */
  static FileJudges start() {
    return new FileJudges();
  }

  private static Dialogue startCopier() {
    try (InputStream in = FileJudges.class.getResourceAsStream("copier.py")) {
      String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Dialogue.h5py(script, Map.of());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Judges one file, if this library can open it. A file that a judge rejects is copied to the
   * folder that the property {@code hyperslab.judged.keep} names.
   */
  void judge(Path file) {
    try {
      ask(file);
    } catch (AssertionError | UncheckedIOException bad) {
      keep(file);
      throw bad;
    }
  }

  private static void keep(Path file) {
    String folder = System.getProperty("hyperslab.judged.keep");
    if (folder != null) {
      try {
        Path parent = file.getParent().getFileName();
        Files.copy(file, Path.of(folder, parent + "-" + file.getFileName()));
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  private void ask(Path file) {
    long elements;
    try (H5File opened = ours.open(file.toString(), OpenOptions.READ)) {
      elements = elements(opened.root());
    } catch (HyperslabException notOurs) {
      foreign++;
      return;
    }
    boolean small = elements <= MAX_ELEMENTS;
    List<String> options = small ? List.of() : List.of("-H");
    String text = dump(file, options, file.getFileName().toString());
    agreesWithH5dump(file, options, text);
    if (small) {
      agreesAfterCopy(file);
      if (BEYOND_FLOAT.matcher(text).find()) {
        notByJhdf++; // it reads every float of four bytes as if its bias were the usual one
      } else {
        agreesWithJhdf(file);
      }
    }
  }

  private static long elements(Group root) {
    long[] sum = new long[1];
    root.visit((_, object) -> {
      if (object instanceof Dataset dataset) {
        sum[0] += dataset.space().elementCount();
      }
      return true;
    });
    return sum[0];
  }

  /** Compares with h5dump; {@code ours} is what this library prints with the options. */
  private void agreesWithH5dump(Path file, List<String> options, String ours) {
    String text = ours;
    List<String> words = new ArrayList<>(options);
    if (text.contains("H5T_STD_REF_DSETREG")) {
      // Lines would be broken by the length of the file's name.
      words.addFirst("-H");
      text = dump(file, List.of("-H"), file.getFileName().toString());
    }
    words.add(file.toString());
    Oracle.Outcome outcome = h5dump.run(words.toArray(String[]::new));
    boolean differs = isOld && isPrintedOtherwise(text, outcome.errors());
    if (options.isEmpty() && (differs || losesNumbers(text))) {
      List<String> header = List.of("-H");
      agreesWithH5dump(file, header, dump(file, header, file.getFileName().toString()));
      return;
    }
    String expected = outcome.output().replace(file.toString(), file.getFileName().toString());
    same(
        "dump of " + file + "; h5dump says " + outcome.errors(),
        comparable(text),
        comparable(expected));
    dumped++;
  }

  /**
   * Returns whether h5dump's conversion to native types changes numbers of a file: those without a
   * name of big-endian enumerations become -1, and those of four-byte floats that are beyond the
   * IEEE format infinity.
   */
  private static boolean losesNumbers(String ours) {
    return (BIG_ENUMERATION.matcher(ours).find() && NUMBER_WITHOUT_NAME.matcher(ours).find())
        || BEYOND_FLOAT.matcher(ours).find();
  }

  /**
   * Returns whether HDF5 1.10 cannot print a file's values, or prints, as for object references,
   * also what they lead to.
   */
  private static boolean isPrintedOtherwise(String ours, String errors) {
    return errors.contains("unable to print data") || ours.contains("H5T_STD_REF_OBJECT");
  }

  /**
   * Returns the text without irrelevant differences: addresses, which h5dump takes from its own
   * memory for references in sequences; blank lines with a very deep indentation; the blank after
   * the name of a region in an attribute; for HDF5 1.10 also blanks before closing braces.
   */
  private String comparable(String dump) {
    StringBuilder kept = new StringBuilder();
    for (String line : dump.lines().toList()) {
      if (line.isBlank() && line.length() > 100) {
        continue;
      }
      String text = isOld ? BEFORE_BRACE.matcher(line).replaceAll("}") : line;
      kept.append(ADDRESS.matcher(text).replaceAll("$1").replace("\"  {", "\" {").stripTrailing());
      kept.append('\n');
    }
    return kept.toString();
  }

  private void agreesAfterCopy(Path file) {
    Path copy = file.resolveSibling(file.getFileName() + ".copy");
    try {
      copy(file, copy);
      String before = dump(file, List.of("-w", "0", "-g", "/"), "file");
      if (!UNCOPIED.matcher(before).find()) {
        String after = dump(copy, List.of("-w", "0", "-g", "/copy"), "file");
        if (after.contains("DATA {\n      }") && h5dump.run(copy.toString()).exitCode() != 0) {
          // h5dump cannot read it either: fill values of variable length are lost in the copy.
          lostByCopy++;
          return;
        }
        String moved = after.replace("/copy/", "/").replace("\"/copy\"", "\"/\"");
        same("what the C library copied from " + file, comparable(moved), comparable(before));
        copied++;
      }
      Files.delete(copy);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Copies a file with HDF5 1.10, or with a newer one if that crashes (a checksum after
   * variable-length members).
   */
  private void copy(Path file, Path copy) throws IOException {
    copier.say(file + "\t" + copy);
    Optional<String> answer = copier.listen();
    if (answer.isPresent()) {
      assertThat(answer.get()).as("the C library copies %s", file).isEqualTo("ok");
      return;
    }
    diedOfCopying++;
    copier = startCopier();
    Files.deleteIfExists(copy);
    Oracle.newest("h5copy")
        .orElseGet(() -> Oracle.program("h5copy"))
        .run("-i", file.toString(), "-o", copy.toString(), "-s", "/", "-d", "/copy")
        .orFail();
  }

  private static void same(String what, String actual, String expected) {
    if (actual.equals(expected)) {
      return;
    }
    List<String> ours = actual.lines().toList();
    List<String> theirs = expected.lines().toList();
    int line = 0;
    while (line < Math.min(ours.size(), theirs.size()) && ours.get(line).equals(theirs.get(line))) {
      line++;
    }
    assertThat(line < ours.size() ? ours.get(line) : "(end)")
        .as("%s, line %d", what, line + 1)
        .isEqualTo(line < theirs.size() ? theirs.get(line) : "(end)");
    assertThat(actual).as(what).isEqualTo(expected);
  }

  private void agreesWithJhdf(Path file) {
    List<String> differences = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    try (H5File a = ours.open(file.toString(), OpenOptions.READ);
        H5File b = jhdf.open(file.toString(), OpenOptions.READ)) {
      FileComparison.Side one = new FileComparison.Side("Hyperslab", a);
      FileComparison.Side two = new FileComparison.Side("jHDF", b);
      new FileComparison(one, two, differences::add, unreadable::add).compare("/", "/");
    } catch (HyperslabException failure) {
      unreadable.add(failure.getMessage());
    }
    differences.removeIf(difference -> isPartlyWritten(file, difference));
    // jHDF reads a byte that is not UTF-8 as U+FFFD.
    differences.removeIf(difference -> difference.matches("(?s).*[\\udc80-\\udcff].*\\ufffd.*"));
    // jHDF trims blanks from the ends of names.
    differences.removeIf(difference -> difference.matches(".*, attribute \\s*: only in the .*"));
    assertThat(differences).as("jHDF on %s", file).isEmpty();
    if (unreadable.isEmpty()) {
      comparedByJhdf++;
    } else {
      notByJhdf++;
    }
  }

  /** Returns whether a difference is in a dataset with missing chunks, which jHDF reads wrongly. */
  private boolean isPartlyWritten(Path file, String difference) {
    String path = difference.substring(0, difference.indexOf(": "));
    try (H5File a = ours.open(file.toString(), OpenOptions.READ);
        Dataset dataset = a.dataset(path)) {
      if (!(dataset.datasetInfo().options().layout() instanceof Layout.Chunked chunked)) {
        return false;
      }
      long chunks = 1;
      long[] dims = dataset.space().dims();
      for (int d = 0; d < dims.length; d++) {
        chunks *= Math.ceilDiv(dims[d], chunked.dims().get(d));
      }
      return dataset.chunks().count() < chunks;
    } catch (HyperslabException notADataset) {
      return false;
    }
  }

  private String dump(Path file, List<String> options, String shownName) {
    StringBuilder text = new StringBuilder();
    PrintStream quiet =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    List<String> words = new ArrayList<>(options);
    words.add(file.toString());
    new Dump(ours::open, quiet).run(words, text);
    return text.toString().replace(file.toString(), shownName);
  }

  /** Returns the number of files that each judge has judged. */
  String summary() {
    return "files judged: h5dump "
        + dumped
        + ", copied by the C library "
        + copied
        + ", jHDF wholly "
        + comparedByJhdf
        + " and in part "
        + notByJhdf
        + "; the C library died of copying "
        + diedOfCopying
        + " and lost something of "
        + lostByCopy
        + "; not HDF5 files "
        + foreign;
  }

  @Override
  public void close() {
    copier.close();
    ours.close();
    jhdf.close();
  }
}
