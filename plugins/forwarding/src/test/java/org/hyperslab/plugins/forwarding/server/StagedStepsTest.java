package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.StepReader;
import org.hyperslab.StepReader.Step;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FollowOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.StepOptions;
import org.hyperslab.model.StepPage;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests steps that are written and followed through one staging server. */
@Timeout(300)
final class StagedStepsTest {

  private static final CreateOptions FRESH =
      CreateOptions.DEFAULT.withAccess(
          OpenOptions.EDIT.withSwmr(true).withDurability(Durability.PROCESS));
  private static final OpenOptions FOLLOW = OpenOptions.READ.withSwmr(true);
  private static final String NAME = "steps.h5";
  private static final int STEPS = 60;
  private static final int ROW = 2000;
  private static final Duration LONG = Duration.ofMinutes(2);

  private final TemporaryFolder folder = TemporaryFolder.create("steps");
  private StageServer server;

  @BeforeEach
  void start() {
    server =
        StageServer.start(
            ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path().resolve("root")));
  }

  @AfterEach
  void stop() {
    server.close();
    folder.close();
  }

  private Session session(String more) {
    return Hdf5.session("forwarding servers=" + server.address() + more);
  }

  private static H5File create(Session session) {
    H5File file = session.create(NAME, FRESH);
    file.datasetBuilder("rows")
        .type(Datatypes.I32LE)
        .shape(0, ROW)
        .maxShape(Hdf5.UNLIMITED, ROW)
        .options(DatasetOptions.chunked(4, ROW).build())
        .create();
    file.datasetBuilder("value")
        .type(Datatypes.F64LE)
        .shape(0)
        .maxShape(Hdf5.UNLIMITED)
        .options(DatasetOptions.chunked(64).build())
        .create();
    return file;
  }

  private static void write(H5File file, int step) {
    int[][] rows = new int[1 + step % 2][ROW];
    for (int[] row : rows) {
      Arrays.fill(row, step);
    }
    try (Dataset all = file.dataset("rows");
        Dataset value = file.dataset("value")) {
      file.step(() -> {
        all.append(rows);
        value.append((double) step);
      });
    }
  }

  private static void check(Step step) {
    int number = (int) step.number();
    assertThat(step.slice("/rows").readInts()).hasSize((1 + number % 2) * ROW).containsOnly(number);
    assertThat(step.slice("/value").readDoubles()).containsExactly(number);
  }

  /** Takes all steps until the writer ends; returns their numbers. */
  private List<Long> follow(FollowOptions options) {
    List<Long> seen = new ArrayList<>();
    try (Session session = session("");
        H5File file = session.open(NAME, FOLLOW);
        StepReader reader = file.follow(options)) {
      for (Step step : reader) {
        check(step);
        seen.add(step.number());
      }
    }
    return seen;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " acknowledge=durable", " acknowledge=received"})
  void readersSeeEachStepOnce(String acknowledge) throws Exception {
    List<Future<List<Long>>> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      try (Session session = session(acknowledge);
          H5File file = create(session)) {
        file.startSteps();
        readers.add(threads.submit(() -> follow(FollowOptions.DEFAULT)));
        readers.add(threads.submit(() -> follow(FollowOptions.builder().block(3).build())));
        readers.add(threads.submit(() -> follow(FollowOptions.builder().keepLast(2).build())));
        for (int step = 0; step < STEPS; step++) {
          write(file, step);
        }
      }
      List<Long> every = readers.get(0).get();
      assertThat(every).hasSize(STEPS).isSorted().doesNotHaveDuplicates();
      assertThat(readers.get(1).get()).isEqualTo(every);
      assertThat(readers.get(2).get())
          .isSorted()
          .doesNotHaveDuplicates()
          .endsWith((long) STEPS - 1);
    }
  }

  @Test
  void aWriterWaitsForAReaderAndNotForOneThatIsGone() {
    StepOptions quick = StepOptions.builder().timeout(Duration.ofMillis(100)).build();
    try (Session writing = session("");
        H5File file = create(writing)) {
      file.startSteps(quick);
      Session reading = session("");
      H5File open = reading.open(NAME, FOLLOW);
      StepReader reader = open.follow(FollowOptions.builder().block(1).build());
      write(file, 0);
      assertThatThrownBy(() -> write(file, 1))
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("policy BLOCK");
      check(reader.next(LONG).orElseThrow());
      assertThat(reader.next(Duration.ZERO)).isEmpty(); // takes the step, so that one may follow
      file.flush();
      check(reader.next(LONG).orElseThrow());
      reading.close(); // as the end of its connection does
      for (int step = 2; step < 10; step++) {
        write(file, step);
      }
      try (StepReader all = file.follow()) {
        for (int step = 0; step < 10; step++) {
          check(all.next(Duration.ZERO).orElseThrow());
        }
      }
    }
  }

  @Test
  void theEndOfTheWriterIsTold() {
    try (Session reading = session("")) {
      Session writing = session("");
      H5File file = create(writing);
      file.startSteps();
      write(file, 0);
      try (H5File open = reading.open(NAME, FOLLOW);
          StepReader reader = open.follow()) {
        check(reader.next(LONG).orElseThrow());
        file.close();
        writing.close();
        assertThat(reader.next(LONG)).isEmpty();
        assertThat(reader.writer()).isEqualTo(StepPage.Writer.ENDED);
        assertThat(reader.iterator().hasNext()).isFalse();
      }
    }
  }

  @Test
  void theDeathOfTheWriterIsTold() {
    try (Session reading = session("")) {
      Session writing = session("");
      H5File file = create(writing);
      file.startSteps();
      write(file, 0);
      try (H5File open = reading.open(NAME, FOLLOW);
          StepReader reader = open.follow()) {
        check(reader.next(LONG).orElseThrow());
        writing.close(); // as the end of its connection does
        assertThat(reader.next(LONG)).isEmpty();
        assertThat(reader.writer()).isEqualTo(StepPage.Writer.LOST);
        assertThatThrownBy(() -> reader.iterator().hasNext())
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("has ended without closing the file");
      }
    }
  }

  @Test
  void publishedStepsAreNotChangedByOtherClients() {
    try (Session one = session("");
        Session two = session("");
        H5File file = create(one)) {
      file.startSteps();
      write(file, 0);
      try (H5File other = two.open(NAME, OpenOptions.EDIT.withSwmr(true));
          Dataset value = other.dataset("value")) {
        assertThatThrownBy(() -> value.write(new double[1]))
            .isInstanceOf(InvalidUseException.class)
            .hasMessageContaining("which a published step has");
        assertThatThrownBy(other::startSteps)
            .isInstanceOf(InvalidUseException.class)
            .hasMessageContaining("started before");
      }
    }
  }
}
