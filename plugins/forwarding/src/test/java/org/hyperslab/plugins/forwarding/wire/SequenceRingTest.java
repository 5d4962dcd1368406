package org.hyperslab.plugins.forwarding.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Compares a ring of numbered values with a tree. */
final class SequenceRingTest {

  @Test
  void behavesAsASortedMapWhateverTheOrder() {
    Seeds.run(
        300,
        random -> {
          SequenceRing<String> ring = new SequenceRing<>();
          TreeMap<Long, String> tree = new TreeMap<>();
          long base = random.nextBoolean() ? 1 : random.nextLong(1L << 40);
          for (int step = 0; step < 400; step++) {
            long number = base + step / 4 + random.nextInt(1 + random.nextInt(200));
            switch (random.nextInt(8)) {
              case 0, 1, 2 -> {
                ring.put(number, "v" + step);
                tree.put(number, "v" + step);
              }
              case 3 -> assertThat(ring.remove(number)).isEqualTo(tree.remove(number));
              case 4, 5 -> {
                if (!tree.isEmpty()) {
                  assertThat(ring.remove(ring.first())).isEqualTo(tree.pollFirstEntry().getValue());
                }
              }
              case 6 -> {
                List<String> found = new ArrayList<>();
                ring.forEachFrom(number, found::add);
                assertThat(found).containsExactlyElementsOf(tree.tailMap(number).values());
              }
              default -> {
                if (random.nextInt(40) == 0) {
                  ring.clear();
                  tree.clear();
                }
              }
            }
            assertThat(ring.size()).isEqualTo(tree.size());
            assertThat(ring.isEmpty()).isEqualTo(tree.isEmpty());
            assertThat(ring.get(number)).isEqualTo(tree.get(number));
            if (!tree.isEmpty()) {
              assertThat(ring.first()).isEqualTo(tree.firstKey());
            }
          }
          assertThat(ring.values()).containsExactlyElementsOf(tree.values());
        });
  }
}
