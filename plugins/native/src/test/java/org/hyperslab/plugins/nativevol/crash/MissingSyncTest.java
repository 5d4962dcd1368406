package org.hyperslab.plugins.nativevol.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.nativevol.ConnectorOver;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.store.FaultStore;
import org.junit.jupiter.api.Test;

/**
 * Tests that the crash tests would detect a missing sync: each place that syncs is omitted in turn,
 * and some cut must then violate the guarantee.
 */
final class MissingSyncTest {

  private static final CreateOptions OPTIONS = CreateOptions.DEFAULT.withAccess(CutJudge.EDIT);
  private static final Recording.Amount AMOUNT = new Recording.Amount(2, 5, 6);
  private static final int PLACES_OF_FLUSH = 7;
  private static final int PLACES_OF_RECOVERY = 2;
  private static final int MAX_TRIES = 30;

  private final long seed = Seeds.draw();

  @Test
  void everySyncOfAFlushIsNeeded() {
    Set<String> places = SyncDropper.places();
    for (int i = 0; i < 10; i++) {
      record(seed + i, store -> new SyncDropper(store, "", places));
    }
    assertThat(places).as("places that sync").hasSize(PLACES_OF_FLUSH);
    for (String place : places) {
      Optional<String> found =
          tries()
              .map(trial ->
                  firstProblem(
                      record(trial, store -> new SyncDropper(store, place, SyncDropper.places())),
                      trial))
              .flatMap(Optional::stream)
              .findFirst();
      assertThat(found).as("without the sync at %s, seed %d", place, seed).isPresent();
      System.out.println("without the sync at " + place + ": " + found.get());
    }
  }

  @Test
  void everySyncOfARecoveryIsNeeded() {
    List<Interrupted> all = new ArrayList<>();
    tries().limit(Effort.times(2, 4)).forEach(trial -> all.addAll(interrupted(trial)));
    Set<String> places = SyncDropper.places();
    for (Interrupted one : all) {
      assertThat(one.firstProblem(store -> new SyncDropper(store, "", places))).isEmpty();
    }
    assertThat(places).as("places that sync").hasSize(PLACES_OF_RECOVERY);
    for (String place : places) {
      Optional<String> found =
          all.stream()
              .map(one ->
                  one.firstProblem(store -> new SyncDropper(store, place, SyncDropper.places())))
              .flatMap(Optional::stream)
              .findFirst();
      assertThat(found).as("without the sync at %s, seed %d", place, seed).isPresent();
      System.out.println("without the sync at " + place + ": " + found.get());
    }
  }

  private Stream<Long> tries() {
    return Stream.iterate(seed, trial -> trial + 1).limit(MAX_TRIES);
  }

  private static Recording record(long trial, UnaryOperator<ByteStore> decorator) {
    return Recording.ofNewFile(new Random(trial), OPTIONS, AMOUNT, decorator);
  }

  /** Ends the search. */
  private static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Found(String problem) {
      super(problem);
    }
  }

  private static Optional<String> firstProblem(Recording recording, long trial) {
    CutJudge judge = new CutJudge(recording);
    Cuts cuts =
        new Cuts(
            recording,
            new Random(trial),
            (image, instant, completed) -> {
              String problem = judge.problem(image, completed);
              if (problem != null) {
                throw new Found(problem);
              }
            });
    try {
      cuts.run();
      return Optional.empty();
    } catch (Found found) {
      return Optional.of(found.getMessage());
    }
  }

  /** A cut whose file must be recovered: a recovery that is cut itself must do no harm. */
  private record Interrupted(Recording recording, byte[] image, int completed) {

    Optional<String> firstProblem(UnaryOperator<ByteStore> decorator) {
      FaultStore store = new FaultStore(MemoryStore.copyOf("recovering", image));
      try (Session session = Hdf5.session(ConnectorOver.store(decorator.apply(store)))) {
        H5File file = session.open("cut", CutJudge.EDIT);
        file.close();
      }
      Recording recovery =
          Recording.of(
              image,
              store.log().entries(),
              recording.flushed().get(completed),
              recording.flushed().get(completed + 1));
      return MissingSyncTest.firstProblem(recovery, completed);
    }
  }

  /** Cuts of a workload that leave a journal to be applied. */
  private static List<Interrupted> interrupted(long trial) {
    Recording recording = record(trial, UnaryOperator.identity());
    List<Interrupted> found = new ArrayList<>();
    Cuts cuts =
        new Cuts(
            recording,
            new Random(trial),
            (image, instant, completed) -> {
              boolean marked =
                  image.length > 3 && image[1] == 'H' && image[2] == 'S' && image[3] == 'J';
              if (marked && completed >= 0 && found.size() < 60) {
                found.add(new Interrupted(recording, image, completed));
              }
            });
    cuts.run();
    return found;
  }
}
