package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.Lookup3;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FormatVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests damaged files in which the chunk index of one dataset leads to that of another with another
 * shape. They must be refused, also if the blocks are in memory because the other dataset has been
 * read.
 */
final class SharedIndexTest {

  private static final int ADDRESS_OF_DATA = 16;
  private static final int HEADER_BYTES = 28;

  @TempDir private Path folder;

  private Path create(FormatVersion version, int[] large, long[] largeChunk) {
    Path path = folder.resolve("shared.h5");
    try (H5File file = Hdf5.create(path, CreateOptions.DEFAULT.withBounds(version, version))) {
      DatasetOptions two = DatasetOptions.chunked(2).build();
      file.datasetBuilder("small")
          .type(Datatypes.I32LE)
          .shape(6)
          .options(two)
          .create()
          .write(new int[6]);
      int count = 1;
      long[] dims = new long[large.length];
      for (int d = 0; d < dims.length; d++) {
        dims[d] = large[d];
        count *= large[d];
      }
      DatasetOptions chunks = DatasetOptions.chunked(largeChunk).build();
      file.datasetBuilder("large")
          .type(Datatypes.I32LE)
          .shape(dims)
          .options(chunks)
          .create()
          .write(new int[count]);
    }
    return path;
  }

  private static void smallIsReadAndLargeRefused(Path path) {
    try (H5File file = Hdf5.open(path)) {
      assertThat(file.dataset("small").readInts()).hasSize(6);
      assertThatThrownBy(() -> file.dataset("large").readInts())
          .isInstanceOf(CorruptFileException.class);
      assertThatThrownBy(() -> file.dataset("large").chunks().count())
          .isInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void dataBlockOfAnotherFixedArrayIsRefused() throws IOException {
    Path path = create(FormatVersion.V110, new int[] {400}, new long[] {2});
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    String text = new String(bytes.array(), StandardCharsets.ISO_8859_1);
    int one = text.indexOf("FAHD");
    int other = text.indexOf("FAHD", one + 1);
    boolean smallFirst = bytes.getLong(one + 8) == 3;
    int small = smallFirst ? one : other;
    int large = smallFirst ? other : one;
    assertThat(bytes.getLong(small + 8)).isEqualTo(3);
    assertThat(bytes.getLong(large + 8)).isEqualTo(200);
    bytes.putLong(large + ADDRESS_OF_DATA, bytes.getLong(small + ADDRESS_OF_DATA));
    byte[] header = Arrays.copyOfRange(bytes.array(), large, large + HEADER_BYTES - 4);
    bytes.putInt(large + HEADER_BYTES - 4, Lookup3.hash(header, 0, header.length, 0));
    Files.write(path, bytes.array());
    smallIsReadAndLargeRefused(path);
  }

  @Test
  void treeNodesOfAnotherRankAreRefused() throws IOException {
    Path path = create(FormatVersion.EARLIEST, new int[] {6, 6}, new long[] {2, 2});
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    String text = new String(bytes.array(), StandardCharsets.ISO_8859_1);
    int one = text.indexOf("TREE\1");
    int other = text.indexOf("TREE\1", one + 1);
    assertThat(other).isPositive();
    boolean smallFirst = bytes.getShort(one + 6) == 3;
    long small = smallFirst ? one : other;
    long large = smallFirst ? other : one;
    int replaced = 0;
    for (int at = 0; at + 8 <= bytes.capacity(); at++) {
      if (bytes.getLong(at) == large) {
        bytes.putLong(at, small);
        replaced++;
      }
    }
    assertThat(replaced).isEqualTo(1);
    Files.write(path, bytes.array());
    smallIsReadAndLargeRefused(path);
  }
}
