package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.ProcessorTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that copies have exactly the chunks of their original, whatever the allocation time. */
final class SparseCopyTest {

  /** 4 million elements in chunks of 4 x 4. */
  private static final long SIDE = 1 << 11;

  /** A copy that went through all places where chunks could be would take longer. */
  private static final long MAX_NANOS = 10_000_000_000L;

  private static final int[] VALUES = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

  private static final CreateOptions EARLIEST =
      CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.EARLIEST);

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void namePath() {
    path = folder.resolve("sparse.h5");
  }

  private void createSparse(FormatVersion bound) {
    try (Session session = Hdf5.session(new NativeConnector());
        H5File file = session.create(path, CreateOptions.DEFAULT.withBounds(bound, bound))) {
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.I32LE)
              .shape(SIDE, SIDE)
              .options(
                  DatasetOptions.chunked(4, 4).allocationTime(AllocationTime.INCREMENTAL).build())
              .create();
      dataset.select(corner()).write(VALUES);
    }
  }

  private static Selection corner() {
    return Selection.box(new long[] {8, 4}, new long[] {4, 4});
  }

  /** Says in the file that everything was allocated early, as a damaged file may. */
  private void sayEarly() throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    List<Integer> found = new ArrayList<>();
    for (int at = 0; at + 4 < bytes.length; at++) {
      boolean message = bytes[at] == 2 && bytes[at + 1] == 3 && bytes[at + 2] == 2;
      if (message && bytes[at - 8] == 5 && bytes[at - 7] == 0) { // of the type fill value
        found.add(at + 1);
      }
    }
    assertThat(found).hasSize(1);
    bytes[found.getFirst()] = 1;
    Files.write(path, bytes);
  }

  @Test
  @Timeout(300)
  void copyOfUnallocatedEarlyChunksIsFast() throws IOException {
    createSparse(FormatVersion.EARLIEST);
    sayEarly();
    copyAndCompare();
    assertThat(Files.size(path)).isLessThan(100_000);
  }

  @Test
  @Timeout(300)
  void aCopyOfFewChunksHasFewChunks() throws IOException {
    createSparse(FormatVersion.V110);
    copyAndCompare();
    assertThat(Files.size(path)).isLessThan(1_000_000 + 2 * SIDE * SIDE / 16 * 8);
  }

  /** The size of a filtered chunk is in its key in the tree, which no checksum covers. */
  @Test
  void emptyChunkIsRefused() throws IOException {
    try (Session session = Hdf5.session(new NativeConnector());
        H5File file = session.create(path, EARLIEST)) {
      file.datasetBuilder("d")
          .type(Datatypes.I32LE)
          .shape(16)
          .options(DatasetOptions.chunked(16).deflate(1).build())
          .create()
          .write(VALUES);
    }
    byte[] bytes = Files.readAllBytes(path);
    int keys = 0;
    for (int at = 0; at + 32 < bytes.length; at++) {
      boolean node = new String(bytes, at, 4, StandardCharsets.US_ASCII).equals("TREE");
      if (node && bytes[at + 4] == 1) {
        Arrays.fill(bytes, at + 24, at + 28, (byte) 0);
        keys++;
      }
    }
    assertThat(keys).isEqualTo(1);
    Files.write(path, bytes);
    try (Session session = Hdf5.session(new NativeConnector());
        H5File file = session.open(path, OpenOptions.EDIT)) {
      assertThatThrownBy(() -> file.root().copy("d", file.root(), "copy"))
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("bytes actual=0, expected=at least 1");
    }
  }

  private void copyAndCompare() {
    long before = ProcessorTime.nanos();
    try (Session session = Hdf5.session(new NativeConnector());
        H5File file = session.open(path, OpenOptions.EDIT)) {
      file.root().copy("d", file.root(), "copy");
      assertThat(file.dataset("copy").datasetInfo().storage().chunkCount()).isEqualTo(1);
      assertThat(file.dataset("copy").select(corner()).readInts()).isEqualTo(VALUES);
    }
    assertThat(ProcessorTime.nanos() - before).as("nanoseconds of work").isLessThan(MAX_NANOS);
  }

  @Test
  void anImplicitIndexIsCopiedAsOneBlock() {
    try (Session session = Hdf5.session(new NativeConnector());
        H5File file =
            session.create(
                path, CreateOptions.DEFAULT.withBounds(FormatVersion.V110, FormatVersion.LATEST))) {
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.I32LE)
              .shape(100, 99)
              .options(DatasetOptions.chunked(4, 4).allocationTime(AllocationTime.EARLY).build())
              .create();
      dataset.select(corner()).write(VALUES);
      int[] all = dataset.readInts();
      file.root().copy("d", file.root(), "copy");
      assertThat(file.dataset("copy").readInts()).isEqualTo(all);
      assertThat(all[8 * 99 + 4]).isEqualTo(1);
      assertThat(all[0]).isZero();
    }
  }
}
