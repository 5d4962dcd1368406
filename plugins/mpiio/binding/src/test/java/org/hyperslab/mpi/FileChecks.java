package org.hyperslab.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;

/**
 * Checks of the library's own MPI-IO through the binding, made by all ranks of a job together. The
 * ranks make a barrier between writing and reading, which OMPIO needs. BindingRunIT runs them under
 * mpirun.
 */
final class FileChecks {

  private static final int EACH = 500;
  private static final Set<MpiFileMode> NEW =
      EnumSet.of(MpiFileMode.READ_WRITE, MpiFileMode.CREATE);

  private final Mpi mpi;
  private final MpiCommunicator world;
  private final MpiDatatype ints;
  private final Path folder;

  private FileChecks(Mpi mpi, Path folder) {
    this.mpi = mpi;
    this.world = mpi.world();
    this.ints = mpi.type(MpiType.INT32);
    this.folder = folder;
  }

  /** Runs all checks on this rank, with files in that folder. */
  static void run(Mpi mpi, Path folder) throws IOException {
    FileChecks checks = new FileChecks(mpi, folder);
    checks.explicitOffsets();
    checks.startedTransfers();
    checks.ownPointers();
    checks.sharedPointers();
    checks.splitCollectives();
    checks.viewsOfBoxes();
    checks.propertiesOfFiles();
    checks.errors();
  }

  private String path(String name) {
    return folder.resolve(name + "-" + mpi.abi()).toString();
  }

  private MpiFileHandle open(String name) {
    return MpiFileHandle.open(world, path(name), NEW, null);
  }

  /** This rank's values: {@code kind}, the rank and a counter. */
  private MemorySegment mine(int kind) {
    return MemorySegment.ofArray(values(kind, world.rank()));
  }

  private static int[] values(int kind, int rank) {
    return IntStream.range(0, EACH).map(i -> kind * 1_000_000 + rank * 10_000 + i).toArray();
  }

  private long offset(int part) {
    return 4L * EACH * (part * world.size() + world.rank());
  }

  private void assertFile(String name, int part, int kind) throws IOException {
    world.barrier();
    IntBuffer all =
        ByteBuffer.wrap(Files.readAllBytes(Path.of(path(name))))
            .order(ByteOrder.nativeOrder())
            .asIntBuffer();
    for (int rank = 0; rank < world.size(); rank++) {
      int[] got = new int[EACH];
      all.get((part * world.size() + rank) * EACH, got);
      assertThat(got).as("part %s of rank %s", part, rank).isEqualTo(values(kind, rank));
    }
    world.barrier();
  }

  private void assertRead(MpiStatus status, int[] got, int kind) {
    assertThat(status.bytes()).isEqualTo(4L * EACH);
    assertThat(got).isEqualTo(values(kind, world.rank()));
    Arrays.fill(got, 0);
  }

  private void explicitOffsets() throws IOException {
    try (MpiFileHandle file = open("offsets")) {
      assertThat(file.writeAt(offset(0), mine(1), EACH, ints).bytes()).isEqualTo(4L * EACH);
      assertThat(file.writeAtAll(offset(1), mine(2), EACH, ints).bytes()).isEqualTo(4L * EACH);
      file.sync();
      assertFile("offsets", 0, 1);
      assertFile("offsets", 1, 2);
      int[] got = new int[EACH];
      MemorySegment into = MemorySegment.ofArray(got);
      assertRead(file.readAt(offset(0), into, EACH, ints), got, 1);
      assertRead(file.readAtAll(offset(1), into, EACH, ints), got, 2);
      int[] beyond = new int[EACH];
      Arrays.fill(beyond, 7);
      long end = 8L * EACH * world.size() - 8;
      MpiStatus status = file.readAt(end, MemorySegment.ofArray(beyond), EACH, ints);
      assertThat(status.bytes()).isEqualTo(8);
      assertThat(beyond[2]).isEqualTo(7);
    }
  }

  private void startedTransfers() throws IOException {
    try (MpiFileHandle file = open("started")) {
      file.startWriteAt(offset(0), mine(1), EACH, ints).await();
      file.seek(offset(1), MpiFileHandle.Whence.START);
      MpiRequest own = file.startWrite(mine(2), EACH, ints);
      while (!own.test()) {
        Thread.onSpinWait();
      }
      file.startWriteAtAll(offset(2), mine(3), EACH, ints).await();
      file.seek(offset(3), MpiFileHandle.Whence.START);
      file.startWriteAll(mine(4), EACH, ints).await();
      file.sync();
      for (int part = 0; part < 4; part++) {
        assertFile("started", part, part + 1);
      }
      int[] got = new int[EACH];
      MemorySegment into = MemorySegment.ofArray(got);
      assertRead(file.startReadAt(offset(0), into, EACH, ints).await(), got, 1);
      file.seek(offset(1), MpiFileHandle.Whence.START);
      assertRead(file.startRead(into, EACH, ints).await(), got, 2);
      assertRead(file.startReadAtAll(offset(2), into, EACH, ints).await(), got, 3);
      file.seek(offset(3), MpiFileHandle.Whence.START);
      assertRead(file.startReadAll(into, EACH, ints).await(), got, 4);
    }
  }

  private void ownPointers() throws IOException {
    try (MpiFileHandle file = open("own")) {
      file.seek(offset(0), MpiFileHandle.Whence.START);
      file.write(mine(1), EACH, ints);
      assertThat(file.position()).isEqualTo(offset(0) + 4 * EACH);
      file.seek(4L * EACH * (world.size() - 1), MpiFileHandle.Whence.CURRENT);
      assertThat(file.position()).isEqualTo(offset(1));
      file.writeAll(mine(2), EACH, ints);
      file.sync();
      assertFile("own", 0, 1);
      assertFile("own", 1, 2);
      int[] got = new int[EACH];
      MemorySegment into = MemorySegment.ofArray(got);
      file.seek(offset(0), MpiFileHandle.Whence.START);
      assertRead(file.read(into, EACH, ints), got, 1);
      file.seek(offset(1) - 8L * EACH * world.size(), MpiFileHandle.Whence.END);
      assertRead(file.readAll(into, EACH, ints), got, 2);
    }
  }

  private void sharedPointers() throws IOException {
    try (MpiFileHandle file = open("shared")) {
      file.shared().writeOrdered(mine(1), EACH, ints);
      // A rank that is ahead would move the pointer before the others have looked at it.
      world.barrier();
      assertThat(file.shared().position()).isEqualTo(4L * EACH * world.size());
      world.barrier();
      file.shared().beginWriteOrdered(mine(2), EACH, ints).end();
      file.sync();
      assertFile("shared", 0, 1);
      assertFile("shared", 1, 2);
      file.shared().seek(0, MpiFileHandle.Whence.START);
      int[] got = new int[EACH];
      MemorySegment into = MemorySegment.ofArray(got);
      assertRead(file.shared().readOrdered(into, EACH, ints), got, 1);
      assertRead(file.shared().beginReadOrdered(into, EACH, ints).end(), got, 2);
      world.barrier();
      file.shared().write(mine(3), EACH, ints);
      file.shared().startWrite(mine(4), EACH, ints).await();
      file.sync();
      world.barrier();
      assertThat(file.shared().position()).isEqualTo(16L * EACH * world.size());
      world.barrier();
      file.shared().seek(8L * EACH * world.size(), MpiFileHandle.Whence.START);
      file.shared().read(into, EACH, ints);
      int[] first = {got[0] / 1_000_000};
      file.shared().startRead(into, EACH, ints).await();
      first[0] += got[0] / 1_000_000;
      world.collectives().allReduce(MemorySegment.ofArray(first), 1, ints, MpiOperation.SUM);
      assertThat(first[0]).isEqualTo(7 * world.size());
    }
  }

  private void splitCollectives() throws IOException {
    try (MpiFileHandle file = open("split")) {
      file.beginWriteAtAll(offset(0), mine(1), EACH, ints).end();
      file.seek(offset(1), MpiFileHandle.Whence.START);
      MpiSplit half = file.beginWriteAll(mine(2), EACH, ints);
      assertThat(half.end().bytes()).isEqualTo(4L * EACH);
      assertThatThrownBy(half::end).isInstanceOf(InvalidUseException.class);
      file.sync();
      assertFile("split", 0, 1);
      assertFile("split", 1, 2);
      int[] got = new int[EACH];
      MemorySegment into = MemorySegment.ofArray(got);
      assertRead(file.beginReadAtAll(offset(0), into, EACH, ints).end(), got, 1);
      file.seek(offset(1), MpiFileHandle.Whence.START);
      assertRead(file.beginReadAll(into, EACH, ints).end(), got, 2);
    }
  }

  /** Each rank sees its columns of a matrix. */
  private void viewsOfBoxes() throws IOException {
    int n = world.size();
    int rows = 6;
    try (MpiFileHandle file = open("views");
        MpiDatatype columns =
            ints.subarray(
                new int[] {rows, 2 * n},
                new int[] {rows, 2},
                new int[] {0, 2 * world.rank()},
                true)) {
      file.setView(new MpiFileHandle.View(16, ints, columns, "native"), null);
      int[] mine = IntStream.range(0, 2 * rows).map(i -> 100 * world.rank() + i).toArray();
      file.writeAll(MemorySegment.ofArray(mine), 2 * rows, ints);
      assertThat(file.position()).isEqualTo(2L * rows);
      assertThat(file.byteOffset(3)).isEqualTo(16 + 4L * (2 * n + 2 * world.rank() + 1));
      MpiFileHandle.View view = file.view();
      assertThat(view.displacementBytes()).isEqualTo(16);
      assertThat(view.representation()).isEqualTo("native");
      assertThat(view.file().sizeBytes()).isEqualTo(8L * rows);
      assertThat(view.elementary().sizeBytes()).isEqualTo(4);
      view.file().close();
      view.elementary().close();
      file.sync();
      world.barrier();
      int[] got = new int[2 * rows];
      file.seek(0, MpiFileHandle.Whence.START);
      file.readAll(MemorySegment.ofArray(got), 2 * rows, ints);
      assertThat(got).isEqualTo(mine);
    }
    world.barrier();
    IntBuffer all =
        ByteBuffer.wrap(Files.readAllBytes(Path.of(path("views"))))
            .order(ByteOrder.nativeOrder())
            .asIntBuffer();
    for (int i = 0; i < rows * 2 * n; i++) {
      int column = i % (2 * n);
      int expected = 100 * (column / 2) + 2 * (i / (2 * n)) + column % 2;
      assertThat(all.get(4 + i)).isEqualTo(expected);
    }
    world.barrier();
  }

  private void propertiesOfFiles() {
    Set<MpiFileMode> modes = EnumSet.copyOf(NEW);
    modes.add(MpiFileMode.DELETE_ON_CLOSE);
    try (MpiInfo hints = mpi.newInfo(Map.of("cb_buffer_size", "1048576"));
        MpiFileHandle file = MpiFileHandle.open(world, path("properties"), modes, hints)) {
      assertThat(file.modes()).isEqualTo(modes);
      assertThat(file.ranks()).isEqualTo(IntStream.range(0, world.size()).toArray());
      file.setSize(10_000);
      assertThat(file.size()).isEqualTo(10_000);
      world.barrier();
      file.preallocate(20_000);
      world.barrier();
      assertThat(file.size()).isEqualTo(20_000);
      assertThat(file.isAtomic()).isFalse();
      try {
        file.setAtomic(true);
        assertThat(file.isAtomic()).isTrue();
        file.setAtomic(false);
      } catch (MpiException e) {
        assertThat(mpi.abi()).as("OMPIO has no atomic mode").isEqualTo(Abi.OPEN_MPI);
      }
      assertThat(file.typeExtentBytes(ints)).isEqualTo(4);
      file.setInfo(hints);
      try (MpiInfo used = file.info()) {
        assertThat(used.toMap()).isNotNull();
      }
    }
    world.barrier();
    assertThat(Path.of(path("properties"))).doesNotExist();
    world.barrier();
  }

  private void errors() {
    assertThatThrownBy(() ->
            MpiFileHandle.open(world, path("absent"), EnumSet.of(MpiFileMode.READ_ONLY), null))
        .isInstanceOf(MpiException.class)
        .hasMessageContaining("MPI_File_open")
        .hasMessageContaining("at=rank " + world.rank())
        .satisfies(e -> assertThat(((MpiException) e).code()).isPositive());
    if (world.rank() == 0) {
      assertThatThrownBy(() -> MpiFileHandle.delete(mpi, path("absent"), null))
          .isInstanceOf(MpiException.class)
          .hasMessageContaining("MPI_File_delete");
    }
    MpiFileHandle file = open("closed");
    assertThatThrownBy(() -> file.readAt(-5, mine(1), EACH, ints))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("MPI_File_read_at")
        .hasMessageContaining("actual=-5");
    assertThatThrownBy(() -> file.writeAt(0, mine(1), EACH + 1, ints))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("memory for 501 elements");
    file.close();
    file.close();
    assertThatThrownBy(file::size)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("closed");
    world.barrier();
    if (world.rank() == 0) {
      MpiFileHandle.delete(mpi, path("closed"), null);
      assertThat(Path.of(path("closed"))).doesNotExist();
    }
  }
}
