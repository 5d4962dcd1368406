package org.hyperslab.format.filter.coder;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.filter.StoredChunk;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteTransposeTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 33})
  void putsByteJOfElementIAtPlaceIOfPlaneJ(int size) {
    Random random = new Random(size);
    for (int count : new int[] {0, 1, 7, 8, 9, 64, 101}) {
      byte[] source = new byte[count * size + 5];
      random.nextBytes(source);
      byte[] planes = new byte[(count + 3) * size + 2];
      ByteTranspose.split(source, 5, planes, 2, count, count + 3, size);
      for (int i = 0; i < count; i++) {
        for (int j = 0; j < size; j++) {
          assertThat(planes[2 + j * (count + 3) + i]).isEqualTo(source[5 + i * size + j]);
        }
      }
      byte[] back = new byte[source.length];
      System.arraycopy(source, 0, back, 0, 5);
      ByteTranspose.join(planes, 2, back, 5, count, count + 3, size);
      assertThat(back).isEqualTo(source);
    }
  }

  /** Memory outside the heap, in more than one tile, with elements and bytes left over. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8, 12})
  void shufflesMemoryOutsideTheHeap(int size) {
    FilterPipeline shuffle =
        FilterPipeline.of(List.of(FilterStage.mandatory(2, size)), FilterRegistry.standard());
    Random random = new Random(size);
    for (int count : new int[] {2, 7, 8, 9, 40_003}) {
      byte[] bytes = new byte[count * size + size - 1];
      random.nextBytes(bytes);
      try (Arena arena = Arena.ofConfined();
          FilterScratch scratch = new FilterScratch()) {
        MemorySegment plain = arena.allocate(bytes.length);
        plain.copyFrom(MemorySegment.ofArray(bytes));
        byte[] planes = shuffle.encode(plain, scratch).bytes().toArray(ValueLayout.JAVA_BYTE);
        for (int i = 0; i < count * size; i++) {
          assertThat(planes[i % size * count + i / size]).isEqualTo(bytes[i]);
        }
        MemorySegment stored = arena.allocate(planes.length);
        stored.copyFrom(MemorySegment.ofArray(planes));
        MemorySegment back = arena.allocate(bytes.length);
        shuffle.decode(new StoredChunk(stored, 0, "a file", 0), back, scratch);
        assertThat(back.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes);
      }
    }
  }
}
