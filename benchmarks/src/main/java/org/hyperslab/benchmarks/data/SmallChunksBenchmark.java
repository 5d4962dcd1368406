package org.hyperslab.benchmarks.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures transfers of a checkerboard of 2 by 2 by 2 elements in a dataset of 48 by 48 by 48
 * numbers of two bytes, in cubic chunks.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SmallChunksBenchmark {

  /** Created by JMH. */
  public SmallChunksBenchmark() {}

  private static final long SIDE = 48;

  /** The extent of a chunk in each dimension. */
  @Param({"3", "6", "12"})
  public long chunk;

  /** Whether the elements are stored in the other byte order. */
  @Param({"false", "true"})
  public boolean converted;

  private Path folder;
  private H5File file;
  private Dataset dataset;
  private Selection board;
  private short[] elements;

  /**
   * Creates the file and the selection.
   *
   * @throws IOException if the folder cannot be made
   */
  @Setup
  public void create() throws IOException {
    folder = Files.createTempDirectory("small-chunks");
    file = Hdf5.create(folder.resolve("small.h5"));
    dataset =
        file.root()
            .datasetBuilder("cube")
            .type(converted ? Datatypes.I16BE : Datatypes.I16LE)
            .shape(SIDE, SIDE, SIDE)
            .options(
                DatasetOptions.builder().layout(Layout.Chunked.of(chunk, chunk, chunk)).build())
            .create();
    dataset.write(new short[(int) (SIDE * SIDE * SIDE)]);
    board = Selection.none();
    for (int corner = 0; corner < 8; corner++) {
      if (Integer.bitCount(corner) % 2 == 0) {
        board =
            board.or(
                Selection.hyperslab(
                    new long[] {corner / 4 * 2, corner / 2 % 2 * 2, corner % 2 * 2},
                    new long[] {4, 4, 4},
                    new long[] {SIDE / 4, SIDE / 4, SIDE / 4},
                    new long[] {2, 2, 2}));
      }
    }
    elements = new short[(int) board.elementCount(new long[] {SIDE, SIDE, SIDE})];
  }

  /**
   * Closes and deletes the file.
   *
   * @throws IOException if the folder cannot be deleted
   */
  @TearDown
  public void delete() throws IOException {
    file.close();
    Files.delete(folder.resolve("small.h5"));
    Files.delete(folder);
  }

  /**
   * Reads the checkerboard.
   *
   * @return the elements
   */
  @Benchmark
  public short[] read() {
    dataset.readInto(board, elements);
    return elements;
  }

  /** Writes the checkerboard. */
  @Benchmark
  public void write() {
    dataset.write(board, elements);
  }
}
