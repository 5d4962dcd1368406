package org.hyperslab.format.index.btree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares random edits with a TreeSet. Replay with -Dhyperslab.seed=N. */
class BTreeV2RandomTest {

  private static final long SEED = Seeds.draw();

  @ParameterizedTest
  @CsvSource({
    "128, 8, 100, 40",
    "128, 11, 100, 40",
    "256, 17, 80, 20",
    "512, 11, 100, 40",
    "512, 15, 95, 45",
    "2048, 20, 100, 40"
  })
  void agreesWithASortedSetUnderRandomEdits(int node, int size, int split, int merge) {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    LongRecord.Codec codec = new LongRecord.Codec(size);
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    long address = BTreeV2.create(space, codec, new BTreeParameters(node, split, merge)).address();
    TreeSet<Long> model = new TreeSet<>();
    for (int batch = 0; batch < 30; batch++) {
      BTreeV2<LongRecord> tree = BTreeV2.open(space, address, codec);
      double insertShare = batch < 12 ? 0.9 : batch < 22 ? 0.2 : batch == 29 ? 0 : 0.5;
      long range = 200L + random.nextInt(6000);
      for (int i = 0; i < 600; i++) {
        long key = random.nextLong(range);
        if (random.nextDouble() < insertShare) {
          assertThat(tree.insert(new LongRecord(key))).isEqualTo(model.add(key));
        } else {
          Optional<LongRecord> removed = tree.remove(codec.key(key));
          assertThat(removed.isPresent()).isEqualTo(model.remove(key));
        }
      }
      checkSame(space, address, codec, model, random);
    }
    BTreeV2<LongRecord> tree = BTreeV2.open(space, address, codec);
    while (!model.isEmpty()) {
      long key = model.size() % 2 == 0 ? model.pollFirst() : model.pollLast();
      assertThat(tree.remove(codec.key(key))).contains(new LongRecord(key));
    }
    checkSame(space, address, codec, model, random);
    tree.delete();
    assertThat(space.allocatedBytes()).isZero();
  }

  private static void checkSame(
      MemoryMetadataSpace space,
      long address,
      LongRecord.Codec codec,
      NavigableSet<Long> model,
      Random random) {
    space.evict();
    List<Long> expected = new ArrayList<>(model);
    assertThat(BTreeChecker.check(space, address, codec))
        .extracting(LongRecord::key)
        .isEqualTo(expected);
    BTreeV2<LongRecord> tree = BTreeV2.open(space, address, codec);
    assertThat(tree.size()).isEqualTo(model.size());
    if (expected.isEmpty()) {
      return;
    }
    for (int i = 0; i < 20; i++) {
      int rank = random.nextInt(expected.size());
      long key = expected.get(rank);
      assertThat(tree.get(rank).key()).isEqualTo(key);
      assertThat(tree.lowerBound(codec.key(key))).isEqualTo(rank);
      assertThat(tree.lowerBound(codec.key(key + 1))).isEqualTo(rank + 1);
      assertThat(tree.find(codec.key(key))).contains(new LongRecord(key));
    }
    int from = random.nextInt(expected.size());
    List<Long> up = new ArrayList<>();
    tree.forEach(from, record -> up.add(record.key()));
    assertThat(up).isEqualTo(expected.subList(from, expected.size()));
    List<Long> down = new ArrayList<>();
    tree.forEachDescending(from, record -> down.add(record.key()));
    assertThat(down.reversed()).isEqualTo(expected.subList(0, from + 1));
  }

  @Test
  void fillsNodesWellWhenAppending() {
    LongRecord.Codec codec = new LongRecord.Codec(15);
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    BTreeV2<LongRecord> tree = BTreeV2.create(space, codec, BTreeParameters.SMALL);
    for (long i = 0; i < 20_000; i++) {
      assertThat(tree.insert(new LongRecord(i))).isTrue();
    }
    assertThat(BTreeChecker.check(space, tree.address(), codec)).hasSize(20_000);
    long least = 20_000 / 33 * 512L;
    assertThat(space.allocatedBytes()).isLessThan(least * 2);
  }
}
