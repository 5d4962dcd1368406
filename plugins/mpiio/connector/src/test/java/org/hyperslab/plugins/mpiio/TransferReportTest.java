package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.plugins.mpiio.report.NoCollectiveCause;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the reported reasons why a transfer was not collective, and what ranks may do
 * independently.
 */
final class TransferReportTest {

  private final TemporaryFolder folder = TemporaryFolder.create("report");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  /** The code that each rank runs with a new file. */
  @FunctionalInterface
  private interface FileBody {
    void run(Communicator comm, H5File file, MpiioConnector connector) throws Exception;
  }

  private void inNewFile(int ranks, FileBody body) {
    inNewFile(ranks, MpiioOptions.DEFAULT, body);
  }

  private void inNewFile(int ranks, MpiioOptions options, FileBody body) {
    String name = folder.file("report.h5").toString();
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

  private static TransferReport together(
      MpiioConnector connector, Dataset dataset, Selection mine, Object elements) {
    dataset.writeAsync(mine, elements, TransferOptions.COLLECTIVE).join();
    return connector.lastTransfer();
  }

  private static Selection one(Communicator comm) {
    return Selection.box(new long[] {comm.rank()}, new long[] {1});
  }

  @Test
  void reportsCollectiveTransfers() {
    inNewFile(
        3,
        (comm, file, connector) -> {
          Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(3));
          TransferReport report = together(connector, dataset, one(comm), new int[] {1});
          assertThat(report.collective()).isTrue();
          assertThat(report.local()).isEmpty();
          assertThat(report.elements()).isEqualTo(1);
          assertThat(report.text()).startsWith("collective");
        });
  }

  @Test
  void hintsApplyToNewFilesAndIgnoredHintsAreReported() {
    Hints hints = Hints.parse("file_perm=600 striping_unit=65536 access_style=read_mostly");
    inNewFile(
        2,
        MpiioOptions.DEFAULT.withHints(hints),
        (comm, file, connector) -> {
          Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(2));
          assertThat(together(connector, dataset, one(comm), new int[] {1}).text())
              .contains(
                  "; ignored hints: access_style=read_mostly, striping_unit for the file itself");
          assertThat(Files.getPosixFilePermissions(folder.file("report.h5")))
              .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        });
  }

  @Test
  void convertedTransfersAreCollective() {
    inNewFile(
        2,
        (comm, file, connector) -> {
          Dataset dataset = file.createDataset("d", Datatypes.I32BE, Dataspace.simple(2));
          assertThat(together(connector, dataset, one(comm), new double[] {7}).collective())
              .isTrue();
        });
  }

  @Test
  void stringsPassThroughRankZero() {
    inNewFile(
        2,
        (comm, file, connector) -> {
          Dataset dataset = file.createDataset("d", Datatypes.vlenString(), Dataspace.simple(2));
          TransferReport report =
              together(connector, dataset, one(comm), new String[] {"rank " + comm.rank()});
          assertThat(report.collective()).isFalse();
          assertThat(report.global()).containsExactly(NoCollectiveCause.OUT_OF_LINE_ELEMENTS);
        });
    try (Session session = Hdf5.session("native");
        H5File file = session.open(folder.file("report.h5"), OpenOptions.READ)) {
      assertThat(file.dataset("d").readStrings()).containsExactly("rank 0", "rank 1");
    }
  }

  @Test
  void reportNamesTheRankWithAPointSelection() {
    inNewFile(
        2,
        (comm, file, connector) -> {
          Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(4));
          Selection mine =
              comm.rank() == 0
                  ? Selection.points(1, 3, 0)
                  : Selection.box(new long[] {1}, new long[] {2});
          TransferReport report = together(connector, dataset, mine, new int[] {1, 2});
          assertThat(report.global()).containsExactly(NoCollectiveCause.POINTS);
          assertThat(report.local().isEmpty()).isEqualTo(comm.rank() == 1);
          int[] all = new int[4];
          dataset.readIntoAsync(Selection.all(), all, TransferOptions.COLLECTIVE).join();
          assertThat(all).containsExactly(2, 1, 2, 1);
        });
  }

  @Test
  void independentTransfersAreReported() {
    inNewFile(
        3,
        (comm, file, connector) -> {
          Dataset dataset =
              file.datasetBuilder("d")
                  .type(Datatypes.I32LE)
                  .shape(30)
                  .options(DatasetOptions.chunked(4).build())
                  .create();
          if (comm.rank() != 1) {
            for (int i = 0; i < 10; i++) {
              Selection at = Selection.box(new long[] {10L * comm.rank() + i}, new long[] {1});
              dataset.write(at, new int[] {comm.rank() + 1});
            }
            assertThat(connector.lastTransfer().local())
                .containsExactly(NoCollectiveCause.INDEPENDENT_CALL);
          }
          file.flush();
          int[] mine = new int[10];
          int from = (comm.rank() + 1) % 3 * 10;
          dataset.readInto(Selection.box(new long[] {from}, new long[] {10}), mine);
          assertThat(mine).containsOnly(from == 10 ? 0 : from / 10 + 1);
        });
  }

  @Test
  void unwritableIndependentTransfersReportTheCause() {
    inNewFile(
        2,
        (comm, file, connector) -> {
          Dataset filtered =
              file.datasetBuilder("f")
                  .type(Datatypes.I32LE)
                  .shape(8)
                  .options(DatasetOptions.chunked(4).deflate(1).build())
                  .create();
          assertThat(catchThrowable(() -> filtered.write(new int[8])))
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("filtered");
          Dataset compact =
              file.datasetBuilder("c")
                  .type(Datatypes.I32LE)
                  .shape(2)
                  .options(DatasetOptions.builder().layout(new Layout.Compact()).build())
                  .create();
          assertThat(catchThrowable(() -> compact.write(new int[2])))
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("object header");
          assertThat(compact.readInts()).containsExactly(0, 0);
        });
  }

  @Test
  void stringsOfUneditedFilesAreReadByEachRank() {
    String name = folder.file("strings.h5").toString();
    try (Session session = Hdf5.session("native");
        H5File file = session.create(name, CreateOptions.DEFAULT)) {
      file.createDataset("s", new String[] {"one", "three", "fourteen"});
    }
    ThreadWorld.run(
        2,
        comm -> {
          try (MpiioConnector connector = MpiioConnector.over(comm, MpiioOptions.DEFAULT);
              Session session = Hdf5.session(connector);
              H5File file = session.open(name, OpenOptions.READ)) {
            Dataset strings = file.dataset("s");
            if (comm.rank() == 1) {
              assertThat(strings.readStrings()).containsExactly("one", "three", "fourteen");
            }
          }
        });
  }

  @Test
  void reportsAWorldOfOneRank() {
    inNewFile(
        1,
        (comm, file, connector) -> {
          Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(1));
          assertThat(together(connector, dataset, Selection.all(), new int[1]).global())
              .containsExactly(NoCollectiveCause.ONE_RANK);
        });
  }
}
