package org.hyperslab.plugins.forwarding.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BiConsumer;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Session;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.TransferOptions;
import org.junit.jupiter.api.Test;

/**
 * A replay of a journal after a power cut does not put older elements over those that a flush or a
 * close has made durable, though the records of these were not on storage.
 */
class FlushedIsLastTest {

  private static final String CLIENT = "acknowledge=received";
  private static final int SEEDS = 30;
  private static final TransferOptions DURABLE =
      TransferOptions.builder().property("acknowledge", "durable").build();

  @Test
  void afterAFlushOfTheFile() {
    lastIsThere((file, dataset) -> file.flush());
  }

  @Test
  void afterAFlushOfTheDataset() {
    lastIsThere((file, dataset) -> dataset.flush());
  }

  @Test
  void afterTheCloseOfOneOfTwoHandles() {
    lastIsThere((file, dataset) -> file.close());
  }

  private static void lastIsThere(BiConsumer<H5File, Dataset> flush) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      StagedWorld staged = new StagedWorld(seed);
      int[] read = new int[1];
      staged.run(() -> {
        staged.start();
        staged.inClient("writer", CLIENT, session -> written(session, flush));
        staged.powerCut();
        staged.start();
        staged.inClient(
            "reader",
            CLIENT,
            session -> {
              try (H5File file = session.open("a.h5")) {
                read[0] = file.dataset("x").readInts()[1];
              }
            });
        staged.stop();
      });
      assertThat(read[0]).as("seed " + seed).isEqualTo(3);
    }
  }

  /** Writes 2, which the journal has, then 3, which need not be in it. */
  private static void written(Session session, BiConsumer<H5File, Dataset> flush) {
    session.create("a.h5").close();
    H5File other = session.openForEdit("a.h5");
    H5File file = session.openForEdit("a.h5");
    Dataset dataset = file.createDataset("x", new int[] {1, 1, 1});
    Selection second = Selection.box(new long[] {1}, new long[] {1});
    dataset.write(second, new int[] {2}, DURABLE);
    dataset.write(second, new int[] {3});
    flush.accept(file, dataset);
    assertThat(other.dataset("x").readInts()).containsExactly(1, 3, 1);
  }
}
