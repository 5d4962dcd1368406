package org.hyperslab.plugins.nativevol.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a writer, or cuts the power, after every single change of its store. The remaining file
 * must open without help, in the state of the last completed flush or of the next one, and the HDF5
 * library must then read it. Before that, the library must refuse the file or read such a state.
 *
 * <p>The system property {@code hyperslab.crash.files} sets the number of new files of each
 * generation; the default of the full gate, 4, makes more than 100,000 cuts.
 */
final class FlushCrashTest {

  private static final int FILES = Integer.getInteger("hyperslab.crash.files", Effort.times(1, 4));
  private static final Recording.Amount AMOUNT =
      new Recording.Amount(Effort.times(2, 3), Effort.times(4, 5), Effort.times(6, 8));
  private static final Recording.Amount AMOUNT_OF_EDITS =
      new Recording.Amount(2, Effort.times(1, 3), Effort.times(4, 6));
  private static final long MIN_CUTS = 100_000;
  private static final int SAMPLED = Effort.times(8, 20);

  private static final List<FormatVersion> GENERATIONS =
      List.of(FormatVersion.EARLIEST, FormatVersion.V18, FormatVersion.V110, FormatVersion.V200);

  private static final List<String> KINDS =
      List.of("earliest", "v108", "latest", "ordered", "userblock", "page", "fsm");

  private static final String WRITE =
      """
      import sys, os, h5py, numpy as np
      kinds = dict(earliest=dict(libver='earliest'), v108=dict(libver=('v108', 'v108')),
          latest=dict(libver='latest'), ordered=dict(libver='latest', track_order=True),
          userblock=dict(userblock_size=1024),
          page=dict(fs_strategy='page', fs_page_size=4096, fs_persist=True),
          fsm=dict(fs_strategy='fsm', fs_persist=True))
      for kind, options in kinds.items():
        with h5py.File(os.path.join(sys.argv[1], kind), 'w', **options) as f:
          for i in range(12): f.create_group('group%d' % i)
          f['doomed'] = np.arange(3000, dtype='<i4')
          f['kept'] = np.arange(100, dtype='<i4').reshape(20, 5)
          f['kept'].attrs['text'] = 'some text'
          f.create_dataset('chunked', data=np.arange(60, dtype='<i4').reshape(12, 5),
              chunks=(4, 2), maxshape=(None, 5))
          f.create_dataset('deflated', data=np.arange(60, dtype='<i4').reshape(12, 5),
              chunks=(5, 5), maxshape=(None, None), compression=1)
          f['texts'] = np.array(['one', '', 'three'], dtype=h5py.string_dtype())
          f['soft'] = h5py.SoftLink('/kept')
          for i in range(12): f['group1'].attrs['a%d' % i] = np.arange(i + 1, dtype='<i4')
          del f['group7']
          del f['doomed']
      """;

  @TempDir Path folder;
  private final long seed = Seeds.draw();

  /** The result of the cuts of one recording. */
  private record Outcome(
      long cuts, long opened, long read, List<String> problems, List<Sample> samples) {}

  /** An image that the HDF5 library is to read. */
  private record Sample(Recording recording, byte[] image, int instant, boolean newest) {
    String where() {
      return "after " + instant + " of " + recording.changes() + " changes";
    }

    String problem(State found) {
      return CutJudge.problem(found, recording, recording.completedAt(instant));
    }
  }

  @Test
  void everyCutOfANewFileLeavesTheLastFlushOrTheNext() {
    List<Outcome> outcomes =
        IntStream.range(0, FILES * GENERATIONS.size())
            .parallel()
            .mapToObj(i -> newFile(GENERATIONS.get(i % GENERATIONS.size()), seed + i))
            .toList();
    long cuts = judge("new files", outcomes);
    if (FILES >= 4) {
      assertThat(cuts).isGreaterThanOrEqualTo(MIN_CUTS);
    }
  }

  @Test
  void everyCutOfAnEditOfAFileOfTheLibraryLeavesTheLastFlushOrTheNext() throws IOException {
    Oracle.h5py().run(WRITE, folder.toString()).orFail();
    List<Recording> recordings = new ArrayList<>();
    for (String kind : KINDS) {
      byte[] before = Files.readAllBytes(folder.resolve(kind));
      recordings.add(
          Recording.ofEdits(
              before, new Random(seed), CutJudge.EDIT, AMOUNT_OF_EDITS, UnaryOperator.identity()));
    }
    judge(
        "edited files",
        recordings.stream().parallel().map(recording -> cut(recording, seed, false)).toList());
  }

  private Outcome newFile(FormatVersion low, long fileSeed) {
    CreateOptions options =
        CreateOptions.DEFAULT.withAccess(CutJudge.EDIT.withBounds(low, FormatVersion.V200));
    Random random = new Random(fileSeed);
    Recording recording = Recording.ofNewFile(random, options, AMOUNT, UnaryOperator.identity());
    return cut(recording, fileSeed, low == FormatVersion.V200);
  }

  private static Outcome cut(Recording recording, long fileSeed, boolean newest) {
    Random random = new Random(fileSeed);
    List<String> problems = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    CutJudge judge = new CutJudge(recording);
    Cuts cuts =
        new Cuts(
            recording,
            random,
            (image, instant, completed) -> {
              Sample sample = new Sample(recording, image, instant, newest);
              String problem = judge.problem(image, completed);
              if (problem != null) {
                problems.add(sample.where() + ", file's seed " + fileSeed + ": " + problem);
              } else if (completed >= 0) {
                keep(samples, sample, judge.opened(), random);
              }
            });
    cuts.run();
    return new Outcome(cuts.made(), judge.opened(), judge.read(), problems, samples);
  }

  /** Keeps a uniform random sample of the images. */
  private static void keep(List<Sample> samples, Sample sample, long seen, Random random) {
    if (samples.size() < SAMPLED) {
      samples.add(sample);
    } else if (random.nextLong(seen) < SAMPLED) {
      samples.set(random.nextInt(SAMPLED), sample);
    }
  }

  /**
   * Requires that there was no problem, has the HDF5 library read the samples, and returns the
   * number of cuts.
   */
  private long judge(String what, List<Outcome> outcomes) {
    assertThat(outcomes.stream().flatMap(outcome -> outcome.problems.stream()).limit(20))
        .as("seed %d", seed)
        .isEmpty();
    List<Sample> samples = outcomes.stream().flatMap(outcome -> outcome.samples.stream()).toList();
    int refused = seenByTheLibrary(samples.stream().filter(sample -> !sample.newest).toList());
    dumped(samples);
    long cuts = outcomes.stream().mapToLong(Outcome::cuts).sum();
    System.out.printf(
        "crash cuts of %s: %d, of which %d distinct were opened and %d read wholly; %d shown to"
            + " the HDF5 library, which refused %d before recovery; seed %d%n",
        what,
        cuts,
        outcomes.stream().mapToLong(Outcome::opened).sum(),
        outcomes.stream().mapToLong(Outcome::read).sum(),
        samples.size(),
        refused,
        seed);
    return cuts;
  }

  /** Has h5py read samples before and after recovery; returns how many it refused before. */
  private int seenByTheLibrary(List<Sample> samples) {
    var before =
        PythonReader.read(folder.resolve("before"), samples.stream().map(Sample::image).toList());
    int refused = 0;
    for (int i = 0; i < samples.size(); i++) {
      PythonReader.Seen seen = before.get(i);
      if (seen.notOpened()) {
        refused++;
      } else {
        assertSeen(samples.get(i), seen, "before recovery");
      }
    }
    var after = PythonReader.read(folder.resolve("after"), recovered(samples).toList());
    for (int i = 0; i < samples.size(); i++) {
      assertSeen(samples.get(i), after.get(i), "after recovery");
    }
    return refused;
  }

  private static Stream<byte[]> recovered(List<Sample> samples) {
    return samples.stream().map(sample -> CutJudge.recovered(sample.image));
  }

  private void assertSeen(Sample sample, PythonReader.Seen seen, String when) {
    String problem = seen.state().isEmpty() ? seen.refusal() : sample.problem(seen.state().get());
    assertThat(problem).as("h5py %s, %s, seed %d", when, sample.where(), seed).isNull();
  }

  private void dumped(List<Sample> samples) {
    Oracle.newest("h5dump")
        .ifPresent(h5dump -> {
          List<String> files = new ArrayList<>();
          for (byte[] image : recovered(samples).toList()) {
            Path path = folder.resolve("dumped" + files.size() + ".h5");
            files.add(path.toString());
            write(path, image);
          }
          h5dump.run(files.toArray(String[]::new)).orFail();
        });
  }

  private static void write(Path path, byte[] image) {
    try {
      Files.write(path, image);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
