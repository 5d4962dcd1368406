package org.hyperslab.machine.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Compares matrices of communication between ranks with the examples of the papers; tests their
 * text form.
 */
final class ApplicationMatrixTest {

  private static final int[] ORDER = {
    0, 4, 1, 0, 4, 1, 5, 2, 3, 4, 1, 3, 2, 5, 4, 2, 5, 4, 0, 4, 1
  };

  private static long[][] dense(ApplicationMatrix matrix) {
    long[][] dense = new long[matrix.ranks()][matrix.ranks()];
    for (int a = 0; a < dense.length; a++) {
      for (int b = 0; b < dense.length; b++) {
        dense[a][b] = matrix.amount(a, b);
      }
    }
    return dense;
  }

  /** The vectors of Venkatesan (2013) and Gabriel (2012). */
  @Test
  void ordersOfThePapersYieldTheirMatrices() {
    assertThat(dense(ApplicationMatrix.ofOrder(6, ORDER)))
        .isDeepEqualTo(
            new long[][] {
              {0, 1, 0, 0, 4, 0},
              {1, 0, 0, 1, 4, 1},
              {0, 0, 0, 2, 1, 3},
              {0, 1, 2, 0, 1, 0},
              {4, 4, 1, 1, 0, 2},
              {0, 1, 3, 0, 2, 0}
            });
    assertThat(dense(ApplicationMatrix.ofOrder(4, 0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3)))
        .isDeepEqualTo(new long[][] {{0, 7, 0, 0}, {7, 0, 1, 0}, {0, 1, 0, 7}, {0, 0, 7, 0}});
  }

  /** Venkatesan's 2x4 grid: 4 for the same coordinate in the outermost dimension. */
  @Test
  void gridsReturnTheirRows() {
    assertThat(dense(ApplicationMatrix.ofGrid(2, 4))[5]).containsExactly(0, 0, 0, 0, 4, 0, 4, 4);
    assertThat(ApplicationMatrix.ofGrid(8, 16).entries()).isEqualTo(128 * 15);
    assertThatThrownBy(() -> ApplicationMatrix.ofGrid(4, 0))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("[4, 0]");
    assertThatThrownBy(() -> ApplicationMatrix.ofGrid(1, 1 << 16))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("pairs in rows");
  }

  @Test
  void piecesOfViewsAreTakenInTheOrderOfTheFile() {
    List<ApplicationMatrix.Piece> pieces = new ArrayList<>();
    for (int i = 0; i < ORDER.length; i++) {
      pieces.add(new ApplicationMatrix.Piece(ORDER[i], 100L * i, 100));
    }
    pieces.add(new ApplicationMatrix.Piece(3, 150, 0));
    Collections.shuffle(pieces, new Random(Seeds.draw()));
    assertThat(dense(ApplicationMatrix.ofPieces(6, pieces)))
        .isDeepEqualTo(dense(ApplicationMatrix.ofOrder(6, ORDER)));
    assertThatThrownBy(
            () -> ApplicationMatrix.ofPieces(2, List.of(new ApplicationMatrix.Piece(0, -1, 4))))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("offset=-1");
  }

  @Test
  void textRoundTrips() {
    Seeds.run(
        30,
        random -> {
          int ranks = 1 + random.nextInt(20);
          int[] order = random.ints(random.nextInt(100), 0, ranks).toArray();
          ApplicationMatrix matrix = ApplicationMatrix.ofOrder(ranks, order);
          ApplicationMatrix read = MatrixText.read("text", MatrixText.write(matrix));
          assertThat(dense(read)).isDeepEqualTo(dense(matrix));
        });
    assertThat(dense(MatrixText.read("text", "ranks 3 # three\norder 0 1\norder 1 2 1\n")))
        .isDeepEqualTo(new long[][] {{0, 1, 0}, {1, 0, 2}, {0, 2, 0}});
  }

  @Test
  void readsPiecesFromText() {
    String text = "ranks 3\npiece 2 20 10\npiece 0 0 10\npiece 1 10 10\n";
    assertThat(dense(MatrixText.read("text", text)))
        .isDeepEqualTo(new long[][] {{0, 1, 0}, {1, 0, 1}, {0, 1, 0}});
  }

  @Test
  void wrongTextIsRefusedWithLineAndField() {
    Map<String, String> wrong =
        Map.of(
            "", "line 1, field ranks",
            "ranks two", "line 1, field ranks",
            "ranks 70000", "line 1, field ranks",
            "ranks 3\n\n0: 1=1 3=2", "line 3, field entry 2",
            "ranks 3\n0: 1", "line 2, field entry 1",
            "ranks 3\n1: 0=5", "line 2, field entry 1",
            "ranks 3\n7: 1=1", "line 2, field rank",
            "ranks 3\norder 0 1 x", "line 2, field piece 3",
            "ranks 3\npiece 0 5", "line 2, field piece",
            "ranks 3\n0 1=1", "line 2, field rank");
    wrong.forEach((text, at) ->
        assertThatThrownBy(() -> MatrixText.read("matrix.txt", text))
            .as(text)
            .isInstanceOf(InvalidUseException.class)
            .hasMessageContaining("matrix.txt, " + at));
  }

  @Test
  void matricesMustBeSymmetric() {
    assertThatThrownBy(() -> ApplicationMatrix.of(new long[][] {{0, 1}, {2, 0}}))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("row 0 column 1");
    assertThatThrownBy(() -> ApplicationMatrix.of(new long[][] {{0, 1}}))
        .isInstanceOf(InvalidUseException.class);
    assertThatThrownBy(() -> ApplicationMatrix.ofOrder(2, 0, 2))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("rank 2");
  }
}
