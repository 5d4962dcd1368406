package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.store.MemoryStore;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.store.CountingStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests rows that are appended to filtered datasets one by one: the unfinished chunk stays in
 * memory and is stored once, and what a flush has made durable is complete.
 */
final class AppendedRowsTest {

  private static final int WIDTH = 6;
  private static final int CHUNK_ROWS = 50;
  private static final int ROWS = 1000;

  @TempDir private Path folder;

  private static Dataset create(H5File file, DatasetOptions options) {
    Dataspace empty = Dataspace.simple(new long[] {0, WIDTH}, new long[] {-1, WIDTH});
    return file.datasetBuilder("d").type(Datatypes.I32LE).space(empty).options(options).create();
  }

  private static DatasetOptions deflated() {
    return DatasetOptions.chunked(CHUNK_ROWS, WIDTH).deflate(1).build();
  }

  private static int[] row(int number) {
    int[] row = new int[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      row[i] = number * 10 + i;
    }
    return row;
  }

  @Test
  void unfinishedChunkIsStoredOnce() {
    CountingStore store = new CountingStore(new MemoryStore("rows.h5"));
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.create("rows.h5", CreateOptions.DEFAULT)) {
      Dataset dataset = create(file, deflated());
      CountingStore.Counts before = store.counts();
      for (int i = 0; i < ROWS; i++) {
        dataset.append(row(i));
      }
      file.flush();
      long writes = store.counts().since(before).writes();
      assertThat(writes).isLessThan(3L * ROWS / CHUNK_ROWS);
      assertThat(store.counts().since(before).reads()).as("read back").isLessThan(10);
      for (int i : new int[] {0, 49, 50, 999}) {
        long[] at = {i, 0};
        assertThat(dataset.readInts(Selection.box(at, new long[] {1, WIDTH}))).isEqualTo(row(i));
      }
    }
  }

  /** Chunks that wait in memory are counted, listed and read as stored. */
  @Test
  void unfinishedChunkIsCounted() {
    try (H5File file = Hdf5.create(folder.resolve("counted.h5"))) {
      Dataset dataset = create(file, deflated());
      for (int i = 0; i < CHUNK_ROWS + 3; i++) {
        dataset.append(row(i));
      }
      assertThat(dataset.datasetInfo().storage().chunkCount()).isEqualTo(2);
      dataset.append(row(CHUNK_ROWS + 3));
      assertThat(dataset.chunks()).hasSize(2);
      for (int i = 0; i < 2 * CHUNK_ROWS; i++) {
        dataset.append(row(i));
      }
      assertThat(dataset.readChunk(3L * CHUNK_ROWS, 0).bytes().byteSize()).isPositive();
    }
  }

  /** The state of each flush, as another opening of a copy of the bytes sees it. */
  @Test
  void everyFlushIsComplete() {
    MemoryStore store = new MemoryStore("rows.h5");
    try (Session session = Hdf5.session(ConnectorOver.store(store));
        H5File file = session.create("rows.h5", CreateOptions.DEFAULT)) {
      Dataset dataset = create(file, deflated());
      for (int i = 0; i < 230; i++) {
        dataset.append(row(i));
        if (i % 23 == 0) {
          file.flush();
          requireRows(store.toByteArray(), i + 1);
        }
      }
      file.flush();
      requireRows(store.toByteArray(), 230);
    }
  }

  private static void requireRows(byte[] content, int rows) {
    try (Session session =
            Hdf5.session(ConnectorOver.store(MemoryStore.copyOf("copy.h5", content)));
        H5File file = session.open("copy.h5", OpenOptions.READ)) {
      int[] read = file.dataset("d").readInts();
      assertThat(read).hasSize(rows * WIDTH);
      for (int i = 0; i < rows; i++) {
        assertThat(Arrays.copyOfRange(read, i * WIDTH, (i + 1) * WIDTH)).isEqualTo(row(i));
      }
    }
  }

  /** Growth, shrinking, writes and reads of parts, in both dimensions, against a plain array. */
  @Test
  void randomHistoriesOfExtentsHaveTheirValues() {
    Seeds.run(60, this::history);
  }

  private void history(Random random) {
    Path path = folder.resolve("random" + random.nextLong() + ".h5");
    DatasetOptions.Builder options = DatasetOptions.chunked(4, 3).fill(-1);
    switch (random.nextInt(3)) {
      case 0 -> options.deflate(1);
      case 1 -> options.shuffle().deflate(1).fletcher32();
      default -> {}
    }
    int[][] model = new int[0][0];
    try (H5File file = Hdf5.create(path)) {
      Dataspace empty = Dataspace.simple(new long[] {0, 0}, new long[] {-1, -1});
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.I32LE)
              .space(empty)
              .options(options.build())
              .create();
      for (int step = 0; step < 60; step++) {
        int rows = model.length;
        int columns = rows == 0 ? 0 : model[0].length;
        switch (random.nextInt(6)) {
          case 0 -> model = resized(dataset, model, random.nextInt(14), random.nextInt(11));
          case 1, 2 ->
              model = resized(dataset, model, rows + random.nextInt(3), Math.max(1, columns));
          case 3 -> file.flush();
          case 4 -> assertThat(dataset.readInts()).isEqualTo(flat(model));
          default -> {
            if (rows > 0 && columns > 0) {
              write(dataset, model, random);
            }
          }
        }
      }
      assertThat(dataset.readInts()).isEqualTo(flat(model));
    }
    try (H5File file = Hdf5.open(path.toString())) {
      assertThat(file.dataset("d").readInts()).isEqualTo(flat(model));
    }
  }

  private static int[][] resized(Dataset dataset, int[][] model, int rows, int columns) {
    dataset.setExtent(rows, columns);
    int[][] next = new int[rows][columns];
    for (int r = 0; r < rows; r++) {
      Arrays.fill(next[r], -1);
      if (r < model.length) {
        System.arraycopy(model[r], 0, next[r], 0, Math.min(columns, model[r].length));
      }
    }
    return next;
  }

  private static void write(Dataset dataset, int[][] model, Random random) {
    int r = random.nextInt(model.length);
    int c = random.nextInt(model[0].length);
    int height = 1 + random.nextInt(model.length - r);
    int width = 1 + random.nextInt(model[0].length - c);
    int[] values = random.ints((long) height * width).toArray();
    dataset.write(Selection.box(new long[] {r, c}, new long[] {height, width}), values);
    for (int i = 0; i < values.length; i++) {
      model[r + i / width][c + i % width] = values[i];
    }
  }

  private static int[] flat(int[][] model) {
    return Arrays.stream(model).flatMapToInt(Arrays::stream).toArray();
  }
}
