package org.hyperslab.format.index.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hyperslab.error.InvalidUseException;
import org.junit.jupiter.api.Test;

final class ChunkIndexKindTest {

  private static final long U = ChunkGrid.UNLIMITED;

  private static ChunkIndexKind choose(
      long[] dims, long[] maxDims, boolean filtered, boolean early, boolean modern) {
    ChunkGrid grid = new ChunkGrid(dims, maxDims, new long[] {4, 6}, 8, filtered, modern ? 4 : 3);
    return ChunkIndexKind.choose(grid, early, modern);
  }

  @Test
  void choosesTheSameAsTheLibrary() {
    long[] chunk = {4, 6};
    long[] larger = {8, 6};
    assertThat(choose(chunk, chunk, true, false, true)).isEqualTo(ChunkIndexKind.SINGLE);
    assertThat(choose(chunk, chunk, false, true, true)).isEqualTo(ChunkIndexKind.SINGLE);
    assertThat(choose(chunk, larger, false, false, true)).isEqualTo(ChunkIndexKind.FIXED_ARRAY);
    assertThat(choose(larger, larger, false, true, true)).isEqualTo(ChunkIndexKind.IMPLICIT);
    assertThat(choose(larger, larger, true, true, true)).isEqualTo(ChunkIndexKind.FIXED_ARRAY);
    assertThat(choose(chunk, new long[] {4, U}, true, true, true))
        .isEqualTo(ChunkIndexKind.EXTENSIBLE_ARRAY);
    assertThat(choose(chunk, new long[] {U, U}, false, true, true))
        .isEqualTo(ChunkIndexKind.BTREE_V2);
    assertThat(choose(chunk, chunk, false, false, false)).isEqualTo(ChunkIndexKind.BTREE_V1);
    assertThat(choose(chunk, new long[] {U, U}, false, false, false))
        .isEqualTo(ChunkIndexKind.BTREE_V1);
  }

  @Test
  void codesAreThoseOfTheLayoutMessage() {
    for (ChunkIndexKind kind : ChunkIndexKind.values()) {
      if (kind != ChunkIndexKind.BTREE_V1) {
        assertThat(ChunkIndexKind.ofCode(kind.code())).isEqualTo(kind);
      }
      assertThat(ChunkIndexSpec.standard(kind).kind()).isEqualTo(kind);
    }
    assertThat(ChunkIndexKind.EXTENSIBLE_ARRAY.code()).isEqualTo(4);
    assertThatThrownBy(() -> ChunkIndexKind.ofCode(6)).isInstanceOf(InvalidUseException.class);
    assertThatThrownBy(() -> ChunkIndexKind.ofCode(0)).isInstanceOf(InvalidUseException.class);
  }
}
