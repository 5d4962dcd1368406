package org.hyperslab.plugins.mpiio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.RankBody;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that all ranks fail if they do not make the same calls, and none waits for ever. */
final class DisagreementTest {

  private final TemporaryFolder folder = TemporaryFolder.create("disagreement");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  private String name() {
    return folder.file("disagreement.h5").toString();
  }

  /** The code that each rank runs with a new file. */
  @FunctionalInterface
  private interface FileBody {
    void run(Communicator comm, H5File file) throws Exception;
  }

  private static void onRanks(int ranks, RankBody body) {
    ThreadWorld.of(ranks).withTimeLimit(Duration.ofMinutes(5)).run(body);
  }

  private void inNewFile(int ranks, FileBody body) {
    onRanks(
        ranks,
        comm -> {
          try (MpiioConnector connector = MpiioConnector.over(comm, MpiioOptions.DEFAULT);
              Session session = Hdf5.session(connector);
              H5File file = session.create(name(), CreateOptions.DEFAULT)) {
            body.run(comm, file);
          }
        });
  }

  private static InvalidUseException disagreement(Runnable call) {
    Throwable failure = catchThrowable(call::run);
    if (failure instanceof CompletionException) {
      failure = failure.getCause();
    }
    assertThat(failure).isInstanceOf(InvalidUseException.class);
    return (InvalidUseException) failure;
  }

  @Test
  void differentNamesAreNamedOnAllRanks() {
    inNewFile(
        4,
        (comm, file) -> {
          String path = comm.rank() == 2 ? "pressure" : "density";
          assertThat(disagreement(() -> file.createGroup(path)))
              .hasMessageContaining("ranks 0, 1, 3")
              .hasMessageContaining("density")
              .hasMessageContaining("rank 2")
              .hasMessageContaining("pressure");
        });
  }

  @Test
  void differentShapesAreNamedOnAllRanks() {
    inNewFile(
        3,
        (comm, file) ->
            assertThat(
                    disagreement(() ->
                        file.createDataset(
                            "d", Datatypes.F64LE, Dataspace.simple(10 + comm.rank() / 2))))
                .hasMessageContaining("ranks 0, 1")
                .hasMessageContaining("10")
                .hasMessageContaining("rank 2")
                .hasMessageContaining("11"));
  }

  @Test
  void differentAttributeValuesAreNamedOnAllRanks() {
    inNewFile(
        3,
        (comm, file) -> {
          int other = comm.rank() / 2;
          file.root().setAttribute("text", "as before");
          assertThat(disagreement(() -> file.root().setAttribute("text", "value " + other)))
              .hasMessageContaining("ranks 0, 1: set attribute \"text\"")
              .hasMessageContaining("rank 2");
          assertThat(file.root().attribute("text").readString()).isEqualTo("as before");
          disagreement(() -> file.root().attribute("text").write("texts " + other));
          disagreement(() -> file.root().createAttributeAsync("new", new int[] {other}).join());
          disagreement(() -> file.root().setAttributeAsync("text", 1 + other).join());
          assertThat(file.root().hasAttribute("new")).isFalse();
          assertThat(file.root().attribute("text").readString()).isEqualTo("as before");
        });
  }

  @Test
  void equalAttributeValuesInOtherMemoryAreTheSame() {
    inNewFile(
        2,
        (comm, file) -> {
          // More room, and other bytes behind the elements, on one of the ranks.
          int[] values = comm.rank() == 0 ? new int[] {1, 2} : new int[] {1, 2, 3};
          Memory two =
              Memory.of(MemorySegment.ofArray(values), Datatypes.NATIVE_INT, new long[] {2});
          file.root().setAttribute("a", two);
          file.root().attribute("a").write(two);
          // Equal strings, behind other ones in the heap of one of the ranks.
          VlenHeap heap = new VlenHeap();
          heap.append(MemorySegment.ofArray(new byte[comm.rank() * 7]));
          long place = heap.append(MemorySegment.ofArray("equal".getBytes(UTF_8)));
          MemorySegment slot = MemorySegment.ofArray(new long[] {5, place});
          file.root()
              .setAttribute(
                  "s",
                  new Memory(
                      Datatypes.vlenString(),
                      Dataspace.scalar(),
                      Selection.all(),
                      new DataBuffer(slot, heap)));
          assertThat(file.root().attribute("a").readInts()).containsExactly(1, 2);
          assertThat(file.root().attribute("s").readString()).isEqualTo("equal");
        });
  }

  @Test
  void ranksContinueAfterDifferentArguments() {
    inNewFile(
        2,
        (comm, file) -> {
          disagreement(() -> file.createGroup("g" + comm.rank()));
          file.createGroup("g").close();
          assertThat(file.exists("g")).isTrue();
          assertThat(file.exists("g0")).isFalse();
        });
    try (Session session = Hdf5.session("native");
        H5File file = session.open(name(), OpenOptions.READ)) {
      assertThat(file.exists("g")).isTrue();
    }
  }

  @Test
  void differentOrderOfCallsIsReportedWithoutWaiting() {
    inNewFile(
        3,
        (comm, file) -> {
          Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(6));
          InvalidUseException failure =
              disagreement(() -> {
                if (comm.rank() == 1) {
                  file.createGroup("late");
                } else {
                  dataset
                      .writeAsync(Selection.all(), new int[6], TransferOptions.COLLECTIVE)
                      .join();
                }
              });
          assertThat(failure)
              .hasMessageContaining("rank 1: create group \"late\"")
              .hasMessageContaining("ranks 0, 2: write dataset");
          assertThat(disagreement(() -> file.createGroup("later")))
              .hasMessageContaining("made different calls earlier");
        });
    try (Session session = Hdf5.session("native");
        H5File file = session.open(name(), OpenOptions.READ)) {
      assertThat(file.exists("d")).as("what was agreed on is in the file").isTrue();
    }
  }

  @Test
  void aRankThatClosesWhileOthersWriteIsNamed() {
    inNewFile(
        3,
        (comm, file) -> {
          Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(6));
          if (comm.rank() == 0) {
            assertThat(disagreement(file::close)).hasMessageContaining("rank 0: close file");
          } else {
            assertThat(
                    disagreement(() ->
                        dataset
                            .writeAsync(Selection.all(), new int[6], TransferOptions.COLLECTIVE)
                            .join()))
                .hasMessageContaining("rank 0: close file");
          }
        });
  }

  @Test
  void rankThatFailsIsNamedOnTheOthers() {
    onRanks(
        3,
        comm -> {
          MpiioConnector connector = MpiioConnector.over(comm, MpiioOptions.DEFAULT);
          Session session = Hdf5.session(connector);
          H5File file = session.create(name(), CreateOptions.DEFAULT);
          if (comm.rank() == 1) {
            // Like an application that unwinds after its own exception.
            assertThat(disagreement(file::close)).hasMessageContaining("rank 1: close file");
          } else {
            assertThat(disagreement(() -> file.createGroup("g")))
                .hasMessageContaining("rank 1: close file");
            file.close();
          }
          session.close();
          connector.close();
        });
  }

  @Test
  void wrongSelectionOfOneRankFailsOnAllRanks() {
    inNewFile(
        4,
        (comm, file) -> {
          Dataset dataset = file.createDataset("d", Datatypes.I32LE, Dataspace.simple(8));
          long start = comm.rank() == 3 ? 7 : 2L * comm.rank();
          Selection mine = Selection.box(new long[] {start}, new long[] {2});
          assertThat(
                  disagreement(() ->
                      dataset
                          .writeAsync(mine, new int[] {1, 2}, TransferOptions.COLLECTIVE)
                          .join()))
              .hasMessageContaining("rank 3");
          Selection right = Selection.box(new long[] {2L * comm.rank()}, new long[] {2});
          dataset.writeAsync(right, new int[] {1, 2}, TransferOptions.COLLECTIVE).join();
          int[] all = new int[8];
          dataset.readIntoAsync(Selection.all(), all, TransferOptions.COLLECTIVE).join();
          assertThat(all).containsExactly(1, 2, 1, 2, 1, 2, 1, 2);
        });
  }

  @Test
  void engineErrorIsTheSameOnAllRanks() {
    inNewFile(
        3,
        (comm, file) -> {
          Throwable failure = catchThrowable(() -> file.dataset("absent"));
          assertThat(failure).isInstanceOf(NotFoundException.class).hasMessageContaining("absent");
        });
  }

  @Test
  void missingFileIsNotFoundOnAllRanks() {
    onRanks(
        3,
        comm -> {
          try (MpiioConnector connector = MpiioConnector.over(comm, MpiioOptions.DEFAULT);
              Session session = Hdf5.session(connector)) {
            assertThat(catchThrowable(() -> session.open(name(), OpenOptions.READ)))
                .isInstanceOf(NotFoundException.class);
          }
        });
  }
}
