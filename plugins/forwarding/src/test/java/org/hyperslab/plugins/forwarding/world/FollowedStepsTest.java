package org.hyperslab.plugins.forwarding.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.StepReader;
import org.hyperslab.StepReader.Step;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FollowOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.world.WorldProcess;
import org.junit.jupiter.api.Test;

/**
 * Steps that are written and followed through a staging server arrive in order, none twice, none
 * torn, and as their policy says, whoever dies: a reader, the writer, the server, or nobody. What a
 * writer knows to be published is there afterwards.
 */
class FollowedStepsTest {

  private static final String NAME = "steps.h5";
  private static final int STEPS = 12;
  private static final OpenOptions FOLLOW = OpenOptions.READ.withSwmr(true);

  /** Longer than a world lasts; within it, the server waits and not the reader. */
  private static final Duration LONG = Duration.ofDays(1);

  private enum Victim {
    NOBODY,
    READER,
    WRITER,
    SERVER
  }

  /** What a reader has seen. */
  private static final class Seen {
    private final FollowOptions.Policy policy;
    private final List<Long> numbers = new ArrayList<>();
    private final CompletableFuture<Void> some = new CompletableFuture<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    private Seen(FollowOptions.Policy policy) {
      this.policy = policy;
    }
  }

  @Test
  void stepsArriveInOrderWhoeverDies() {
    for (long seed = 1; seed <= Effort.times(6, 200); seed++) {
      for (Victim victim : Victim.values()) {
        new FollowedHistory(seed, victim).run();
      }
    }
  }

  /** One world. */
  private static final class FollowedHistory {
    private final String name;
    private final StagedWorld staged;
    private final Random random;
    private final Victim victim;
    private final int deadly;
    private final CompletableFuture<Void> created = new CompletableFuture<>();
    private final CompletableFuture<Void> reached = new CompletableFuture<>();
    private final CompletableFuture<Void> written = new CompletableFuture<>();
    private final List<Seen> readers = new ArrayList<>();
    private volatile int published;

    private FollowedHistory(long seed, Victim victim) {
      this.name = "seed " + seed + ", " + victim + " dies";
      this.staged = new StagedWorld(seed);
      this.random = new Random(seed);
      this.victim = victim;
      this.deadly = random.nextInt(STEPS);
    }

    private void run() {
      staged.run(this::drive);
    }

    private void drive() {
      staged.start();
      WorldProcess writer = staged.process("writer");
      writer.start("program", () -> write(Hdf5.session(staged.connect(writer, "reconnect=1"))));
      created.join();
      List<WorldProcess> processes = new ArrayList<>();
      for (FollowOptions.Policy policy : FollowOptions.Policy.values()) {
        WorldProcess process = staged.process("reader" + policy);
        Seen seen = new Seen(policy);
        readers.add(seen);
        processes.add(process);
        process.start(
            "program", () -> follow(Hdf5.session(staged.connect(process, "reconnect=1")), seen));
      }
      int dead = random.nextInt(readers.size());
      switch (victim) {
        case NOBODY -> {}
        case READER -> {
          readers.get(dead).some.join();
          processes.get(dead).kill();
        }
        case WRITER -> {
          reached.join();
          writer.kill();
        }
        case SERVER -> {
          reached.join();
          staged.kill();
        }
      }
      if (victim != Victim.WRITER) {
        written.join();
      }
      for (int i = 0; i < readers.size(); i++) {
        if (victim != Victim.READER || i != dead) {
          readers.get(i).over.join();
        }
      }
      if (victim == Victim.SERVER) {
        staged.start();
      }
      judge();
      staged.stop();
    }

    private void write(Session session) {
      try (H5File file =
          session.create(NAME, CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withSwmr(true)))) {
        file.datasetBuilder("row")
            .type(Datatypes.I32LE)
            .shape(0, 50)
            .maxShape(Hdf5.UNLIMITED, 50)
            .options(DatasetOptions.chunked(2, 50).build())
            .create();
        file.datasetBuilder("value")
            .type(Datatypes.F64LE)
            .shape(0)
            .maxShape(Hdf5.UNLIMITED)
            .options(DatasetOptions.chunked(4).build())
            .create();
        file.startSteps();
        created.complete(null);
        Dataset rows = file.dataset("row");
        Dataset value = file.dataset("value");
        for (int step = 0; step < STEPS; step++) {
          int[] row = new int[50];
          Arrays.fill(row, step);
          if (step == deadly) {
            reached.complete(null);
          }
          double number = step;
          file.step(() -> {
            rows.append(row);
            value.append(number);
          });
          published = step + 1;
        }
      } catch (HyperslabException gone) {
        assertThat(victim).as(name + ": " + gone).isEqualTo(Victim.SERVER);
      } finally {
        written.complete(null);
      }
    }

    private void follow(Session session, Seen seen) {
      FollowOptions options =
          FollowOptions.builder()
              .policy(seen.policy)
              .window(
                  seen.policy == FollowOptions.Policy.BLOCK ? STEPS : 2) // the API's clock is real
              .poll(Duration.ofNanos(1))
              .timeout(LONG)
              .build();
      try (H5File file = session.open(NAME, FOLLOW);
          StepReader reader = file.follow(options)) {
        Optional<Step> step = reader.next(LONG);
        while (step.isPresent()) {
          check(step.get());
          seen.numbers.add(step.get().number());
          seen.some.complete(null);
          step = reader.next(LONG);
        }
      } catch (HyperslabException gone) {
        assertThat(victim).as(name + ": " + gone).isEqualTo(Victim.SERVER);
      } finally {
        seen.some.complete(null);
        seen.over.complete(null);
      }
    }

    private void check(Step step) {
      int number = (int) step.number();
      assertThat(step.slice("/row").readInts()).as(name).hasSize(50).containsOnly(number);
      assertThat(step.slice("/value").readDoubles()).as(name).containsExactly(number);
    }

    private void judge() {
      List<Long> all = new ArrayList<>();
      staged.inClient(
          "judge",
          "",
          session -> {
            try (H5File file = session.open(NAME, FOLLOW);
                StepReader reader = file.follow()) {
              for (var step = reader.next(Duration.ZERO);
                  step.isPresent();
                  step = reader.next(Duration.ZERO)) {
                check(step.get());
                all.add(step.get().number());
              }
            }
          });
      for (int i = 0; i < all.size(); i++) {
        assertThat(all.get(i)).as(name).isEqualTo(i);
      }
      assertThat(all.size()).as(name).isBetween(published, STEPS);
      for (Seen seen : readers) {
        assertThat(seen.numbers).as(name).isSorted().doesNotHaveDuplicates();
        assertThat(all).as(name).containsAll(seen.numbers);
        if (seen.policy != FollowOptions.Policy.KEEP_LAST && !seen.numbers.isEmpty()) {
          assertThat(seen.numbers).as(name).isEqualTo(all.subList(0, seen.numbers.size()));
        }
        if (victim == Victim.NOBODY && seen.policy != FollowOptions.Policy.KEEP_LAST) {
          assertThat(seen.numbers).as(name).hasSize(STEPS);
        }
      }
    }
  }
}
