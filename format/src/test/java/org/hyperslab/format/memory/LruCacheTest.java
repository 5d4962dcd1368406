package org.hyperslab.format.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

final class LruCacheTest {

  @Test
  void removesTheLongestUnusedFirst() {
    LruCache<String, Integer> cache = new LruCache<>(3);
    cache.put("a", 1, 1);
    cache.put("b", 2, 1);
    cache.put("c", 3, 1);
    assertThat(cache.get("a")).isEqualTo(1);
    cache.put("d", 4, 1);
    assertThat(cache.get("b")).isNull();
    assertThat(keys(cache)).containsExactly("c", "a", "d");
  }

  @Test
  void containsKeyDoesNotCountAsUse() {
    LruCache<String, Integer> cache = new LruCache<>(2);
    cache.put("a", 1, 1);
    cache.put("b", 2, 1);
    assertThat(cache.containsKey("a")).isTrue();
    cache.put("c", 3, 1);
    assertThat(cache.containsKey("a")).isFalse();
  }

  @Test
  void aHeavyEntryRemovesSeveralLightOnes() {
    LruCache<String, Integer> cache = new LruCache<>(10);
    cache.put("a", 1, 4);
    cache.put("b", 2, 4);
    cache.put("c", 3, 2);
    assertThat(cache.put("d", 4, 7)).isTrue();
    assertThat(keys(cache)).containsExactly("c", "d");
    assertThat(cache.weight()).isEqualTo(9);
  }

  @Test
  void anEntryAboveTheLimitRemovesOnlyItsPredecessor() {
    LruCache<String, Integer> cache = new LruCache<>(10);
    cache.put("a", 1, 4);
    cache.put("b", 2, 4);
    assertThat(cache.put("a", 3, 11)).isFalse();
    assertThat(keys(cache)).containsExactly("b");
    assertThat(cache.weight()).isEqualTo(4);
  }

  @Test
  void anotherValueOfAKeyTakesItsPlace() {
    LruCache<String, Integer> cache = new LruCache<>(10);
    cache.put("a", 1, 4);
    cache.put("a", 2, 6);
    assertThat(cache.get("a")).isEqualTo(2);
    assertThat(cache.weight()).isEqualTo(6);
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void refusesNegativeNumbers() {
    assertThatThrownBy(() -> new LruCache<>(-1)).isInstanceOf(IllegalArgumentException.class);
    LruCache<String, Integer> cache = new LruCache<>(1);
    assertThatThrownBy(() -> cache.put("a", 1, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Compared with a list of (key, value, weight) in the order of use. */
  @Test
  void randomOperationsAgreeWithAList() {
    Seeds.run(1, LruCacheTest::compareWithList);
  }

  private static void compareWithList(Random random) {
    LruCache<Integer, Integer> cache = new LruCache<>(50);
    List<int[]> model = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      int key = random.nextInt(20);
      switch (random.nextInt(8)) {
        case 0 -> {
          Integer expected = take(model, key);
          assertThat(cache.remove(key)).isEqualTo(expected);
        }
        case 1 -> {
          int below = random.nextInt(6);
          model.removeIf(entry -> entry[0] < below && entry[1] % 2 == 0);
          cache.removeIf((k, value) -> k < below && value % 2 == 0);
        }
        case 2, 3, 4 -> {
          int weight = random.nextInt(60);
          take(model, key);
          if (weight <= 50) {
            model.add(new int[] {key, step, weight});
          }
          while (weight(model) > 50) {
            model.removeFirst();
          }
          assertThat(cache.put(key, step, weight)).isEqualTo(weight <= 50);
        }
        default -> {
          int[] found = model.stream().filter(e -> e[0] == key).findFirst().orElse(null);
          assertThat(cache.get(key)).isEqualTo(found == null ? null : (Integer) found[1]);
          if (found != null) {
            model.remove(found);
            model.add(found);
          }
        }
      }
      assertThat(cache.weight()).isEqualTo(weight(model));
      assertThat(keys(cache)).isEqualTo(model.stream().map(e -> e[0]).toList());
    }
    cache.clear();
    assertThat(cache.size()).isZero();
    assertThat(cache.weight()).isZero();
  }

  private static Integer take(List<int[]> model, int key) {
    for (int[] entry : model) {
      if (entry[0] == key) {
        model.remove(entry);
        return entry[1];
      }
    }
    return null;
  }

  private static long weight(List<int[]> model) {
    return model.stream().mapToLong(entry -> entry[2]).sum();
  }

  private static <K> List<K> keys(LruCache<K, ?> cache) {
    List<K> keys = new ArrayList<>();
    cache.removeIf((key, value) -> !keys.add(key));
    return keys;
  }
}
