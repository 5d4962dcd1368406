package org.hyperslab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.junit.jupiter.api.Test;

class JavaArraysTest {

  @Test
  void flattensRectangularArraysOnly() {
    int[][] values = {{1, 2, 3}, {4, 5, 6}};
    assertThat(JavaArrays.shape(values, 2)).containsExactly(2, 3);
    List<Object> rows = new ArrayList<>();
    JavaArrays.forEachRow(values, 2, rows::add);
    assertThat(rows).containsExactly(values[0], values[1]);
    assertThat((int[][]) JavaArrays.create(int.class, new long[] {2, 3}))
        .isDeepEqualTo(new int[2][3]);
    assertThatThrownBy(() -> JavaArrays.shape(new int[][] {{1}, {2, 3}}, 2))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("a row of length 2");
  }
}
