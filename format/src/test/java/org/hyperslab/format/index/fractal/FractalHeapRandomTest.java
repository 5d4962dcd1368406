package org.hyperslab.format.index.fractal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares random edits with a map. Replay with -Dhyperslab.seed=N. */
class FractalHeapRandomTest {

  private static final long SEED = Seeds.draw();

  static List<HeapParameters> parameters() {
    return List.of(
        HeapParameters.LINKS,
        HeapParameters.ATTRIBUTES,
        new HeapParameters(4, 64, 512, 32, 1, 300, true, 0),
        new HeapParameters(1, 128, 1024, 24, 1, 900, false, 0),
        new HeapParameters(2, 64, 4096, 30, 3, 4000, true, 20),
        new HeapParameters(8, 64, 1024, 30, 1, 900, true, 30));
  }

  @ParameterizedTest
  @MethodSource("parameters")
  void agreesWithAMapUnderRandomEdits(HeapParameters parameters) {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    long address = FractalHeap.create(space, parameters).address();
    Map<List<Byte>, byte[]> model = new LinkedHashMap<>();
    List<byte[]> ids = new ArrayList<>();
    for (int batch = 0; batch < 24; batch++) {
      FractalHeap heap = FractalHeap.open(space, address);
      double insertShare = batch < 10 ? 0.9 : batch < 18 ? 0.15 : 0.5;
      for (int i = 0; i < 200; i++) {
        if (ids.isEmpty() || random.nextDouble() < insertShare) {
          insert(random, parameters, heap, model, ids);
        } else {
          edit(random, heap, model, ids);
        }
      }
      HeapChecker.check(space, address, ids);
      space.evict();
      heap = FractalHeap.open(space, address);
      assertThat(heap.objects()).isEqualTo(ids.size());
      for (byte[] id : ids) {
        assertThat(heap.get(id)).isEqualTo(model.get(boxed(id)));
      }
      HeapChecker.check(space, address, ids);
    }
    FractalHeap heap = FractalHeap.open(space, address);
    for (byte[] id : ids) {
      heap.remove(id);
    }
    HeapChecker.check(space, address, List.of());
    assertThat(heap.objects()).isZero();
    insert(random, parameters, heap, model, ids);
    space.flush();
    heap.delete();
    assertThat(space.allocatedBytes()).isZero();
  }

  private static void insert(
      Random random,
      HeapParameters parameters,
      FractalHeap heap,
      Map<List<Byte>, byte[]> model,
      List<byte[]> ids) {
    int kind = random.nextInt(20);
    int length =
        kind == 0
            ? parameters.maximumManagedBytes() + 1 + random.nextInt(3000)
            : kind < 4
                ? 1 + random.nextInt(parameters.maximumManagedBytes())
                : kind < 6 ? 1 + random.nextInt(parameters.idBytes() + 2) : 20 + random.nextInt(60);
    byte[] object = new byte[length];
    random.nextBytes(object);
    byte[] id = heap.insert(object);
    model.put(boxed(id), object);
    ids.add(id);
  }

  private static void edit(
      Random random, FractalHeap heap, Map<List<Byte>, byte[]> model, List<byte[]> ids) {
    int index = random.nextInt(ids.size());
    byte[] id = ids.get(index);
    boolean tiny = (id[0] & 0x30) == 0x20;
    if (random.nextInt(5) == 0 && !tiny) {
      byte[] replacement = new byte[model.get(boxed(id)).length];
      random.nextBytes(replacement);
      heap.replace(id, replacement);
      model.put(boxed(id), replacement);
    } else {
      heap.remove(id);
      byte[] last = ids.removeLast();
      if (index < ids.size()) {
        ids.set(index, last);
      }
      if (!tiny) {
        model.remove(boxed(id));
      }
    }
  }

  private static List<Byte> boxed(byte[] bytes) {
    List<Byte> boxed = new ArrayList<>();
    for (byte b : bytes) {
      boxed.add(b);
    }
    return boxed;
  }

  @Test
  void reusesSpaceOfRemovedObjects() {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    FractalHeap heap = FractalHeap.create(space, HeapParameters.LINKS);
    List<byte[]> ids = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      ids.add(heap.insert(new byte[40]));
    }
    long before = space.allocatedBytes();
    for (int round = 0; round < 5; round++) {
      space.evict();
      for (int i = 0; i < 4000; i++) {
        heap.remove(ids.get(i));
      }
      space.evict();
      for (int i = 0; i < 4000; i++) {
        ids.set(i, heap.insert(new byte[40]));
      }
      HeapChecker.check(space, heap.address(), ids);
    }
    space.flush();
    assertThat(space.allocatedBytes()).isLessThan(before + before / 10 + 2000);
  }
}
