package org.hyperslab.plugins.nativevol.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.filter.FilterPipeline;
import org.junit.jupiter.api.Test;

/** Tests how extents are divided into chunks, up to the largest extent. */
final class ChunkShapeTest {

  private static ChunkShape shape(long... chunkDims) {
    return new ChunkShape(chunkDims, 1, FilterPipeline.of(List.of()), true, FillPattern.zeros());
  }

  private static long[] at(long... numbers) {
    return numbers;
  }

  @Test
  void lastChunkOfTheGreatestExtentIsPartial() {
    long most = Long.MAX_VALUE; // 7 more than a multiple of 10
    ChunkShape tens = shape(10);
    assertThat(tens.isPartialEdge(at(most / 10), at(most))).isTrue();
    assertThat(tens.isPartialEdge(at(most / 10 - 1), at(most))).isFalse();
    assertThat(tens.inside(at(most / 10), at(most))).containsExactly(7);
    assertThat(tens.isOutside(at(most / 10), at(most))).isFalse();
    assertThat(tens.isOutside(at(most / 10 + 1), at(most))).isTrue();
    assertThat(tens.isCut(at(most / 10), at(most), at(most - 1))).isTrue();
    assertThat(tens.isCut(at(most / 10), at(most - 1), at(most))).isFalse();
    long[] last = {most / 10};
    assertThat(tens.advance(last, at(most))).isFalse();
    assertThat(last).containsExactly(0);
  }

  /** A B-tree of a damaged file may list any coordinates below 2^63. */
  @Test
  void coordinatesThatNoExtentReachesAreOutside() {
    assertThat(shape(4).isOutside(at(1L << 62), at(8))).isTrue();
    assertThat(shape(4).isOutside(at(2), at(8))).isTrue();
    assertThat(shape(4).isOutside(at(1), at(8))).isFalse();
  }

  @Test
  void chunksFollowInRowMajorOrder() {
    ChunkShape shape = shape(3, 4);
    long[] extent = {4, 9};
    assertThat(shape.count(extent)).isEqualTo(6);
    List<String> visited = new ArrayList<>();
    long[] scaled = new long[2];
    do {
      long[] origin = shape.origin(scaled);
      long[] inside = shape.inside(scaled, extent);
      visited.add(origin[0] + "," + origin[1] + ":" + inside[0] + "x" + inside[1]);
    } while (shape.advance(scaled, extent));
    assertThat(visited)
        .containsExactly("0,0:3x4", "0,4:3x4", "0,8:3x1", "3,0:1x4", "3,4:1x4", "3,8:1x1");
  }

  @Test
  void numberOfChunksSaturates() {
    assertThat(shape(1, 1).count(at(1L << 40, 1L << 40))).isEqualTo(Long.MAX_VALUE);
    assertThat(shape(1, 1).count(at(0, 1L << 40))).isZero();
  }
}
