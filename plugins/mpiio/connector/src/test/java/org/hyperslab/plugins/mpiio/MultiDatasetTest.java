package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.MultiRead;
import org.hyperslab.MultiWrite;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that ranks transfer several datasets in one access, or one by one where that is impossible.
 */
final class MultiDatasetTest {

  private static final int COLUMNS = 7;
  private static final Datatype[] TYPES = {Datatypes.F64LE, Datatypes.I16BE, Datatypes.F32LE};

  private final TemporaryFolder folder = TemporaryFolder.create("multi");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  /** The code that each rank runs with a file. */
  @FunctionalInterface
  private interface FileBody {
    void run(Communicator comm, H5File file, MpiioConnector connector);
  }

  private void inNewFile(int ranks, MpiioOptions options, FileBody body) {
    String name = folder.file("multi.h5").toString();
    ThreadWorld.run(
        ranks,
        comm -> {
          try (MpiioConnector connector = MpiioConnector.over(comm, options);
              Session session = Hdf5.session(connector);
              H5File file = session.create(name, CreateOptions.DEFAULT)) {
            body.run(comm, file, connector);
          }
        });
  }

  private static MpiioOptions buffer(long bytes) {
    return MpiioOptions.DEFAULT.withHints(
        Hints.of(Map.of("cb_buffer_size", String.valueOf(bytes))));
  }

  private static Selection rows(Communicator comm, int rows) {
    return Selection.box(new long[] {(long) comm.rank() * rows, 0}, new long[] {rows, COLUMNS});
  }

  private static double[] values(Communicator comm, int dataset, int rows) {
    double[] values = new double[rows * COLUMNS];
    for (int i = 0; i < values.length; i++) {
      values[i] = (1000 * dataset + 100 * comm.rank() + i) % 30_000;
    }
    return values;
  }

  private void requireWritten(int datasets, int ranks, int rows) {
    String script =
        """
        import h5py, numpy as np
        f = h5py.File('%s', 'r')
        for d in range(%d):
            want = np.concatenate([(1000 * d + 100 * r + np.arange(%d)) %% 30000 for r in range(%d)])
            assert (f['d%%d' %% d][:].ravel() == want).all(), d
        print('same')
        """
            .formatted(folder.file("multi.h5"), datasets, rows * COLUMNS, ranks);
    assertThat(Oracle.h5py().run(script).orFail().output()).contains("same");
  }

  private static List<Dataset> create(H5File file, int ranks, int rows, int count) {
    List<Dataset> datasets = new ArrayList<>();
    for (int d = 0; d < count; d++) {
      Dataspace space = Dataspace.simple((long) ranks * rows, COLUMNS);
      DatasetOptions options =
          d % 2 == 0 ? DatasetOptions.DEFAULT : DatasetOptions.chunked(3, 4).build();
      datasets.add(
          file.datasetBuilder("d" + d)
              .type(TYPES[d % TYPES.length])
              .space(space)
              .options(options)
              .create());
    }
    return datasets;
  }

  private static void writeAndRead(
      Communicator comm, List<Dataset> datasets, H5File file, int rows) {
    MultiWrite write = file.multiWrite().options(TransferOptions.COLLECTIVE);
    MultiRead read = file.multiRead().options(TransferOptions.COLLECTIVE);
    List<double[]> targets = new ArrayList<>();
    for (int d = 0; d < datasets.size(); d++) {
      double[] target = new double[rows * COLUMNS];
      targets.add(target);
      write.write(datasets.get(d), rows(comm, rows), values(comm, d, rows));
      read.read(datasets.get(d), rows(comm, rows), target);
    }
    write.run();
    read.run();
    for (int d = 0; d < datasets.size(); d++) {
      assertThat(targets.get(d)).isEqualTo(values(comm, d, rows));
    }
  }

  @Test
  void partsOfAllDatasetsAreOneCollectiveAccess() {
    inNewFile(
        3,
        MpiioOptions.DEFAULT,
        (comm, file, connector) -> {
          writeAndRead(comm, create(file, 3, 4, 6), file, 4);
          TransferReport report = connector.lastTransfer();
          assertThat(report.collective()).isTrue();
          assertThat(report.global()).isEmpty();
          assertThat(report.elements()).isEqualTo(6 * 4 * COLUMNS);
          assertThat(report.explanation()).startsWith("6 datasets together");
          assertThat(connector.transfers()).hasSize(2).allMatch(line -> line.startsWith("1 ×"));
        });
    requireWritten(6, 3, 4);
  }

  @Test
  void transfersBeyondTheBufferUseWindows() {
    inNewFile(
        3,
        buffer(16 << 10),
        (comm, file, connector) -> {
          writeAndRead(comm, create(file, 3, 600, 6), file, 600);
          assertThat(connector.lastTransfer().explanation()).startsWith("6 datasets together");
          assertThat(connector.lastTransfer().stagedBytes()).isLessThanOrEqualTo(2 * (16 << 10));
        });
    requireWritten(6, 3, 600);
  }

  @Test
  void filteredDatasetsAreTransferredOneByOne() {
    inNewFile(
        2,
        MpiioOptions.DEFAULT,
        (comm, file, connector) -> {
          List<Dataset> datasets = create(file, 2, 3, 2);
          datasets.add(
              file.datasetBuilder("d2")
                  .type(Datatypes.F64LE)
                  .shape(6, COLUMNS)
                  .options(DatasetOptions.chunked(2, 5).deflate(1).build())
                  .create());
          writeAndRead(comm, datasets, file, 3);
        });
    requireWritten(3, 2, 3);
  }

  @Test
  void ranksMayHaveNoElements() {
    inNewFile(
        3,
        MpiioOptions.DEFAULT,
        (comm, file, connector) -> {
          List<Dataset> datasets = create(file, 3, 1, 3);
          MultiWrite write = file.multiWrite().options(TransferOptions.COLLECTIVE);
          for (int d = 0; d < 3; d++) {
            boolean mine = comm.rank() == d;
            write.write(
                datasets.get(d),
                mine ? Selection.all() : Selection.none(),
                new short[mine ? 3 * COLUMNS : 0]);
          }
          write.run();
          assertThat(connector.lastTransfer().elements()).isEqualTo(3 * COLUMNS);
        });
  }

  @Test
  void invalidPartOfOneRankIsRejectedOnAllBeforeWriting() {
    inNewFile(
        3,
        MpiioOptions.DEFAULT,
        (comm, file, connector) -> {
          List<Dataset> datasets = create(file, 3, 1, 3);
          boolean wrong = comm.rank() == 1;
          Selection second =
              wrong ? Selection.box(new long[] {9, 0}, new long[] {1, COLUMNS}) : rows(comm, 1);
          MultiWrite write =
              file.multiWrite()
                  .options(TransferOptions.COLLECTIVE)
                  .write(datasets.get(0), rows(comm, 1), values(comm, 0, 1))
                  .write(datasets.get(1), second, values(comm, 1, 1));
          assertThat(catchThrowable(write::run))
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("part 2 of 2")
              .hasMessageContaining("dataset /d1");
          assertThat(datasets.get(0).readDoubles()).containsOnly(0);
          write =
              file.multiWrite()
                  .options(TransferOptions.COLLECTIVE)
                  .write(datasets.get(2), rows(comm, 1), values(comm, 2, 1));
          write.run(); // the ranks are still in step
        });
  }

  @Test
  void differentDatasetsAreReported() {
    inNewFile(
        2,
        MpiioOptions.DEFAULT,
        (comm, file, connector) -> {
          List<Dataset> datasets = create(file, 2, 2, 3);
          MultiWrite write =
              file.multiWrite()
                  .options(TransferOptions.COLLECTIVE)
                  .write(datasets.get(0), rows(comm, 1), values(comm, 0, 1))
                  .write(datasets.get(1 + comm.rank()), rows(comm, 1), values(comm, 1, 1));
          assertThat(catchThrowable(write::run))
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("(d1)")
              .hasMessageContaining("(d2)");
        });
  }

  @Test
  void independentPartsNeedNoOtherRank() {
    inNewFile(
        2,
        MpiioOptions.DEFAULT,
        (comm, file, connector) -> {
          List<Dataset> datasets = create(file, 2, 2, 2);
          if (comm.rank() == 1) {
            file.multiWrite()
                .write(datasets.get(0), rows(comm, 2), values(comm, 0, 2))
                .write(datasets.get(1), rows(comm, 2), values(comm, 1, 2))
                .run();
            double[] back = new double[2 * COLUMNS];
            file.multiRead().read(datasets.get(1), rows(comm, 2), back).run();
            assertThat(back).isEqualTo(values(comm, 1, 2));
            assertThat(connector.lastTransfer().collective()).isFalse();
          }
        });
  }

  @Test
  void randomPartsEqualSequentialTransfers() {
    Seeds.runFixed(
        8,
        random -> {
          long seed = random.nextLong();
          int ranks = 2 + random.nextInt(3);
          int rows = 1 + random.nextInt(4);
          int count = 1 + random.nextInt(5);
          inNewFile(
              ranks,
              buffer(64 + random.nextInt(2000)),
              (comm, file, connector) -> {
                List<Dataset> together = create(file, ranks, rows, count);
                Random mine = new Random(seed + comm.rank());
                MultiWrite write = file.multiWrite().options(TransferOptions.COLLECTIVE);
                for (int d = 0; d < count; d++) {
                  Dataset copy =
                      file.createDataset(
                          "copy" + d, TYPES[d % 3], Dataspace.simple((long) ranks * rows, COLUMNS));
                  long from = mine.nextInt(COLUMNS);
                  long columns = 1 + mine.nextLong(COLUMNS - from);
                  Selection part =
                      Selection.box(
                          new long[] {(long) comm.rank() * rows, from}, new long[] {rows, columns});
                  int[] values = mine.ints(rows * columns, -999, 999).toArray();
                  write.write(together.get(d), part, values);
                  copy.write(part, values, TransferOptions.COLLECTIVE);
                }
                write.run();
              });
          try (Session session = Hdf5.session("native");
              H5File file = session.open(folder.file("multi.h5"), OpenOptions.READ)) {
            for (int d = 0; d < count; d++) {
              assertThat(file.dataset("d" + d).readDoubles())
                  .as("d%d of %d, %d ranks, %d rows", d, count, ranks, rows)
                  .isEqualTo(file.dataset("copy" + d).readDoubles());
            }
          }
        });
  }
}
