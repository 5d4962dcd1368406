package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.BoundedStructures.Release;
import org.hyperslab.plugins.nativevol.BoundedStructures.Structure;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that every structure, written under every version bound, has a form that the releases up to
 * the bound read, or is refused. HDF5 1.10 and the newest release read the files; for the releases
 * in between, a table lists the versions of messages that they support. The full gate compares all
 * bounds with docs/version-bounds.md, the ordinary gate three of them. {@code
 * -Dhyperslab.write=true} writes the page.
 */
final class VersionBoundsTest {

  @TempDir private Path folder;

  private record Bounds(String title, FormatVersion low, FormatVersion high, Release promised) {}

  private static final List<Bounds> BOUNDS =
      List.of(
          new Bounds("default", FormatVersion.EARLIEST, FormatVersion.V110, Release.R110),
          same("EARLIEST", FormatVersion.EARLIEST, Release.R18),
          same("V18", FormatVersion.V18, Release.R18),
          same("V110", FormatVersion.V110, Release.R110),
          same("V112", FormatVersion.V112, Release.R112),
          same("V114", FormatVersion.V114, Release.R112),
          same("V200", FormatVersion.V200, Release.R200),
          new Bounds("EARLIEST to V200", FormatVersion.EARLIEST, FormatVersion.V200, Release.R200));

  private static Bounds same(String title, FormatVersion version, Release promised) {
    return new Bounds(title, version, version, promised);
  }

  private static final boolean WRITE = Boolean.getBoolean("hyperslab.write");

  private static final List<Bounds> MEASURED =
      Effort.isFull() || WRITE
          ? BOUNDS
          : BOUNDS.stream()
              .filter(bounds -> List.of("default", "V18", "V200").contains(bounds.title))
              .toList();

  private static final String REFUSED = "refused";

  /** Reads everything reachable, each file in a separate process, because a library may crash. */
  private static final String READ_ALL =
      """
      import os, subprocess, sys, h5py, numpy as np
      def look(thing):
          for name in thing.attrs:
              thing.attrs.get_id(name).dtype
              thing.attrs[name]
          if isinstance(thing, h5py.Dataset):
              thing.dtype
              if thing.shape is not None and thing.size < 10000:
                  try:
                      thing[()]
                  except OSError as e:
                      if 'required filter' not in str(e) and 'raw data file' not in str(e): raise
      def whole(path):
          f = h5py.File(path, 'r')
          look(f)
          for name in f:
              if f.get(name, getclass=True, getlink=True) is h5py.HardLink:
                  look(f[name])
      for path in open(sys.argv[1]).read().split('\\n'):
          child = os.fork()
          if child == 0:
              code = 0
              try:
                  whole(path)
              except Exception as e:
                  # What h5py has no NumPy type for, the library has to read all the same.
                  code = subprocess.call(['h5dump', '-A', path], stdout=subprocess.DEVNULL)
                  if code: print(path, repr(e))
              sys.stdout.flush()
              os._exit(code)
          if os.waitpid(child, 0)[1] > 255 * 256: print(path, 'crashed')
      """;

  @Test
  void everyStructureUnderEveryBoundIsReadOrRefused() throws IOException {
    Map<String, List<String>> table = new LinkedHashMap<>();
    List<Path> forOlder = new ArrayList<>();
    List<Path> all = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    for (Structure structure : BoundedStructures.all()) {
      List<String> row = table.computeIfAbsent(structure.name(), name -> new ArrayList<>());
      for (Bounds bounds : MEASURED) {
        Path path = folder.resolve(table.size() + "-" + row.size() + ".h5");
        Optional<Release> needed = make(structure, bounds, path);
        row.add(needed.map(Release::toString).orElse(REFUSED));
        if (needed.isPresent()) {
          all.add(path);
          if (needed.get().compareTo(bounds.promised) > 0) {
            broken.add(structure.name() + " under " + bounds.title + " needs " + needed.get());
          }
          if (needed.get().compareTo(Release.R110) <= 0) {
            forOlder.add(path);
          }
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(readBy110(forOlder)).isEmpty();
    assertThat(notReadByTheNewest(all)).isEmpty();
    Path page = root().resolve("docs/version-bounds.md");
    if (WRITE) {
      Files.writeString(page, document(table));
    }
    if (MEASURED.size() == BOUNDS.size()) {
      assertThat(page).hasContent(document(table));
    }
    assertThat(columns(page)).isEqualTo(table);
  }

  /** Returns the cells of the page's table under the measured bounds, by structure. */
  private static Map<String, List<String>> columns(Path page) throws IOException {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(page).stream().filter(l -> l.startsWith("| ")).toList();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.substring(2).split(" \\| ?", -1);
      List<String> row = MEASURED.stream().map(each -> cells[1 + BOUNDS.indexOf(each)]).toList();
      rows.put(cells[0], row);
    }
    return rows;
  }

  /**
   * Writes a structure. Returns the first release that reads it; empty if it is refused with an
   * error that names the bound.
   */
  private static Optional<Release> make(Structure structure, Bounds bounds, Path path) {
    CreateOptions options =
        structure.options().apply(CreateOptions.DEFAULT.withBounds(bounds.low, bounds.high));
    options = options.withAccess(options.access().withDurability(Durability.PROCESS));
    try (H5File file = Hdf5.create(path, options)) {
      structure.maker().make(file);
    } catch (InvalidUseException refused) {
      assertThat(refused)
          .as("%s under %s", structure.name(), bounds.title)
          .hasMessageMatching("(?s).*(bound|form before HDF5|in an object header).*");
      return Optional.empty();
    }
    Release needed = Release.max(ReleaseNeeded.of(path), structure.contentSince());
    return Optional.of(needed);
  }

  private String readBy110(List<Path> files) throws IOException {
    Path list = folder.resolve("list");
    Files.writeString(list, String.join("\n", files.stream().map(Path::toString).toList()));
    return Oracle.h5py().run(READ_ALL, list.toString()).orFail().output().strip();
  }

  private static List<String> notReadByTheNewest(List<Path> files) {
    Optional<Oracle> newest = Oracle.newest("h5dump");
    List<String> refused = new ArrayList<>();
    for (Path file : newest.isPresent() ? files : List.<Path>of()) {
      Oracle.Outcome outcome = newest.get().run("-A", file.toString());
      if (outcome.exitCode() != 0) {
        refused.add(file + " " + outcome.errors());
      }
    }
    return refused;
  }

  private static Path root() {
    String given = System.getProperty("hyperslab.root");
    Path at = Path.of(given == null ? "" : given).toAbsolutePath();
    while (!Files.exists(at.resolve("DESIGN.md"))) {
      at = at.getParent();
    }
    return at;
  }

  private static String document(Map<String, List<String>> table) {
    StringBuilder text =
        new StringBuilder(
            """
            # Structures and version bounds

            A file is created or opened with two bounds, `withBounds(low, high)`. Added structures have the
            form of `low`, or a newer one where necessary, up to `high`. A structure that is newer than `high`
            is written in an older form if there is one (complex numbers as the compound `{r, i}` of h5py,
            revised references as those before HDF5 1.12), or refused with an `InvalidUseException` that
            names the bound.

            Each cell is the first release of the HDF5 library that reads the structure when it is
            written with the bounds at the head of the column; a single name means that both
            bounds are equal. The defaults are EARLIEST to V110: version 2 superblocks and object
            headers and the chunk indexes of 1.10 in a new file. EARLIEST as the upper bound means
            V18. VersionBoundsTest measures this table.

            """);
    text.append("| structure |");
    BOUNDS.forEach(bounds -> text.append(" ").append(bounds.title).append(" |"));
    text.append("\n|---|").append("---|".repeat(BOUNDS.size())).append("\n");
    table.forEach((name, row) ->
        text.append("| ")
            .append(name)
            .append(" | ")
            .append(String.join(" | ", row))
            .append(" |\n"));
    return text.toString();
  }

  // --- the older forms ---

  private static final String COMPLEX =
      """
      import sys, h5py, numpy as np
      f = h5py.File(sys.argv[1], 'r+')
      print(f['z'][()].tolist(), f['z'].attrs['one'], f['z'].dtype)
      f['theirs'] = np.array([1+2j, 3-4j], 'c8')
      f['z'][1] = 7j
      """;

  @Test
  void complexNumbersAreThePairsOfH5py() {
    Path path = folder.resolve("complex.h5");
    Complex[] numbers = {new Complex(1, -1), new Complex(2.5, 0)};
    try (H5File file = Hdf5.create(path)) {
      Dataset made = file.createDataset("z", numbers);
      made.setAttribute("one", numbers[0]);
      assertThat(made.type()).isInstanceOf(CompoundType.class);
      assertThat(made.read(Complex[].class)).containsExactly(numbers);
      assertThat(made.attribute("one").read()).isEqualTo(numbers[0]);
      made.close();
    }
    assertThat(Oracle.h5py().run(COMPLEX, path.toString()).orFail().output().strip())
        .isEqualTo("[(1-1j), (2.5+0j)] (1-1j) complex128");
    try (H5File file = Hdf5.open(path, OpenOptions.EDIT)) {
      Complex[] theirs = {new Complex(1, 2), new Complex(3, -4)};
      assertThat((Complex[]) file.dataset("theirs").read()).containsExactly(theirs);
      file.dataset("theirs").write(numbers);
      assertThat(file.dataset("theirs").read(Complex[].class)).containsExactly(numbers);
      assertThat(file.dataset("z").read(Complex[].class))
          .containsExactly(numbers[0], new Complex(0, 7));
    }
  }

  /** A record of the same two members, as users have had it. */
  public record Parts(double r, double i) {}

  @Test
  void pairsAreStillRecordsAndMaps() {
    try (H5File file = Hdf5.create(folder.resolve("pairs.h5"))) {
      Dataset made = file.createDataset("p", new Parts[] {new Parts(1, 2)});
      assertThat(made.read(Parts[].class)).containsExactly(new Parts(1, 2));
      assertThat((Object) made.read(Map[].class)[0]).isEqualTo(Map.of("r", 1.0, "i", 2.0));
      assertThat(made.read(Complex[].class)).containsExactly(new Complex(1, 2));
    }
  }

  private static final String REFERENCES =
      """
      import sys, h5py, numpy as np
      f = h5py.File(sys.argv[1], 'r')
      r = f['refs']
      print(f[r[0]].name, f[r[1]].name, bool(r[2]), f[f['region'][0]].name, \
      f['n'][f['region'][0]].tolist(), f[f['revised'][0]].name)
      """;

  @Test
  void referencesAreThoseThatEveryReleaseReads() {
    Path path = folder.resolve("references.h5");
    try (H5File file = Hdf5.create(path)) {
      Dataset numbers = file.createDataset("n", new int[] {1, 2, 3});
      Reference[] objects = {numbers.reference(), file.root().reference(), null};
      Reference[] regions = {
        numbers.regionReference(Selection.box(new long[] {1}, new long[] {2}))
      };
      file.createDataset("refs", objects).close();
      file.createDataset("region", regions).close();
      Dataset revised = file.createDataset("revised", Datatypes.REFERENCE, Dataspace.simple(1));
      revised.write(new Reference[] {numbers.reference()});
      assertThat(revised.type()).isEqualTo(Datatypes.OBJECT_REFERENCE);
      assertThat(revised.read(Reference[].class)).containsExactly(numbers.reference());
      assertThatThrownBy(() -> revised.write(Memory.of(regions, Datatypes.REFERENCE)))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("V112");
      revised.close();
    }
    assertThat(Oracle.h5py().run(REFERENCES, path.toString()).orFail().output().strip())
        .isEqualTo("/n / False /n [2, 3] /n");
  }

  @Test
  void boundsTheWrongWayRoundAreRefused() {
    assertThatThrownBy(
            () -> CreateOptions.DEFAULT.withBounds(FormatVersion.V112, FormatVersion.V18))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("V112 to V18");
  }
}
