package org.hyperslab.format.index.fractal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.format.index.dense.LatestFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the record of a heap's free space with the C library's. */
class HeapFreeSpaceTest {

  private static final String MAKE =
      """
      import h5py, sys, random
      random.seed(int(sys.argv[2]))
      f = h5py.File(sys.argv[1], 'w', libver='latest')
      g = f.create_group('g', track_order=True)
      for i in range(int(sys.argv[2])):
          n = 'n%d-' % i + 'x' * random.randrange(1500, 1900)
          g[n] = h5py.SoftLink('/to/' + n)
      f.close()
      """;

  @TempDir Path folder;

  /** Returns the total bytes, sections, stored sections and ghosts in the header of a manager. */
  private static List<Long> counts(byte[] file, long header) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    return IntStream.range(0, 4).mapToObj(i -> bytes.getLong((int) header + 6 + 8 * i)).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 60, 300})
  void countsDerivedSectionsAsTheCLibraryDoes(int links) throws IOException {
    Path path = folder.resolve("long.h5");
    LatestFile.python(MAKE, path.toString(), Integer.toString(links));
    LatestFile file = new LatestFile(path);
    long address = file.find("FRHP");
    assertThat(FractalHeap.open(file.space, address).objects()).isEqualTo(links);
    HeapHeader header =
        file.space.cached(address, HeapHeader.STRUCTURE, HeapHeader.class).orElseThrow();
    HeapFreeSpace free = HeapFreeSpace.read(file.space, header);
    long rewritten = free.write(file.space, header.parameters);
    byte[] bytes = file.space.toByteArray();
    assertThat(counts(bytes, header.freeSpaceAddress).get(3)).isPositive();
    assertThat(counts(bytes, rewritten)).isEqualTo(counts(bytes, header.freeSpaceAddress));
  }
}
