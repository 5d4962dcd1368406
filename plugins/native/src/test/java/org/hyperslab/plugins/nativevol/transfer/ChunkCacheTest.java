package org.hyperslab.plugins.nativevol.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.space.Selection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that the cache adapts its size to the accesses. */
final class ChunkCacheTest {

  private static final int CHUNK_SIDE = 512;
  private static final int CHUNKS_ACROSS = 24;
  private static final long[] EXTENT = {CHUNK_SIDE, CHUNK_SIDE * CHUNKS_ACROSS};

  private final TransferResources resources =
      new TransferResources(new Workers(2), new BufferPool(8 << 20));
  private final MemoryChunkPlaces places = new MemoryChunkPlaces();
  private final ChunkShape shape =
      new ChunkShape(
          new long[] {CHUNK_SIDE, CHUNK_SIDE},
          2,
          FilterPipeline.of(List.of(new FilterStage(1, false, "deflate", List.of(1)))),
          true,
          FillPattern.of(new byte[2]));

  @AfterEach
  void close() {
    resources.close();
  }

  @Test
  void rowAfterRowDecodesEachChunkOnce() {
    try (ChunkedTransfer chunks =
        new ChunkedTransfer(places, shape, resources, new CacheBudget(1L << 30))) {
      writeAll(chunks);
      int before = places.reads();
      byte[] row = new byte[(int) EXTENT[1] * 2];
      for (long r = 0; r < 40; r++) {
        chunks.read(rows(r, 1, row), new CopyMover(2));
        assertThat(row[1]).isEqualTo((byte) r);
      }
      assertThat(places.reads() - before).isEqualTo(CHUNKS_ACROSS);
    }
  }

  @Test
  void smallTransferBetweenRowsDoesNotEmptyIt() {
    try (ChunkedTransfer chunks =
        new ChunkedTransfer(places, shape, resources, new CacheBudget(1L << 30))) {
      writeAll(chunks);
      byte[] row = new byte[(int) EXTENT[1] * 2];
      chunks.read(rows(0, 1, row), new CopyMover(2));
      int before = places.reads();
      byte[] one = new byte[2];
      chunks.read(element(one), new CopyMover(2));
      chunks.read(rows(1, 1, row), new CopyMover(2));
      assertThat(places.reads()).isEqualTo(before);
    }
  }

  @Test
  void aTransferOfMoreChunksThanThereIsRoomForKeepsThoseThatAreCached() {
    long room = 5L * CHUNK_SIDE * CHUNK_SIDE * 2;
    try (ChunkedTransfer chunks =
        new ChunkedTransfer(places, shape, resources, new CacheBudget(room))) {
      writeAll(chunks);
      byte[] one = new byte[2];
      chunks.read(element(one), new CopyMover(2));
      byte[] row = new byte[(int) EXTENT[1] * 2];
      int before = places.reads();
      for (long r = 0; r < 3; r++) {
        chunks.read(rows(r, 1, row), new CopyMover(2));
        assertThat(row[1]).isEqualTo((byte) r);
      }
      assertThat(places.reads() - before).isEqualTo(3 * (CHUNKS_ACROSS - 1));
      chunks.read(element(one), new CopyMover(2));
      assertThat(places.reads() - before).isEqualTo(3 * (CHUNKS_ACROSS - 1));
    }
  }

  private static ElementTransfer element(byte[] one) {
    Selection element = Selection.box(new long[] {7, 9}, new long[] {1, 1});
    return new ElementTransfer(
        element, EXTENT, Selection.all(), new long[] {1}, MemorySegment.ofArray(one));
  }

  private void writeAll(ChunkedTransfer chunks) {
    byte[] all = new byte[(int) (EXTENT[0] * EXTENT[1]) * 2];
    for (int r = 0; r < EXTENT[0]; r++) {
      all[(int) (r * EXTENT[1] * 2) + 1] = (byte) r;
    }
    chunks.write(rows(0, EXTENT[0], all), new CopyMover(2));
    chunks.flush();
  }

  private static ElementTransfer rows(long first, long count, byte[] memory) {
    long[] inMemory = {count, EXTENT[1]};
    return new ElementTransfer(
        Selection.box(new long[] {first, 0}, inMemory),
        EXTENT,
        Selection.all(),
        inMemory,
        MemorySegment.ofArray(memory));
  }
}
