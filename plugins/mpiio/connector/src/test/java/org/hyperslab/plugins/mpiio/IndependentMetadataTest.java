package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that one rank opens objects and reads metadata alone, with {@code metadata=independent}.
 */
final class IndependentMetadataTest {

  private static final MpiioOptions ALONE = MpiioOptions.DEFAULT.withIndependentMetadata(true);

  private final TemporaryFolder folder = TemporaryFolder.create("independent metadata");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  private String name() {
    return folder.file("independent.h5").toString();
  }

  /** The code that each rank runs with a file. */
  @FunctionalInterface
  private interface FileBody {
    void run(Communicator comm, H5File file) throws Exception;
  }

  private void inFile(int ranks, boolean isNew, FileBody body) {
    ThreadWorld.of(ranks)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          try (MpiioConnector connector = MpiioConnector.over(comm, ALONE);
              Session session = Hdf5.session(connector);
              H5File file =
                  isNew
                      ? session.create(name(), CreateOptions.DEFAULT)
                      : session.open(name(), OpenOptions.EDIT)) {
            body.run(comm, file);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void oneRankOpensReadsAndWritesWhileTheOthersDoNot(int alone) {
    inFile(
        4,
        true,
        (comm, file) -> {
          try (Dataset made = file.createDataset("e", Datatypes.I32LE, Dataspace.simple(10))) {
            made.setAttribute("unit", "m");
          }
          if (comm.rank() == alone) {
            assertThat(file.root().names()).containsExactly("e");
            try (Dataset found = file.dataset("e")) {
              assertThat(found.attribute("unit").readString()).isEqualTo("m");
              found.write(Selection.points(1, 0), new int[] {7});
            }
            assertThatThrownBy(() -> file.dataset("none")).isInstanceOf(NotFoundException.class);
          }
          comm.barrier();
          try (Dataset e = file.dataset("e")) {
            assertThat(e.readInts()).startsWith(7, 0);
          }
        });
    inFile(2, false, (comm, file) -> assertThat(file.dataset("e").readInts()).startsWith(7, 0));
  }

  @Test
  void ranksTransferTogetherWhatEachHasOpenedByItself() {
    inFile(
        3,
        true,
        (comm, file) -> {
          DatasetOptions chunked = DatasetOptions.chunked(4).deflate(5).build();
          file.datasetBuilder("d")
              .type(Datatypes.I32LE)
              .shape(12)
              .options(chunked)
              .create()
              .close();
          for (int i = 0; i < comm.rank(); i++) {
            file.dataset("d").close();
          }
          try (Dataset d = file.dataset("d")) {
            int first = 4 * comm.rank();
            d.write(
                Selection.box(new long[] {first}, new long[] {4}),
                new int[] {first, first + 1, first + 2, first + 3},
                TransferOptions.COLLECTIVE);
            assertThat(d.readInts()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
          }
        });
  }

  @Test
  void editsStayCollective() {
    inFile(
        2,
        true,
        (comm, file) -> {
          try (Group group = file.createGroup("g")) {
            String name = "by rank " + comm.rank();
            assertThatThrownBy(() -> group.createGroup(name))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("rank 0")
                .hasMessageContaining("rank 1");
          }
        });
  }

  @Test
  void oneRankReadsStrings() {
    inFile(
        3,
        true,
        (comm, file) -> {
          try (Dataset s = file.createDataset("s", Datatypes.vlenString(), Dataspace.simple(2))) {
            s.write(Selection.all(), new String[] {"one", "two"}, TransferOptions.COLLECTIVE);
          }
          if (comm.rank() == 2) {
            assertThat(file.dataset("s").readStrings()).containsExactly("one", "two");
          }
        });
  }

  @Test
  void anObjectThatOneRankHasOpenedKeepsItsPlace() {
    inFile(
        2,
        true,
        (comm, file) -> {
          file.createDataset("kept", new int[] {1, 2, 3}).close();
          Dataset mine = comm.rank() == 1 ? file.dataset("kept") : null;
          comm.barrier();
          file.delete("kept");
          file.createDataset("new", new int[] {4, 5, 6}).close();
          if (mine != null) {
            mine.write(new int[] {7, 8, 9});
            mine.close();
          }
          comm.barrier();
          assertThat(file.dataset("new").readInts()).containsExactly(4, 5, 6);
        });
  }

  @Test
  void atomicTransfersDoNotOverlap() {
    TransferOptions atomic = TransferOptions.DEFAULT.withProperty("atomic", "true");
    AtomicInteger different = new AtomicInteger();
    inFile(
        3,
        true,
        (comm, file) -> {
          file.createDataset("d", Datatypes.I32LE, Dataspace.simple(2000)).close();
          try (Dataset d = file.dataset("d")) {
            // Every second element, so that a write is many of the system's.
            Selection spread =
                Selection.hyperslab(
                    new long[] {0}, new long[] {2}, new long[] {1000}, new long[] {1});
            for (int i = 0; i < 50; i++) {
              int[] values = new int[1000];
              Arrays.fill(values, comm.rank() + 1);
              d.write(spread, values, atomic);
              int[] read = new int[1000];
              d.readInto(spread, read, atomic);
              if (Arrays.stream(read).distinct().count() != 1) {
                different.incrementAndGet();
              }
            }
          }
        });
    assertThat(different).hasValue(0);
  }
}
