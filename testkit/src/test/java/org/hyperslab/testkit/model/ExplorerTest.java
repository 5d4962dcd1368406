package org.hyperslab.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ExplorerTest {

  /** A counter that is doubled or increased, up to a limit. */
  private record Counting(int limit, int forbidden, int last) implements Protocol<Integer> {
    @Override
    public List<Integer> starts() {
      return List.of(1);
    }

    @Override
    public List<Step<Integer>> steps(Integer state) {
      List<Step<Integer>> steps = new ArrayList<>();
      if (state < limit) {
        steps.add(new Step<>("one more", state + 1));
      }
      if (2 * state <= limit) {
        steps.add(new Step<>("twice", 2 * state));
      }
      return steps;
    }

    @Override
    public Optional<String> broken(Integer state) {
      return state == forbidden ? Optional.of("forbidden") : Optional.empty();
    }

    @Override
    public boolean mayEnd(Integer state) {
      return state == last;
    }
  }

  @Test
  void allStatesAreVisited() {
    assertThat(Explorer.explore(new Counting(20, 99, 20), 100))
        .isEqualTo(new Explorer.Found(20, 6, Optional.empty(), List.of()));
  }

  @Test
  void theShortestWayToABrokenPromiseIsTold() {
    Explorer.Found found = Explorer.explore(new Counting(20, 9, 20), 100);
    assertThat(found.trouble()).contains("forbidden");
    assertThat(found.way()).hasSize(4).endsWith("one more");
  }

  @Test
  void aStateThatLeadsToNoEndIsTold() {
    Explorer.Found found = Explorer.explore(new Counting(20, 99, 10), 100);
    assertThat(found.trouble()).contains(Explorer.NO_END);
    assertThat(found.way()).hasSize(4); // 1, 2, 4, 8, 16
  }

  @Test
  void tooManyStatesAreAnError() {
    assertThatThrownBy(() -> Explorer.explore(new Counting(1000, -1, 1000), 100))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("more than 100 states");
  }
}
