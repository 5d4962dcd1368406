package org.hyperslab.tools.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Corpus;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.fuzz.FileWalk;
import org.hyperslab.testkit.fuzz.FuzzCampaign;
import org.hyperslab.testkit.fuzz.FuzzOptions;
import org.hyperslab.testkit.fuzz.FuzzReport;
import org.hyperslab.testkit.fuzz.FuzzTarget;
import org.hyperslab.testkit.fuzz.Fuzzer;
import org.junit.jupiter.api.Test;

/**
 * Reads damaged files in full in a process with a heap of 256 MiB: each must end within 2 s of
 * processor time, in a typed error or with an answer. Failing files are kept in {@code
 * target/fuzz}; the file alone reproduces the failure.
 *
 * <p>The property {@code hyperslab.fuzz.seconds} is the duration of each campaign in seconds; 10 by
 * default, which tries some thousands of mutants. For long campaigns, see CONFORMANCE.md.
 */
@Campaign
final class CorpusFuzzTest {

  private static final int SECONDS = Integer.getInteger("hyperslab.fuzz.seconds", 10);
  private static final int GUIDED_FILES = 12;
  private static final int MAX_CASES = 100_000_000;

  private static final long GATE_SEED = Long.getLong(Seeds.PROPERTY, 20_261_122L);

  @Test
  void everyFileOfTheCorpusEnds() {
    List<Path> all = seeds();
    FuzzReport report =
        Fuzzer.run(
            FuzzOptions.builder()
                .target(name(FileWalk.class))
                .seeds(all)
                .folder(kept())
                .seed(0)
                .cases(0)
                .seconds(1200)
                .guided(false)
                .build());
    System.out.println("corpus: " + report);
    assertThat(report.failures()).isEmpty();
    assertThat(report.cases()).isEqualTo(all.size());
  }

  /** Uses the coverage of a few files, because learning the coverage of all takes a minute. */
  @Test
  void mutantsAreReadOrRefused() {
    List<Path> some = new ArrayList<>(seeds());
    long seed = seed();
    Collections.shuffle(some, new Random(seed));
    run(FileWalk.class, seed, some.subList(0, Math.min(GUIDED_FILES, some.size())), true);
  }

  @Test
  void mutantsOfEveryFileAreReadOrRefused() {
    run(FileWalk.class, seed(), seeds(), false);
  }

  @Test
  void mutantsAreDumpedOrRefused() {
    run(DumpTarget.class, seed(), seeds(), false);
  }

  @Test
  void mutantsAreEditedOrRefused() {
    run(EditTarget.class, seed(), seeds(), false);
  }

  /**
   * Returns the seed: a new one with {@code -Dhyperslab.fresh=true}, otherwise the same in every
   * run.
   */
  private static long seed() {
    return Boolean.getBoolean("hyperslab.fresh") ? Seeds.draw() & 0xFFFF_FFFFL : GATE_SEED;
  }

  private static void run(
      Class<? extends FuzzTarget> target, long seed, List<Path> seeds, boolean guided) {
    FuzzReport report =
        Fuzzer.run(
            FuzzOptions.builder()
                .target(name(target))
                .seeds(seeds)
                .folder(kept())
                .seed(seed)
                .cases(MAX_CASES)
                .seconds(SECONDS)
                .guided(guided)
                .build());
    System.out.println(target.getSimpleName() + ", seed " + seed + ": " + report);
    assertThat(report.failures()).as("seed %d", seed).isEmpty();
    assertThat(report.cases()).isPositive();
  }

  private static String name(Class<?> target) {
    return target.getName();
  }

  private static Path kept() {
    return Path.of("target", "fuzz");
  }

  private static List<Path> seeds() {
    assumeTrue(Corpus.isPresent(), "no corpus at " + Corpus.folder());
    return Corpus.files("", "").stream().filter(FuzzCampaign::isSeed).toList();
  }
}
