package org.hyperslab.plugins.nativevol.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the search for raw data at the end of a file. */
final class TailExtentsTest {

  private record Extent(long address, long sizeBytes) implements MovableExtent {
    @Override
    public void refer(long newAddress) {
      throw new AssertionError("moved");
    }
  }

  private final Map<Long, List<MovableExtent>> extents =
      Map.of(
          1L, List.of(new Extent(0, 10)),
          2L, List.of(new Extent(10, 20), new Extent(50, 50)),
          3L, List.of(new Extent(30, 20)));
  private final List<Long> opened = new ArrayList<>();
  private final TailExtents tail =
      new TailExtents(
          ends(),
          header -> {
            opened.add(header);
            return extents.get(header);
          });

  private static PlacedEnds ends() {
    PlacedEnds ends = new PlacedEnds();
    ends.add(1, 10);
    ends.add(2, 100);
    ends.add(3, 60);
    return ends;
  }

  @Test
  void opensNoDatasetThatEndsBeforeTheAddress() {
    assertThat(tail.endingAt(100)).contains(new Extent(50, 50));
    assertThat(opened).containsExactly(2L);
    assertThat(tail.endingAt(61)).isEmpty();
    assertThat(opened).containsExactly(2L);
  }

  @Test
  void findsExtentsOfDatasetsThatWereOpenedBefore() {
    assertThat(tail.endingAt(100)).isPresent();
    assertThat(tail.endingAt(50)).contains(new Extent(30, 20));
    assertThat(tail.endingAt(30)).contains(new Extent(10, 20));
    assertThat(tail.endingAt(10)).contains(new Extent(0, 10));
    assertThat(opened).containsExactly(2L, 3L, 1L);
  }
}
