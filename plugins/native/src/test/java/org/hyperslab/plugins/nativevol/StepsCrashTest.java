package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.StepReader;
import org.hyperslab.StepReader.Step;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.StepOptions;
import org.hyperslab.testkit.store.CrashImages;
import org.hyperslab.testkit.store.FaultStore;
import org.hyperslab.testkit.store.WriteLog;
import org.junit.jupiter.api.Test;

/**
 * Tests that a writer of steps may die at any change of the store: what is there has the steps of a
 * publication, whole, for readers that follow and for the writer that goes on.
 */
final class StepsCrashTest {

  private static final int STEPS = 25;
  private static final OpenOptions FOLLOW = OpenOptions.READ.withSwmr(true);

  /** The number of published steps, and the number of changes before that was known. */
  private record Published(int steps, int changes) {}

  @Test
  void everyStepIsThereAsAWholeOrNotAtAll() {
    requireWholeSteps(StepOptions.DEFAULT, 1);
  }

  @Test
  void stepsThatArePublishedTogetherComeTogether() {
    // Rows are passed on before their steps end, and several steps are published at once.
    requireWholeSteps(StepOptions.builder().bufferBytes(100).build(), 5);
  }

  private static void requireWholeSteps(StepOptions options, int together) {
    FaultStore store = new FaultStore(new MemoryStore("steps"));
    List<Published> published = new ArrayList<>();
    int begun;
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.create("steps", CreateOptions.DEFAULT.withAccess(StepsTest.WRITE))) {
      StepsTest.create(file, false);
      file.startSteps(
          together == 1 ? options : options.toBuilder().flushEvery(Duration.ofDays(1)).build());
      begun = store.log().entries().size();
      published.add(new Published(0, begun));
      for (int step = 0; step < STEPS; step++) {
        StepsTest.write(file, step, false);
        if ((step + 1) % together == 0) {
          file.flush();
          published.add(new Published(step + 1, store.log().entries().size()));
        }
      }
    }
    List<WriteLog.Entry> changes = store.log().entries();
    CrashImages images = new CrashImages(new byte[0], changes);
    assertThat(changes.size() - begun).isGreaterThan(2 * STEPS);
    for (int instant = begun; instant <= changes.size(); instant++) {
      images.advance(instant);
      byte[] image = images.killed();
      int seen = followed(image);
      int before = instant;
      int least =
          published.stream().filter(each -> each.changes <= before).toList().getLast().steps;
      assertThat(seen).as("steps after change %d", instant).isBetween(least, least + together);
      assertThat(published.stream().map(Published::steps).toList()).contains(seen);
      if (instant % 3 == 0) {
        assertThat(continued(image)).isEqualTo(seen);
      }
    }
  }

  /** Returns how many steps a follower sees, each of which it checks. */
  private static int followed(byte[] image) {
    try (Session session = Hdf5.session(ConnectorOver.store(MemoryStore.copyOf("cut", image)));
        H5File file = session.open("cut", FOLLOW)) {
      return steps(file);
    }
  }

  private static int steps(H5File file) {
    int count = 0;
    try (StepReader reader = file.follow()) {
      for (var step = next(reader); step != null; step = next(reader)) {
        assertThat(step.number()).isEqualTo(count++);
        StepsTest.check(step);
      }
    }
    return count;
  }

  private static Step next(StepReader reader) {
    return reader.next(Duration.ZERO).orElse(null);
  }

  /** Returns how many steps there are for a writer that goes on, which adds one. */
  private static int continued(byte[] image) {
    OpenOptions again = StepsTest.WRITE.withSwmr(false);
    OpenOptions cleared = again.withProperty("clearConsistencyFlags", "true");
    try (Session session = Hdf5.session(ConnectorOver.store(MemoryStore.copyOf("cut", image)));
        H5File file = session.open("cut", cleared)) {
      file.startSteps();
      int count = steps(file);
      assertThat(file.dataset("frames").shape()[0]).isEqualTo(count);
      assertThat(file.dataset("g/value4").shape()).containsExactly(count);
      StepsTest.write(file, count, false);
      assertThat(steps(file)).isEqualTo(count + 1);
      return count;
    }
  }
}
