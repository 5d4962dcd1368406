package org.hyperslab.mpiio.datatype;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import org.hyperslab.mpiio.file.Sentences;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares random datatypes with those of a real MPI library: size, bounds, and the position of
 * every byte. With the system property {@code hyperslab.strict} a missing MPI is a failure.
 */
final class DerivedTypeJudgeTest {

  private static final int TYPES = 1000;

  /** MPICH 4.0 packs wrongly after some hundreds of types in one process. */
  private static final int TYPES_PER_PROCESS = 200;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"openmpi", "mpich"})
  void derivedTypesAgreeWithBothMpis(String mpi) throws IOException {
    Path judge = compiled(mpi);
    boolean fresh =
        Boolean.getBoolean("hyperslab.fresh") || System.getProperty(Seeds.PROPERTY) != null;
    long seed = fresh ? Seeds.draw() : 1;
    RandomTypes random = new RandomTypes(new Random(seed), mpi.equals("openmpi"));
    List<DerivedType> types = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < TYPES; i += TYPES_PER_PROCESS) {
      StringJoiner input = new StringJoiner("\n", TYPES_PER_PROCESS + "\n", "\n");
      for (int j = 0; j < TYPES_PER_PROCESS; j++) {
        DerivedType type = random.any(1 + j % 3);
        types.add(type);
        input.add(Sentences.of(type));
      }
      answers.addAll(run(mpi, judge, input.toString()));
    }
    assertThat(answers).as("answers, seed " + seed).hasSize(TYPES);
    assertThat(answers.stream().filter("refused"::equals).count()).isLessThan(TYPES / 20);
    for (int i = 0; i < TYPES; i++) {
      if (answers.get(i).equals("refused")) {
        continue;
      }
      assertThat(judged(mpi, described(types.get(i))))
          .as("seed %d, type %d: %s", seed, i, Sentences.of(types.get(i)))
          .isEqualTo(judged(mpi, answers.get(i)));
    }
  }

  /**
   * MPICH 4.0 gives true bounds that are too wide for cyclic distributions that end within a block;
   * the places, which it gives rightly, imply them.
   */
  private static String judged(String mpi, String text) {
    return mpi.equals("mpich") ? text.replaceFirst("^(\\S+ \\S+ \\S+) \\S+ \\S+", "$1") : text;
  }

  private static String described(DerivedType type) {
    if (type.size() == 0) {
      return "0";
    }
    StringBuilder text = new StringBuilder();
    text.append(type.size()).append(' ').append(type.lowerBound()).append(' ');
    text.append(type.extent()).append(' ').append(type.trueLowerBound()).append(' ');
    text.append(type.trueExtent());
    TypeMapCursor runs = type.map().cursor();
    while (runs.next()) {
      text.append(' ').append(runs.offset()).append(':').append(runs.length());
    }
    return text.toString();
  }

  private Path compiled(String mpi) throws IOException {
    String compiler = "mpicc." + mpi;
    Path source = folder.resolve("type_map.c");
    try (InputStream resource = DerivedTypeJudgeTest.class.getResourceAsStream("type_map.c")) {
      Files.copy(resource, source);
    }
    Path program = folder.resolve("type_map");
    Oracle.program(compiler).run("-O1", source.toString(), "-o", program.toString()).orFail();
    return program;
  }

  private List<String> run(String mpi, Path judge, String input) throws IOException {
    Path in = Files.writeString(folder.resolve("in"), input);
    List<String> words = new ArrayList<>();
    if (mpi.equals("openmpi")) {
      words.addAll(List.of("--allow-run-as-root", "--oversubscribe"));
    }
    words.addAll(List.of("-n", "1", judge.toString(), in.toString()));
    return Oracle.program("mpirun." + mpi)
        .run(words.toArray(String[]::new))
        .orFail()
        .output()
        .lines()
        // If a machine lacks a device that MPI probes for, MPI prints a message among the answers.
        .filter(line -> line.matches("refused|\\d.*"))
        .toList();
  }
}
