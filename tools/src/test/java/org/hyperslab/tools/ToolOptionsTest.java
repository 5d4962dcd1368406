package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares less common options of commands with HDF5's tools (1.10). */
final class ToolOptionsTest {

  private static final int WRONG_USE = 2;

  @TempDir private Path folder;
  private Path in;

  @BeforeEach
  void createInput() {
    in = folder.resolve("in.h5");
    Oracle.h5py()
        .run(
            """
            import h5py, sys, numpy as np
            f = h5py.File(sys.argv[1], 'w', userblock_size=1024)
            g = f.create_group('grp')
            g['x'] = np.arange(20).reshape(4, 5)
            g.create_dataset('z', data=np.arange(1000.).reshape(100, 10), chunks=(10, 10),
                compression='gzip', shuffle=True, fletcher32=True, maxshape=(None, 10))
            f['hard'] = g
            f['soft'] = h5py.SoftLink('/grp/x')
            f['dangling'] = h5py.SoftLink('/nothing')
            f['outside'] = h5py.ExternalLink('nothing.h5', '/x')
            f['fixed'] = np.array([b'a b', b'de'], dtype='S5')
            f.create_dataset('text', data=['h\\u00e4llo', 'w d'], dtype=h5py.string_dtype())
            f['compound'] = np.array([(1, b'x y')], dtype=[('a', 'i4'), ('c', 'S4')])
            f.create_dataset('arrays', data=np.zeros(2, dtype=[('m', 'f4', (2, 3))]))
            f['null'] = h5py.Empty('f8')
            f['long'] = np.arange(100)
            f['n\\u00e4me'] = 1
            """,
            in.toString())
        .orFail();
  }

  private static Oracle.Outcome library(String tool, String... words) {
    Path folder = Corpus.isPresent() ? Corpus.folder() : Path.of("").toAbsolutePath();
    return Oracle.program(tool).runIn(folder, words);
  }

  private static String[] joined(String options, String... names) {
    String[] words = options.isEmpty() ? new String[0] : options.split(" ");
    String[] all = Arrays.copyOf(words, words.length + names.length);
    System.arraycopy(names, 0, all, words.length, names.length);
    return all;
  }

  private static CommandRun ours(String command, String... words) {
    return CommandRun.of(joined(command, words));
  }

  /** The index's address is not printed here. */
  private static String withoutIndexAddress(String text) {
    return text.lines()
        .filter(line -> !line.matches("    Address: \\d+"))
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-rdS", "-dS", "-rva", "-va", "-rv", "-rd"})
  void listsElementsAndAddressesAsTheLibrary(String option) {
    String[] words = joined(option, in.toString());
    assertThat(withoutIndexAddress(ours("ls", words).out()))
        .isEqualTo(withoutIndexAddress(library("h5ls", words).orFail().output()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--follow-symlinks",
        "--follow-symlinks -r",
        "--follow-symlinks -v",
        "--follow-symlinks --no-dangling-links",
        "--follow-symlinks --no-dangling-links -v"
      })
  void linksThatLeadNowhereAreComparedAsByTheLibrary(String options) {
    assumeTrue(Corpus.isPresent(), "no corpus");
    String one = Corpus.file("h5diff/h5diff_danglelinks1.h5").toAbsolutePath().toString();
    String other = Corpus.file("h5diff/h5diff_danglelinks2.h5").toAbsolutePath().toString();
    for (String[] pair : new String[][] {{one, other}, {other, one}, {one, one}}) {
      Oracle.Outcome theirs = library("h5diff", joined(options, pair));
      CommandRun run = ours("diff", joined(options, pair));
      assertThat(run.out()).isEqualTo(theirs.output());
      assertThat(run.code()).isEqualTo(theirs.exitCode());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-v --exclude-path /grp", "-v --exclude-path /grp/x", "-v9", "-r -p 0"})
  void filesAreComparedAsByTheLibrary(String options) {
    Path second = folder.resolve("second.h5");
    Oracle.h5py()
        .run(
            """
            import h5py, sys, numpy as np
            a = h5py.File(sys.argv[1], 'r')
            b = h5py.File(sys.argv[2], 'w')
            b['grp/x'] = a['grp/x'][...] + 1
            b['long'] = np.arange(100) * 2
            """,
            in.toString(),
            second.toString())
        .orFail();
    String[] words = joined(options, in.toString(), second.toString());
    Oracle.Outcome theirs = library("h5diff", words);
    assertThat(ours("diff", words).out()).isEqualTo(theirs.output());
    assertThat(ours("diff", words).code()).isEqualTo(theirs.exitCode());
  }

  @Test
  void elementsOfOtherSignsAreNotComparable() {
    Path second = folder.resolve("second.h5");
    Oracle.h5py()
        .run(
            """
            import h5py, sys, numpy as np
            for name, kinds in zip(sys.argv[1:], (('i4', 'i4'), ('u4', 'f4'))):
                with h5py.File(name, 'w') as f:
                    kind = h5py.enum_dtype({'A': 0, 'B': 1}, basetype=kinds[0])
                    f.create_dataset('enum', data=np.array([0, 1], kinds[0]), dtype=kind)
                    for i, element in enumerate(kinds):
                        space = h5py.h5s.create(h5py.h5s.SCALAR)
                        array = h5py.h5t.array_create(h5py.h5t.py_create(np.dtype(element)), (2,))
                        made = h5py.h5d.create(f.id, b'array%d' % i, array, space)
                        made.write(space, space, np.array([1, 2], element), array)
            """,
            in.toString(), second.toString())
        .orFail();
    for (String option : List.of("-c", "-r", "-v")) {
      String[] words = joined(option, in.toString(), second.toString());
      Oracle.Outcome theirs = library("h5diff", words);
      assertThat(ours("diff", words).out()).isEqualTo(theirs.output());
      assertThat(ours("diff", words).code()).isEqualTo(theirs.exitCode());
    }
  }

  /** A file with arrays as a dataset, a member and an attribute. */
  private String arrays(String name, Datatype element) {
    Path path = folder.resolve(name);
    Datatype array = Datatypes.array(element, 2);
    Datatype row = CompoundType.builder().member("m", array).build();
    try (H5File file = Hdf5.create(path)) {
      file.createDataset("row", row, Dataspace.scalar());
      file.root().createAttribute("list", array, Dataspace.scalar());
    }
    return path.toString();
  }

  @Test
  void arraysOfOtherClassesWithinMembersAndAttributesAreNotComparable() {
    String integers = arrays("i.h5", Datatypes.I32LE);
    for (Datatype other : List.of(Datatypes.F32LE, Datatypes.vlen(Datatypes.I32LE))) {
      CommandRun run = ours("diff", "-c", integers, arrays("o.h5", other));
      String name = other.classNumber() == 1 ? "H5T_FLOAT" : "H5T_VLEN";
      assertThat(run.code()).isZero();
      assertThat(run.err()).isEmpty();
      assertThat(run.out())
          .contains("<list> has a class H5T_INTEGER and <list> has a class " + name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-q -r", "-q -v", "-d 1 -p 1", "-p 1 --use-system-epsilon"})
  void optionsThatExcludeEachOtherAreRejected(String options) {
    CommandRun run = ours("diff", joined(options, in.toString(), in.toString()));
    assertThat(run.code()).isEqualTo(WRONG_USE);
    assertThat(run.err()).contains("exclude");
    assertThat(run.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dangling", "/outside", "/soft", "/hard"})
  void linksAreCopiedAsByTheLibrary(String path) {
    String ours = folder.resolve("ours.h5").toString();
    String theirs = folder.resolve("theirs.h5").toString();
    String[] words = {"-i", in.toString(), "-s", path, "-d", "/copy", "-o"};
    assertThat(ours("copy", joined(String.join(" ", words), ours)).code()).isZero();
    library("h5copy", joined(String.join(" ", words), theirs)).orFail();
    assertThat(library("h5ls", "-r", ours).orFail().output())
        .isEqualTo(library("h5ls", "-r", theirs).orFail().output());
  }

  /** The description of a file without what depends on where its parts lie. */
  private static String described(Path file) {
    return Oracle.h5dump()
        .run("-p", "-H", file.toString())
        .orFail()
        .output()
        .lines()
        .skip(1)
        .filter(line -> !line.contains("OFFSET") && !line.contains("SIZE "))
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-f GZIP=1",
        "-f SHUF -f GZIP=1",
        "-f /grp/x:GZIP=1 -l /grp/x:CHUNK=2x5",
        "-l /grp/z:CONTI",
        "-l /long,/grp/x:COMPA",
        "-l /long:CHUNK=7",
        "-f /grp/z:NONE -l /grp/z:CONTI",
        "-f /fixed,/long:SZIP=8,NN",
        "-f NONE"
      })
  void datasetsAreStoredAsByTheLibrary(String options) {
    Path ours = folder.resolve("ours.h5");
    Path theirs = folder.resolve("theirs.h5");
    CommandRun run = ours("repack", joined(options, in.toString(), ours.toString()));
    assertThat(run.code()).as(run.err()).isZero();
    library("h5repack", joined(options, in.toString(), theirs.toString())).orFail();
    assertThat(described(ours)).isEqualTo(described(theirs));
    assertThat(library("h5diff", in.toString(), ours.toString()).exitCode()).isZero();
  }

  @Test
  void chunkedDatasetsWithoutChunksAreListed() {
    Path empty = folder.resolve("empty.h5");
    Oracle.h5py()
        .run(
            "import h5py, sys; h5py.File(sys.argv[1], 'w').create_dataset('e', (9,), chunks=(3,))",
            empty.toString())
        .orFail();
    CommandRun run = ours("ls", "-va", empty.toString());
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("Chunks:").doesNotContain("Logical Offset");
  }
}
