package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.Test;

/** Tests many threads on one connector, and on one file. */
abstract class ConcurrencyContract extends ContractBase {

  private static final int THREADS = 4;

  ConcurrencyContract() {}

  /** The work of one of the threads. */
  @FunctionalInterface
  private interface Work {
    void run(int thread) throws Exception;
  }

  /** Runs the work in all threads, which start together, and fails if one of them fails. */
  private static void together(Work work) {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Void>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        Callable<Void> task =
            () -> {
              start.await();
              work.run(thread);
              return null;
            };
        results.add(threads.submit(task));
      }
      for (Future<Void> result : results) {
        result.get();
      }
    } catch (Exception e) {
      throw new AssertionError("a thread failed: " + e.getCause(), e);
    }
  }

  @Test
  void threadsCreateInOneGroup() {
    together(thread -> {
      for (int i = 0; i < 25; i++) {
        file().createGroup("t" + thread + "-" + i).close();
      }
    });
    inBothLives(file -> assertThat(file.root().size()).isEqualTo(THREADS * 25));
  }

  @Test
  void oneOfManyCreatorsWins() {
    int[] won = new int[THREADS];
    together(thread -> {
      for (int i = 0; i < 20; i++) {
        try {
          file().createGroup("contested" + i).close();
          won[thread]++;
        } catch (AlreadyExistsException e) {
          assertThat(e.getMessage()).contains("contested" + i);
        }
      }
    });
    assertThat(IntStream.of(won).sum()).isEqualTo(20);
    assertThat(file().root().size()).isEqualTo(20);
  }

  @Test
  void threadsReadOneDataset() {
    int[] values = IntStream.range(0, 40 * 50).toArray();
    file()
        .datasetBuilder("d")
        .type(Datatypes.I32LE)
        .shape(40, 50)
        .options(DatasetOptions.chunked(7, 9).deflate(2).build())
        .create()
        .write(values);
    H5File file = reopen();
    Dataset shared = file.dataset("d");
    together(thread -> {
      for (int row = 0; row < 40; row++) {
        int at = (row + thread * 11) % 40;
        assertThat(shared.slice(at + ", :").readInts())
            .isEqualTo(IntStream.range(at * 50, at * 50 + 50).toArray());
      }
      try (Dataset own = file.dataset("d")) {
        assertThat(own.readInts()).isEqualTo(values);
      }
    });
  }

  @Test
  void threadsWritePartsOfOneDataset() {
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .type(Datatypes.I32LE)
            .shape(THREADS * 10, 30)
            .options(DatasetOptions.chunked(7, 8).deflate(1).build())
            .create();
    together(thread -> {
      for (int row = thread * 10; row < thread * 10 + 10; row++) {
        int[] values = new int[30];
        Arrays.fill(values, row);
        dataset.write(Selection.box(new long[] {row, 0}, new long[] {1, 30}), values);
      }
    });
    inBothLives(file -> {
      int[][] rows = file.dataset("d").read(int[][].class);
      for (int i = 0; i < rows.length; i++) {
        assertThat(rows[i]).containsOnly(i);
      }
    });
  }

  @Test
  void threadsEditTheirOwnFiles() {
    together(thread -> {
      String name = otherName("own" + thread + ".h5");
      try (H5File own = session().create(name, createOptions())) {
        for (int i = 0; i < 10; i++) {
          own.createDataset("d" + i, new int[] {thread, i});
        }
      }
      try (H5File own = session().open(name, OpenOptions.READ)) {
        assertThat(own.root().size()).isEqualTo(10);
        assertThat(own.dataset("d9").readInts()).containsExactly(thread, 9);
      }
    });
  }

  @Test
  void threadsSetAttributesOfOneObject() {
    Group group = file().createGroup("g");
    together(thread -> {
      for (int i = 0; i < 15; i++) {
        group.setAttribute("a" + thread + "-" + i, thread * 100 + i);
      }
    });
    inBothLives(file -> {
      assertThat(file.group("g").attributeCount()).isEqualTo(THREADS * 15);
      assertThat(file.group("g").attribute("a3-14").readInt()).isEqualTo(314);
    });
  }

  @Test
  void threadsReadAndWriteDifferentDatasets() {
    int[] values = IntStream.range(0, 1000).toArray();
    for (int i = 0; i < THREADS; i++) {
      file().createDataset("d" + i, values);
    }
    together(thread -> {
      for (int i = 0; i < 10; i++) {
        if (thread % 2 == 0) {
          file().dataset("d" + thread).write(values);
          file().createDataset("new" + thread + "-" + i, i);
        } else {
          assertThat(file().dataset("d" + thread).readInts()).containsExactly(values);
          assertThat(file().root().names()).contains("d0");
        }
      }
    });
    inBothLives(file -> assertThat(file.root().size()).isEqualTo(THREADS + 20));
  }

  @Test
  void listingsWhileOthersCreateNeverFail() {
    together(thread -> {
      for (int i = 0; i < 20; i++) {
        if (thread == 0) {
          assertThat(file().root().links().map(link -> link.name()).distinct().count())
              .isLessThanOrEqualTo(THREADS * 20);
        } else {
          file().createGroup("t" + thread + "-" + i).close();
        }
      }
    });
    assertThat(file().root().size()).isEqualTo((THREADS - 1) * 20);
  }
}
