package org.hyperslab.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.hyperslab.error.StorageException;
import org.hyperslab.machine.mapping.ApplicationMatrix;
import org.hyperslab.machine.mapping.MatrixText;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.datatype.ArrayOrder;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.LongList;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.hint.Hints;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the recorded matrix of ranks that are neighbours in a file. */
final class ViewRecorderTest {

  @TempDir Path folder;

  /** A tile of 4 x 4 elements of an 8 x 8 array for each of 2 x 2 ranks. */
  private static FileView tile(int rank) {
    DerivedType tile =
        DerivedType.subarray(
            LongList.of(8, 8),
            LongList.of(4, 4),
            LongList.of(rank / 2 * 4, rank % 2 * 4),
            ArrayOrder.C,
            DerivedType.BYTE);
    return FileView.of(0, DerivedType.BYTE, tile);
  }

  private void setViews(Communicator comm, Path record) {
    setViews(comm, record, "");
  }

  private void setViews(Communicator comm, Path record, String words) {
    Hints hints = Hints.parse(words).with("hyperslab_record_views", record.toString());
    Set<AccessMode> modes = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);
    try (MpiFile file = MpiFile.open(comm, folder.resolve("file"), modes, hints)) {
      file.setView(tile(comm.rank()));
    }
  }

  @Test
  void neighboursOfTilesAreCounted() throws Exception {
    Path record = folder.resolve("views.txt");
    ThreadWorld.run(4, comm -> setViews(comm, record));
    ApplicationMatrix matrix = MatrixText.read("views.txt", Files.readString(record));
    // Gabriel's example, 7 within a row of tiles and 1 between the rows, sixteen times over, and
    // from the last piece of an array to the first of the next.
    assertThat(matrix.amount(0, 1)).isEqualTo(16 * 7);
    assertThat(matrix.amount(2, 3)).isEqualTo(16 * 7);
    assertThat(matrix.amount(1, 2)).isEqualTo(16);
    assertThat(matrix.amount(0, 3)).isEqualTo(15);
    assertThat(matrix.amount(0, 2)).isZero();
  }

  @Test
  void neighboursInStripesOfAnAggregatorAreCounted() throws Exception {
    Path record = folder.resolve("views.txt");
    String stripes =
        "hyperslab_collective=two-phase hyperslab_domains=lustre cb_nodes=2 striping_factor=2"
            + " striping_unit=4";
    ThreadWorld.run(4, comm -> setViews(comm, record, stripes));
    ApplicationMatrix matrix = MatrixText.read("views.txt", Files.readString(record));
    // Rows of tiles have four bytes, as stripes: one aggregator has the left tiles, one the right
    // ones. In each of sixteen arrays the upper tile is followed by the lower, and that by the
    // upper
    // of the next; the last of the left ones is followed by the first of the right ones.
    assertThat(matrix.amount(0, 2)).isEqualTo(16 + 15);
    assertThat(matrix.amount(1, 3)).isEqualTo(16 + 15);
    assertThat(matrix.amount(0, 1)).isZero();
    assertThat(matrix.amount(2, 3)).isZero();
    assertThat(matrix.amount(1, 2)).isEqualTo(1);
  }

  @Test
  void unwritableRecordFailsOnAllRanks() {
    Path record = folder.resolve("none").resolve("views.txt");
    ThreadWorld.run(
        2,
        comm ->
            assertThatThrownBy(() -> setViews(comm, record))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("recorded views"));
  }
}
