package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.RankBody;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.datatype.ArrayOrder;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.ElementaryType;
import org.hyperslab.mpiio.datatype.LongList;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MpiFileTest {

  private static final Set<AccessMode> NEW = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);

  @TempDir Path folder;

  private static void world(int ranks, RankBody body) {
    ThreadWorld.of(ranks).withTimeLimit(Duration.ofMinutes(5)).run(body);
  }

  private MpiFile open(Communicator comm, Set<AccessMode> modes, String hints) {
    return MpiFile.open(comm, folder.resolve("file"), modes, Hints.parse(hints));
  }

  private static MemoryBuffer bytes(int count, int value) {
    byte[] all = new byte[count];
    Arrays.fill(all, (byte) value);
    return MemoryBuffer.of(MemorySegment.ofArray(all));
  }

  @Test
  void refusesConflictingModes() {
    world(
        2,
        comm -> {
          for (Set<AccessMode> wrong :
              Set.of(
                  Set.<AccessMode>of(),
                  Set.of(AccessMode.READ_ONLY, AccessMode.READ_WRITE),
                  Set.of(AccessMode.READ_ONLY, AccessMode.CREATE),
                  Set.of(AccessMode.READ_WRITE, AccessMode.SEQUENTIAL))) {
            assertThatThrownBy(() -> open(comm, wrong, "")).isInstanceOf(InvalidUseException.class);
          }
          AccessMode mine = comm.rank() == 0 ? AccessMode.READ_ONLY : AccessMode.READ_WRITE;
          assertThatThrownBy(() -> open(comm, Set.of(mine), ""))
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("READ_WRITE")
              .hasMessageContaining("rank 1");
          assertThatThrownBy(() -> open(comm, Set.of(AccessMode.READ_ONLY), ""))
              .isInstanceOf(NotFoundException.class);
        });
  }

  @Test
  void makesDeletesAndAppends() throws IOException {
    Path path = folder.resolve("file");
    world(
        3,
        comm -> {
          try (MpiFile file = open(comm, NEW, "")) {
            assertThat(file.modes()).isEqualTo(NEW);
            file.writeOrdered(bytes(2, comm.rank() + 1));
          }
          Set<AccessMode> exclusive =
              Set.of(AccessMode.CREATE, AccessMode.EXCLUSIVE, AccessMode.WRITE_ONLY);
          assertThatThrownBy(() -> open(comm, exclusive, ""))
              .isInstanceOf(AlreadyExistsException.class);
          try (MpiFile file = open(comm, Set.of(AccessMode.WRITE_ONLY, AccessMode.APPEND), "")) {
            assertThat(file.position()).isEqualTo(6);
            assertThat(file.sharedPosition()).isEqualTo(6);
            comm.barrier();
            file.writeOrdered(bytes(1, 7 + comm.rank()));
            assertThatThrownBy(() -> file.read(bytes(1, 0)))
                .isInstanceOf(InvalidUseException.class);
          }
          if (comm.rank() == 0) {
            assertThat(Files.readAllBytes(path)).containsExactly(1, 1, 2, 2, 3, 3, 7, 8, 9);
          }
          comm.barrier();
          open(comm, Set.of(AccessMode.READ_ONLY, AccessMode.DELETE_ON_CLOSE), "").close();
        });
    assertThat(path).doesNotExist();
    assertThatThrownBy(() -> MpiFile.delete(path)).isInstanceOf(NotFoundException.class);
  }

  @Test
  void sequentialFilesAreAccessedBySharedPointerOnly() {
    world(
        2,
        comm -> {
          Set<AccessMode> modes =
              Set.of(AccessMode.CREATE, AccessMode.WRITE_ONLY, AccessMode.SEQUENTIAL);
          try (MpiFile file = open(comm, modes, "")) {
            file.writeOrdered(bytes(3, 1));
            for (Runnable wrong :
                new Runnable[] {
                  () -> file.write(bytes(1, 1)),
                  () -> file.writeAtAll(0, bytes(1, 1)),
                  () -> file.seek(0, Whence.START),
                  () -> file.seekShared(0, Whence.START),
                  () -> file.setSize(1),
                  () -> file.setView(FileView.bytes())
                }) {
              assertThatThrownBy(wrong::run).isInstanceOf(InvalidUseException.class);
            }
            file.setViewHere(DerivedType.BYTE, DerivedType.BYTE, DataRepresentation.NATIVE);
            file.writeOrdered(bytes(1, 2));
            assertThat(file.size()).isEqualTo(8);
          }
        });
  }

  @Test
  void aFailureOnOneRankIsThrownOnAll() {
    world(
        3,
        comm -> {
          try (MpiFile file = open(comm, NEW, "")) {
            file.setView(FileView.of(0, DerivedType.INT32, DerivedType.INT32));
            int count = comm.rank() == 1 ? 3 : 4;
            assertThatThrownBy(() -> file.writeAll(bytes(count, 1)))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("3 bytes");
            assertThatThrownBy(() -> file.writeOrdered(bytes(count, 1)))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("3 bytes");
            assertThatThrownBy(() -> file.beginWriteAtAll(comm.rank() - 1, bytes(4, 1)).end())
                .isInstanceOf(HyperslabException.class)
                .hasMessageContaining("-1");
            assertThatThrownBy(() -> file.setSize(comm.rank()))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("rank 1");
            assertThat(file.size()).isZero();
            assertThat(file.writeAll(bytes(4, 1)).count(DerivedType.INT32)).isEqualTo(1);
          }
        });
  }

  /** A rank that closes waits for the others, for which the pointer stays valid until then. */
  @ParameterizedTest
  @ValueSource(strings = {"sharedfp=sm", "sharedfp=lockedfile", "sharedfp=addproc"})
  void sharedPointerExistsUntilAllRanksClose(String hints) {
    CountDownLatch written = new CountDownLatch(1);
    Thread[] closing = new Thread[1];
    ThreadWorld.run(
        2,
        comm -> {
          try (MpiFile file = open(comm, NEW, hints)) {
            if (comm.rank() == 0) {
              file.writeShared(MemoryBuffer.of(MemorySegment.ofArray(new byte[5])));
              closing[0] = Thread.currentThread();
              written.countDown();
              return;
            }
            written.await();
            while (closing[0].getState() == Thread.State.RUNNABLE) {
              Thread.onSpinWait();
            }
            assertThat(file.sharedPosition()).isEqualTo(5);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"sharedfp=sm", "sharedfp=lockedfile", "sharedfp=addproc", "sharedfp=individual"})
  void sharedWritesOfAllRanksFollowEachOther(String hints) throws IOException {
    int each = 50;
    world(
        4,
        comm -> {
          try (MpiFile file = open(comm, NEW, hints)) {
            file.setView(FileView.of(3, DerivedType.INT16, DerivedType.INT16));
            String component = hints.substring("sharedfp=".length());
            assertThat(file.explain()).contains(component);
            assertThat(file.info().others()).containsEntry("sharedfp", component);
            for (int i = 0; i < each; i++) {
              MemorySegment both =
                  MemorySegment.ofArray(new short[] {(short) comm.rank(), (short) i});
              file.writeShared(MemoryBuffer.of(both, 2, DerivedType.INT16));
            }
            file.sync();
            assertThat(file.sharedPosition()).isEqualTo(2L * each * comm.size());
            file.writeOrdered(bytes(2, comm.rank()));
          }
        });
    byte[] all = Files.readAllBytes(folder.resolve("file"));
    assertThat(all).hasSize(3 + 4 * 4 * each + 8);
    int[] next = new int[4];
    for (int at = 3; at < 3 + 4 * 4 * each; at += 4) {
      assertThat((int) all[at + 2]).isEqualTo(next[all[at]]++);
    }
    assertThat(next).containsOnly(each);
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void individualLogsDoNotSupportSharedReads() {
    world(
        2,
        comm -> {
          try (MpiFile file = open(comm, NEW, "sharedfp=individual")) {
            assertThatThrownBy(() -> file.readShared(bytes(1, 0)))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("lockedfile");
          }
        });
  }

  @Test
  void external32IsBigEndianInTheFileAndNativeInMemory() throws IOException {
    world(
        2,
        comm -> {
          try (MpiFile file = open(comm, NEW, "")) {
            DerivedType etype = DerivedType.of(ElementaryType.LONG);
            file.setView(
                FileView.of(
                    4L * comm.rank(),
                    etype,
                    DerivedType.subarray(
                        LongList.of(2), LongList.of(1), LongList.of(0), ArrayOrder.C, etype),
                    DataRepresentation.EXTERNAL32));
            assertThat(file.typeExtent(etype)).isEqualTo(4);
            long[] values = {comm.rank(), -5, 7};
            MemoryBuffer out = MemoryBuffer.of(MemorySegment.ofArray(values), 3, etype);
            assertThat(file.writeAtAll(0, out).bytes()).isEqualTo(24);
            assertThat(file.byteOffset(2)).isEqualTo(16 + 4L * comm.rank());
            long[] back = new long[5];
            MemoryBuffer in = MemoryBuffer.of(MemorySegment.ofArray(back), 5, etype);
            AccessStatus status = file.readAtAll(0, in);
            assertThat(status.count(etype)).isEqualTo(3);
            assertThat(back).startsWith(values).endsWith(0, 0);
            long[] wide = {comm.rank() == 0 ? 1L << 40 : 0};
            MemoryBuffer bad = MemoryBuffer.of(MemorySegment.ofArray(wide), 1, etype);
            assertThatThrownBy(() -> file.writeAtAll(0, bad))
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("external32");
          }
        });
    ByteBuffer file = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("file")));
    assertThat(file.getInt(4)).isEqualTo(1);
    assertThat(file.getInt(8)).isEqualTo(-5);
  }

  @Test
  void readAcrossTheEndReportsTheBytesRead() {
    for (String hints :
        new String[] {"", "hyperslab_collective=two-phase", "romio_ds_read=enable"}) {
      world(
          2,
          comm -> {
            try (MpiFile file = open(comm, NEW, hints)) {
              DerivedType etype = DerivedType.of(ElementaryType.INT32);
              int[] stored = IntStream.range(0, 27).toArray();
              file.setView(
                  FileView.of(
                      4L * comm.rank(),
                      etype,
                      DerivedType.subarray(
                          LongList.of(2), LongList.of(1), LongList.of(0), ArrayOrder.C, etype)));
              file.writeAtAll(0, MemoryBuffer.of(MemorySegment.ofArray(stored), 27, etype));
              int[] back = new int[100];
              Arrays.fill(back, -1);
              MemoryBuffer hundred = MemoryBuffer.of(MemorySegment.ofArray(back), 100, etype);
              file.sync();
              comm.barrier();
              for (AccessStatus status :
                  List.of(file.readAtAll(0, hundred), file.readAt(0, hundred))) {
                assertThat(status.count(etype)).isEqualTo(27);
                assertThat(status.bytes()).isEqualTo(108);
                assertThat(back).startsWith(stored);
                assertThat(Arrays.stream(back).skip(27)).containsOnly(-1);
              }
              assertThat(file.readAt(27, hundred).bytes()).isZero();
            }
          });
    }
  }

  @Test
  void overlappingAtomicWritesAreNotMixed() throws IOException {
    int size = 1000;
    world(
        4,
        comm -> {
          try (MpiFile file = open(comm, NEW, "")) {
            file.setView(
                FileView.of(0, DerivedType.BYTE, DerivedType.vector(2, 1, 2, DerivedType.BYTE)));
            file.setAtomic(true);
            for (int i = 0; i < 30; i++) {
              file.writeAt(0, bytes(size, 1 + comm.rank()));
              byte[] seen = new byte[size];
              file.readAt(0, MemoryBuffer.of(MemorySegment.ofArray(seen)));
              for (byte value : seen) {
                assertThat(value).isEqualTo(seen[0]);
              }
            }
            file.writeAtAll(0, bytes(size, 10 + comm.rank()));
            byte[] seen = new byte[size];
            file.readAtAll(0, MemoryBuffer.of(MemorySegment.ofArray(seen)));
            assertThat(seen).containsOnly(seen[0]);
          }
        });
  }

  @Test
  void startedAccessesContinueDuringOtherWork() {
    world(
        2,
        comm -> {
          try (MpiFile file = open(comm, NEW, "");
              Arena arena = Arena.ofConfined()) {
            FileRequest first = file.startWriteAll(bytes(100, comm.rank() + 1));
            MemorySegment confined = arena.allocate(10);
            FileRequest second = file.startReadAtAll(0, MemoryBuffer.of(confined));
            FileRequest alone = file.startWriteAt(200 + comm.rank(), bytes(1, 9));
            alone.await();
            // The other rank waits for its requests only after this message.
            if (comm.rank() == 0) {
              first.await();
              comm.send(MemorySegment.ofArray(new byte[1]), 1, 0);
            } else {
              comm.receive(MemorySegment.ofArray(new byte[1]), 0, 0);
              first.await();
            }
            assertThat(second.await().bytes()).isEqualTo(10);
            assertThat(confined.get(ValueLayout.JAVA_BYTE, 0)).isBetween((byte) 1, (byte) 2);
            assertThat(file.position()).isEqualTo(100);
            SplitAccess split = file.beginReadAll(bytes(10, 0));
            assertThatThrownBy(() -> file.beginReadAll(bytes(10, 0)))
                .isInstanceOf(InvalidUseException.class);
            split.end();
            assertThatThrownBy(split::end).isInstanceOf(InvalidUseException.class);
            file.setInfo(Map.of("cb_nodes", "2", "somebody", "else"));
            assertThat(file.info().buffering().nodes()).isEqualTo(2);
            assertThat(file.info().others()).containsEntry("somebody", "else");
          }
        });
  }

  @Test
  void filesWorkOnStores() {
    MemoryStore store = new MemoryStore("shared");
    world(
        3,
        comm -> {
          try (MpiFile file = MpiFile.over(comm, store, NEW, Hints.defaults())) {
            file.writeAtAll(10L * comm.rank(), bytes(10, comm.rank()));
            assertThat(file.size()).isEqualTo(30);
            comm.barrier();
          }
        });
  }

  @Test
  void vendorFilesNeedProcesses() {
    world(
        2,
        comm ->
            assertThatThrownBy(() -> open(comm, NEW, "io=vendor"))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("MPI job"));
  }

  @ParameterizedTest
  @CsvSource({
    "progress=thread, by a thread of the file",
    "progress=engine, by the engine of all files of the process",
    "progress=wait, when the rank tests or waits"
  })
  void explanationSaysHowStartedAccessesProgress(String hint, String words) {
    world(
        2,
        comm -> {
          try (MpiFile file = open(comm, NEW, hint)) {
            assertThat(file.explain())
                .contains("started accesses go on " + words + ", their requests by threads;");
          }
          try (MpiFile file = open(comm, NEW, hint + " hyperslab_requests=io_uring")) {
            assertThat(file.explain())
                .contains("go on " + words + ", their requests by ")
                .contains("io_uring");
          }
          assertThatThrownBy(() -> open(comm, NEW, "progress=magic"))
              .isInstanceOf(InvalidUseException.class)
              .hasMessageContaining("expected=thread, engine or wait");
        });
  }
}
