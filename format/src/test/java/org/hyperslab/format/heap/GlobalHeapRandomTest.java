package org.hyperslab.format.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GlobalHeapRandomTest {

  private final long seed = Seeds.draw();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void findsStoredNames(int sizes) {
    System.out.println("hyperslab.seed=" + seed);
    MemoryMetadataSpace space = new MemoryMetadataSpace(new FileGeometry("memory", sizes, sizes));
    GlobalHeap heap = new GlobalHeap(space);
    Map<GlobalHeapId, Bytes> model = new HashMap<>();
    List<GlobalHeapId> ids = new ArrayList<>();
    for (int step = 0; step < 4000; step++) {
      if (random.nextInt(10) < (step % 1000 < 600 ? 8 : 2) || ids.isEmpty()) {
        byte[] content =
            new byte[random.nextInt(40) == 0 ? random.nextInt(9000) : random.nextInt(50)];
        random.nextBytes(content);
        GlobalHeapId id = heap.insert(MemorySegment.ofArray(content));
        assertThat(model.put(id, Bytes.of(content))).isNull();
        ids.add(id);
      } else {
        GlobalHeapId id = ids.remove(random.nextInt(ids.size()));
        heap.remove(id);
        model.remove(id);
      }
      if (random.nextInt(200) == 0) {
        space.evict();
        verify(heap, model);
      }
    }
    verify(new GlobalHeap(space), model);
    for (GlobalHeapId id : ids) {
      heap.remove(id);
    }
    space.flush();
    assertThat(space.allocations()).isEmpty();
  }

  private void verify(GlobalHeap heap, Map<GlobalHeapId, Bytes> model) {
    model.forEach((id, content) ->
        assertThat(Bytes.of(heap.content(id).toArray(ValueLayout.JAVA_BYTE)))
            .as("seed " + seed)
            .isEqualTo(content));
  }

  @Test
  void newObjectsTakeTheRoomOfRemovedOnes() {
    System.out.println("hyperslab.seed=" + seed);
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    GlobalHeap heap = new GlobalHeap(space);
    List<GlobalHeapId> ids = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      ids.add(heap.insert(MemorySegment.ofArray(new byte[random.nextInt(60)])));
    }
    long before = space.allocatedBytes();
    for (int i = 0; i < 20_000; i++) {
      int at = random.nextInt(ids.size());
      heap.remove(ids.get(at));
      ids.set(at, heap.insert(MemorySegment.ofArray(new byte[random.nextInt(60)])));
      if (random.nextInt(1000) == 0) {
        space.flush();
      }
    }
    assertThat(space.allocatedBytes()).as("seed " + seed).isLessThan(before + before / 4);
  }

  @Test
  void newObjectsHaveNoReferences() {
    GlobalHeap heap = new GlobalHeap(MemoryMetadataSpace.empty());
    GlobalHeapId id = heap.insert(MemorySegment.ofArray(new byte[3]));
    assertThat(heap.references(id)).isZero();
  }

  @Test
  void namesTheCollectionOfAMissingObject() {
    GlobalHeap heap = new GlobalHeap(MemoryMetadataSpace.empty());
    GlobalHeapId id = heap.insert(MemorySegment.ofArray(new byte[3]));
    GlobalHeapId missing = new GlobalHeapId(id.collectionAddress(), 9);
    assertThatThrownBy(() -> heap.content(missing))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("index 9");
  }

  @Test
  void keepsNoMoreThan65535ObjectsInACollection() {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    FileGeometry geometry = space.geometry();
    GlobalHeapCollection collection = GlobalHeapCollection.create(geometry, 64, 1 << 21);
    for (int i = 1; i <= GlobalHeapCollection.MAXIMUM_INDEX; i++) {
      assertThat(collection.insert(MemorySegment.ofArray(new byte[0]))).isEqualTo(i);
    }
    assertThat(collection.largestInsertion()).isNegative();
    collection.remove(77);
    assertThat(collection.insert(MemorySegment.ofArray(new byte[8]))).isEqualTo(77);
  }

  @Test
  void rejectsObjectsThatReachBeyondTheirCollection() {
    MetadataWriter writer = new MetadataWriter(FileGeometry.standard("f"), 8192);
    writer.signature("GCOL").u8(1).zeros(3).length(4096);
    writer.u16(1).u16(0).u32(0).length(5000).zerosTo(8192);
    MemoryMetadataSpace space =
        new MemoryMetadataSpace(FileGeometry.standard("f"), writer.toByteArray());
    assertThatThrownBy(() -> new GlobalHeap(space).content(new GlobalHeapId(0, 1)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("size of object 1 actual=5000");
  }

  @Test
  void rejectsCollectionOfAbsurdSize() {
    MetadataWriter writer = new MetadataWriter(FileGeometry.standard("f"), 8192);
    writer.signature("GCOL").u8(1).zeros(3).length(Long.MAX_VALUE).zerosTo(4096);
    MemoryMetadataSpace space =
        new MemoryMetadataSpace(FileGeometry.standard("f"), writer.toByteArray());
    assertThatThrownBy(() -> new GlobalHeap(space).content(new GlobalHeapId(0, 1)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("size actual=9223372036854775807");
  }
}
