package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Reduction;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that the buffers of a rank hold at most {@code cb_buffer_size} bytes, regardless of the
 * size of the transfer.
 */
final class StagedBytesTest {

  private static final int RANKS = 3;
  private static final int ROWS = 600;
  private static final int COLUMNS = 512;
  private static final long BUFFER_BYTES = 256 << 10;
  private static final int CHUNK_BYTES = 16 * 64 * Double.BYTES;

  private final TemporaryFolder folder = TemporaryFolder.create("staged");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  private interface Body {
    void run(Communicator comm, H5File file, MpiioConnector connector) throws Exception;
  }

  private void inNewFile(Body body) {
    // By messages, as where no rank reaches another's memory.
    Hints hints =
        Hints.parse("hyperslab_shared_memory=disable romio_cb_write=enable romio_cb_read=enable")
            .with("cb_buffer_size", Long.toString(BUFFER_BYTES));
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          MpiioOptions options = MpiioOptions.DEFAULT.withHints(hints).withAlwaysCollective(true);
          try (MpiioConnector connector = MpiioConnector.over(comm, options);
              Session session = Hdf5.session(connector);
              H5File file =
                  session.create(folder.file("staged.h5").toString(), CreateOptions.DEFAULT)) {
            body.run(comm, file, connector);
          }
        });
  }

  private static Selection rowsOf(Communicator comm) {
    return Selection.hyperslab(
        new long[] {comm.rank(), 0},
        new long[] {RANKS, 1},
        new long[] {ROWS / RANKS, COLUMNS},
        new long[] {1, 1});
  }

  /** Each rank writes and reads 819,200 bytes, several times the buffer. */
  private static void moves(
      Communicator comm, Dataset dataset, MpiioConnector connector, long most) {
    double[] elements = new double[ROWS / RANKS * COLUMNS];
    Arrays.setAll(elements, i -> comm.rank() + 4 * i);
    dataset.writeAsync(rowsOf(comm), elements, TransferOptions.COLLECTIVE).join();
    TransferReport wrote = connector.lastTransfer();
    double[] back = new double[elements.length];
    dataset.readIntoAsync(rowsOf(comm), back, TransferOptions.COLLECTIVE).join();
    TransferReport read = connector.lastTransfer();
    assertThat(back).isEqualTo(elements);
    assertThat(wrote.stagedBytes()).as(wrote.text()).isLessThanOrEqualTo(most);
    assertThat(read.stagedBytes()).as(read.text()).isLessThanOrEqualTo(most);
    long[] staged = {wrote.stagedBytes(), read.stagedBytes()};
    comm.allReduce(staged, Reduction.MAX);
    assertThat(staged[0]).isPositive();
    assertThat(staged[1]).isPositive();
  }

  private void movesIn(Datatype type, DatasetOptions options, long most) {
    inNewFile((comm, file, connector) -> {
      Dataset dataset =
          file.datasetBuilder("d").type(type).shape(ROWS, COLUMNS).options(options).create();
      moves(comm, dataset, connector, most);
    });
  }

  @Test
  void contiguousElementsStayWithinTheBuffer() {
    movesIn(Datatypes.F64LE, DatasetOptions.DEFAULT, BUFFER_BYTES);
  }

  @Test
  void convertedElementsTakeOneWindowMore() {
    movesIn(Datatypes.F64BE, DatasetOptions.DEFAULT, 2 * BUFFER_BYTES);
  }

  @Test
  void chunksStayWithinTheBuffer() {
    movesIn(Datatypes.F64LE, DatasetOptions.chunked(16, 64).build(), BUFFER_BYTES);
  }

  @Test
  void filteredChunksStayWithinTheBufferAndTwoChunks() {
    movesIn(
        Datatypes.F64LE,
        DatasetOptions.chunked(16, 64).deflate(1).build(),
        BUFFER_BYTES + 2 * CHUNK_BYTES);
  }

  @Test
  void elementsThroughRankZeroStayWithinTheBuffer() {
    inNewFile((comm, file, connector) -> {
      int strings = 30_000;
      Dataset dataset =
          file.createDataset("s", Datatypes.vlenString(), Dataspace.simple(RANKS * strings));
      Selection mine =
          Selection.box(new long[] {(long) strings * comm.rank()}, new long[] {strings});
      String[] elements = new String[strings];
      Arrays.setAll(elements, i -> "" + (char) ('a' + comm.rank() + i % 7));
      dataset.writeAsync(mine, elements, TransferOptions.COLLECTIVE).join();
      TransferReport wrote = connector.lastTransfer();
      String[] back = dataset.read(mine, String[].class);
      assertThat(back).isEqualTo(elements);
      TransferReport read = connector.lastTransfer();
      assertThat(wrote.stagedBytes()).as(wrote.text()).isBetween(1L, BUFFER_BYTES);
      assertThat(read.stagedBytes()).as(read.text()).isBetween(1L, BUFFER_BYTES);
    });
  }
}
