package org.hyperslab.format.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalHeapTest {

  private static final FileGeometry GEOMETRY = FileGeometry.standard("test.h5");

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void findsStoredNames(int sizes) {
    long seed = Seeds.draw();
    System.out.println("hyperslab.seed=" + seed);
    Random random = new Random(seed);
    MemoryMetadataSpace space = new MemoryMetadataSpace(new FileGeometry("memory", sizes, sizes));
    long address = LocalHeap.create(space, 0).address();
    Map<Long, String> model = new HashMap<>();
    for (int step = 0; step < 600; step++) {
      LocalHeap heap = LocalHeap.open(space, address);
      if (random.nextInt(10) < (step % 200 < 130 ? 7 : 2) || model.isEmpty()) {
        String text = "é".repeat(random.nextInt(20)) + step;
        assertThat(model.put(heap.insert(text), text)).isNull();
      } else {
        long offset = model.keySet().iterator().next();
        heap.remove(offset);
        model.remove(offset);
      }
      if (random.nextInt(40) == 0) {
        space.evict();
      }
    }
    space.evict();
    LocalHeap heap = LocalHeap.open(space, address);
    model.forEach((offset, text) -> assertThat(heap.text(offset)).isEqualTo(text));
    assertThat(heap.text(0)).isEmpty();
    model.keySet().forEach(heap::remove);
    heap.delete();
    assertThat(space.allocations()).isEmpty();
  }

  /** The library writes the padding, so nothing else may stand there. */
  @ParameterizedTest
  @CsvSource({"2,2,16", "2,4,24", "4,2,16", "4,4,24", "4,8,32", "8,4,24", "8,8,32"})
  void thePrefixTakesAMultipleOfEightBytes(int offsets, int lengths, int bytes) {
    FileGeometry geometry = new FileGeometry("memory", offsets, lengths);
    LocalHeap heap = LocalHeap.create(new MemoryMetadataSpace(geometry), 88);
    assertThat(heap.totalBytes()).isEqualTo(bytes + heap.sizeBytes());
  }

  @Test
  void comparesNamesAsUnsignedBytes() {
    LocalHeap heap = LocalHeap.create(MemoryMetadataSpace.empty(), 0);
    long offset = heap.insert("é");
    assertThat(heap.compare(offset, "z".getBytes(StandardCharsets.UTF_8))).isPositive();
    assertThat(heap.compare(offset, "é".getBytes(StandardCharsets.UTF_8))).isZero();
    assertThat(heap.compare(offset, "éa".getBytes(StandardCharsets.UTF_8))).isNegative();
    assertThat(heap.compare(0, "a".getBytes(StandardCharsets.UTF_8))).isNegative();
    assertThat(heap.compare(offset, new byte[0])).isPositive();
  }

  private static MemoryMetadataSpace heap(long freeHead, long next, long size) {
    MetadataWriter writer = new MetadataWriter(GEOMETRY, 128);
    writer.signature("HEAP").u8(0).zeros(3).length(64).length(freeHead).offset(32);
    writer.zeros(16).length(next).length(size).bytes(new byte[32]);
    byte[] bytes = writer.toByteArray();
    Arrays.fill(bytes, 64, 96, (byte) 'x');
    return new MemoryMetadataSpace(GEOMETRY, bytes);
  }

  @Test
  void rejectsFreeListInACircle() {
    LocalHeap heap = LocalHeap.open(heap(16, 16, 16), 0);
    assertThatThrownBy(() -> heap.insert("a"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("overlaps another");
  }

  @Test
  void rejectsFreeBlockBeyondTheSegment() {
    LocalHeap heap = LocalHeap.open(heap(16, 1, 64), 0);
    assertThatThrownBy(() -> heap.insert("a"))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("block size actual=64");
  }

  @Test
  void rejectsFreeListHeadBeyondTheSegment() {
    assertThatThrownBy(() -> LocalHeap.open(heap(64, 1, 16), 0))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("free list head actual=64");
  }

  @Test
  void rejectsTextWithoutEnd() {
    LocalHeap heap = LocalHeap.open(heap(1, 1, 16), 0);
    assertThatThrownBy(() -> heap.text(40))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("no terminating NUL");
    assertThatThrownBy(() -> heap.compare(60, "xxxxx".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(CorruptFileException.class);
    assertThatThrownBy(() -> heap.text(64)).isInstanceOf(CorruptFileException.class);
  }
}
