package org.hyperslab.simulation.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Tests the queue of events and the map of longs against those of the JDK. */
final class EventQueueTest {

  @Test
  void numbersComeByTimeThenByNumber() {
    Seeds.runFixed(
        50,
        random -> {
          EventQueue queue = new EventQueue(1);
          TreeMap<Integer, Double> model = new TreeMap<>();
          for (int turn = 0; turn < 500; turn++) {
            int id = random.nextInt(60);
            switch (random.nextInt(4)) {
              case 0 -> {
                queue.remove(id);
                model.remove(id);
              }
              case 1 -> {
                if (!model.isEmpty()) {
                  int first = first(model);
                  assertThat(queue.nextTime()).isEqualTo(model.get(first));
                  assertThat(queue.poll()).isEqualTo(first);
                  model.remove(first);
                }
              }
              default -> {
                double time = random.nextInt(20);
                queue.set(id, time);
                model.put(id, time);
              }
            }
            assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
          }
        });
  }

  private static int first(TreeMap<Integer, Double> model) {
    return model.entrySet().stream()
        .min(
            Map.Entry.<Integer, Double>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .orElseThrow()
        .getKey();
  }

  @Test
  void appendedNumbersComeByTimeAndAClearedQueueIsEmpty() {
    Seeds.runFixed(
        50,
        random -> {
          EventQueue queue = new EventQueue(1);
          for (int turn = 0; turn < 3; turn++) {
            TreeMap<Integer, Double> model = new TreeMap<>();
            for (int i = random.nextInt(200); i > 0; i--) {
              int id = random.nextInt(1000);
              if (!model.containsKey(id)) {
                queue.append(id, random.nextInt(20));
                model.put(id, 0.0);
              }
            }
            queue.order();
            int taken = random.nextInt(model.size() + 1);
            double time = 0;
            for (int i = 0; i < taken; i++) {
              assertThat(queue.nextTime()).isGreaterThanOrEqualTo(time);
              time = queue.nextTime();
              assertThat(model.remove(queue.poll())).isNotNull();
            }
            assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
            queue.clear();
            assertThat(queue.isEmpty()).isTrue();
          }
        });
  }

  @Test
  void longsKeepTheirNumbersWhenOthersAreRemoved() {
    Seeds.runFixed(
        50,
        random -> {
          LongNumbers numbers = new LongNumbers();
          Map<Long, Integer> model = new HashMap<>();
          for (int turn = 0; turn < 2000; turn++) {
            long key = (long) random.nextInt(40) << 32 | random.nextInt(5);
            if (random.nextInt(3) == 0) {
              numbers.remove(key);
              model.remove(key);
            } else {
              int value = random.nextInt(1000);
              numbers.put(key, value);
              model.put(key, value);
            }
            assertThat(numbers.size()).isEqualTo(model.size());
          }
          for (long high = 0; high < 40; high++) {
            for (long low = 0; low < 5; low++) {
              long key = high << 32 | low;
              assertThat(numbers.get(key)).isEqualTo(model.getOrDefault(key, -1));
            }
          }
        });
  }
}
