package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests collective reads of filtered chunks that h5py wrote: every rank gets its elements, and the
 * job reads each chunk once.
 */
final class FilteredReadTest {

  private static final int RANKS = 4;
  private static final int ROWS = 45;
  private static final int COLUMNS = 37;

  private final TemporaryFolder folder = TemporaryFolder.create("filtered-read");

  /** The number of reads of each offset of the file, by all ranks. */
  private final ConcurrentHashMap<Long, AtomicInteger> reads = new ConcurrentHashMap<>();

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  /** Counts reads by their place. */
  private final class Counting extends StoreDecorator {
    Counting(ByteStore store) {
      super(store);
    }

    @Override
    public void read(long offset, MemorySegment target) {
      reads.computeIfAbsent(offset, place -> new AtomicInteger()).incrementAndGet();
      super.read(offset, target);
    }
  }

  /** Element (row, column) is 1000 · row + column; of rows from 30 on only some are written. */
  private Path written(String dataset) {
    Path file = folder.file("judged.h5");
    Oracle.h5py()
        .run(
            "import h5py, numpy as np, sys\n"
                + "a = np.add.outer(1000 * np.arange(45), np.arange(37)).astype('<i4')\n"
                + "with h5py.File(sys.argv[1], 'w', libver=sys.argv[2]) as f:\n"
                + "  d = f.create_dataset('d', a.shape, '<i4', fillvalue=-7, **eval(sys.argv[3]))\n"
                + "  d[:30] = a[:30]\n"
                + "  d[30:, :5] = a[30:, :5]\n",
            file.toString(),
            dataset.startsWith("old ") ? "earliest" : "latest",
            "dict(" + dataset.substring(4) + ")")
        .orFail();
    return file;
  }

  private static int expected(int row, int column, boolean whole) {
    return whole || row < 30 || column < 5 ? 1000 * row + column : -7;
  }

  private interface Body {
    void run(Communicator comm, Dataset dataset, MpiioConnector connector) throws Exception;
  }

  private void open(Path file, long bufferBytes, UnaryOperator<ByteStore> stores, Body body) {
    Hints hints = Hints.defaults().with("cb_buffer_size", Long.toString(bufferBytes));
    MpiioOptions options = MpiioOptions.DEFAULT.withHints(hints).withStores(stores);
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          try (MpiioConnector connector = MpiioConnector.over(comm, options);
              Session session = Hdf5.session(connector);
              H5File opened = session.open(file.toString(), OpenOptions.READ);
              Dataset dataset = opened.dataset("d")) {
            body.run(comm, dataset, connector);
          }
        });
  }

  /** Selects rows for the ranks in turn, so that several ranks read every chunk. */
  private static Selection rowsOf(Communicator comm) {
    long rows = Math.ceilDiv(ROWS - comm.rank(), RANKS);
    return Selection.hyperslab(
        new long[] {comm.rank(), 0},
        new long[] {RANKS, 1},
        new long[] {rows, COLUMNS},
        new long[] {1, 1});
  }

  private static void readRows(Communicator comm, Dataset dataset) {
    int rows = Math.ceilDiv(ROWS - comm.rank(), RANKS);
    long[] elements = new long[rows * COLUMNS]; // so that they are converted, too
    dataset.readIntoAsync(rowsOf(comm), elements, TransferOptions.COLLECTIVE).join();
    for (int i = 0; i < elements.length; i++) {
      int row = comm.rank() + i / COLUMNS * RANKS;
      assertThat(elements[i])
          .as("row %s, column %s", row, i % COLUMNS)
          .isEqualTo(expected(row, i % COLUMNS, false));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "old chunks=(8,10), compression='gzip'",
        "new chunks=(8,10), compression='gzip'",
        "new chunks=(8,10), compression='gzip', maxshape=(None,37), shuffle=True",
        "new chunks=(8,10), compression='lzf', maxshape=(None,None), fletcher32=True",
        "new chunks=(45,37), compression='gzip'",
        "old chunks=(7,37), scaleoffset=0",
        "new chunks=(6,5), compression='gzip'"
      })
  void eachChunkOfEveryIndexIsReadOnceForAllRanks(String dataset) {
    Path file = written(dataset);
    for (long bufferBytes : new long[] {1, 5000, 16 << 20}) {
      reads.clear();
      open(
          file,
          bufferBytes,
          Counting::new,
          (comm, opened, connector) -> {
            readRows(comm, opened);
            TransferReport report = connector.lastTransfer();
            assertThat(report.collective()).isTrue();
            assertThat(report.explanation()).contains("filtered chunks with a reader each");
          });
      assertThat(reads).isNotEmpty();
      assertThat(reads.values()).allSatisfy(times -> assertThat(times).hasValue(1));
    }
  }

  @Test
  void chunksOfOneRankAreNotSent() {
    Path file = written("new chunks=(12,37), compression='gzip'");
    open(
        file,
        16 << 20,
        Counting::new,
        (comm, dataset, connector) -> {
          int rows = comm.rank() < 3 ? 12 : 9;
          Selection mine =
              Selection.box(new long[] {12L * comm.rank(), 0}, new long[] {rows, COLUMNS});
          int[] elements = new int[rows * COLUMNS];
          dataset.readIntoAsync(mine, elements, TransferOptions.COLLECTIVE).join();
          assertThat(elements[COLUMNS + 3]).isEqualTo(1000 * (12 * comm.rank() + 1) + 3);
          assertThat(connector.lastTransfer().stagedBytes()).isZero();
        });
    assertThat(reads.values()).allSatisfy(times -> assertThat(times).hasValue(1));
  }

  @Test
  void decodedChunksAreCached() {
    Path file = written("new chunks=(45,37), compression='gzip'");
    open(
        file,
        16 << 20,
        Counting::new,
        (comm, dataset, connector) -> {
          for (int time = 0; time < 5; time++) {
            readRows(comm, dataset);
          }
        });
    assertThat(reads.values()).allSatisfy(times -> assertThat(times).hasValue(1));
  }

  @Test
  void ranksWithEmptyOrPointSelectionsParticipate() {
    Path file = written("new chunks=(8,10), compression='gzip'");
    open(
        file,
        1000,
        UnaryOperator.identity(),
        (comm, dataset, connector) -> {
          Selection wanted =
              switch (comm.rank()) {
                case 0 -> Selection.none();
                case 1 -> Selection.points(2, 3, 4, 0, 0, 29, 36);
                case 2 -> Selection.all();
                default -> Selection.box(new long[] {0, 0}, new long[] {1, 1});
              };
          int[] elements = new int[new int[] {0, 3, ROWS * COLUMNS, 1}[comm.rank()]];
          dataset.readIntoAsync(wanted, elements, TransferOptions.COLLECTIVE).join();
          if (comm.rank() == 1) {
            assertThat(elements).containsExactly(3004, 0, 29036);
          } else if (comm.rank() == 2) {
            assertThat(elements[44 * COLUMNS + 36]).isEqualTo(-7);
            assertThat(elements[29 * COLUMNS + 36]).isEqualTo(29036);
          }
        });
  }

  @Test
  void unreadableChunkFailsOnAllRanks() {
    Path file = written("new chunks=(8,10), compression='gzip'");
    open(
        file,
        16 << 20,
        store ->
            new StoreDecorator(store) {
              private boolean broken = true;

              @Override
              public void read(long offset, MemorySegment target) {
                if (broken) {
                  broken = false;
                  throw new StorageException("read failed: actual=broken, at=" + offset);
                }
                super.read(offset, target);
              }
            },
        (comm, dataset, connector) -> {
          Throwable failure = catchThrowable(() -> readRows(comm, dataset));
          assertThat(failure instanceof CompletionException ? failure.getCause() : failure)
              .isInstanceOf(StorageException.class)
              .hasMessageContaining("read failed");
        });
  }
}
