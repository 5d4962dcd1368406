package org.hyperslab.machine.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.jgrapht.alg.matching.KuhnMunkresMinimalWeightBipartitePerfectMatching;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.junit.jupiter.api.Test;

/** Compares the solver of assignment problems with the Hungarian method and JGraphT's solver. */
final class LinearAssignmentTest {

  @Test
  void costsEqualThoseOfTheHungarianMethod() {
    Seeds.run(Effort.times(400, 20_000), LinearAssignmentTest::checkDense);
  }

  private static double[][] randomMatrix(Random random, int rows, int columns) {
    int range = 1 << random.nextInt(12); // small ranges have many ties
    int sign = random.nextInt(2);
    double[][] matrix = new double[rows][columns];
    for (double[] row : matrix) {
      Arrays.setAll(row, i -> random.nextInt(range) - (double) sign * range);
    }
    return matrix;
  }

  private static void checkDense(Random random) {
    int rows = random.nextInt(14);
    double[][] matrix = randomMatrix(random, rows, rows + random.nextInt(3) * random.nextInt(20));
    LinearAssignment solved = LinearAssignment.solve(CostRows.of(matrix));
    checkIsAssignment(solved, matrix);
    assertThat(solved.cost()).isEqualTo(Hungarian.leastCost(matrix));
  }

  private static void checkIsAssignment(LinearAssignment solved, double[][] matrix) {
    int[] columns = solved.columnOfRow();
    assertThat(Arrays.stream(columns).distinct().count()).isEqualTo(matrix.length);
    double sum = 0;
    for (int row = 0; row < columns.length; row++) {
      sum += matrix[row][columns[row]];
    }
    assertThat(solved.cost()).isEqualTo(sum);
  }

  @Test
  void sparseCostsEqualThoseOfTheHungarianMethod() {
    Seeds.run(Effort.times(400, 20_000), LinearAssignmentTest::checkSparse);
  }

  /**
   * Compares sparse problems with dense ones in which forbidden pairs have a cost that shows in the
   * sum.
   */
  private static void checkSparse(Random random) {
    double forbidden = 1e9;
    int rows = 1 + random.nextInt(12);
    int columns = rows + random.nextInt(6);
    double[][] matrix = randomMatrix(random, rows, columns);
    double share = random.nextDouble();
    for (double[] row : matrix) {
      int kept = random.nextInt(columns);
      for (int i = 0; i < columns; i++) {
        row[i] = i != kept && random.nextDouble() < share ? forbidden : row[i];
      }
    }
    double least = Hungarian.leastCost(matrix);
    if (least > forbidden / 2) {
      assertThatThrownBy(() -> LinearAssignment.solve(sparse(matrix, forbidden)))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("at=row");
    } else {
      LinearAssignment solved = LinearAssignment.solve(sparse(matrix, forbidden));
      checkIsAssignment(solved, matrix);
      assertThat(solved.cost()).isEqualTo(least);
    }
  }

  /** The allowed pairs, columns in descending order. */
  private static CostRows sparse(double[][] matrix, double forbidden) {
    return new CostRows() {
      @Override
      public int rows() {
        return matrix.length;
      }

      @Override
      public int columns() {
        return matrix[0].length;
      }

      @Override
      public int row(int row, int[] columns, double[] costs) {
        int count = 0;
        for (int i = matrix[row].length - 1; i >= 0; i--) {
          if (matrix[row][i] != forbidden) {
            columns[count] = i;
            costs[count++] = matrix[row][i];
          }
        }
        return count;
      }
    };
  }

  @Test
  void costsEqualThoseOfJGraphT() {
    Seeds.run(
        Effort.times(20, 500),
        random -> {
          double[][] matrix = randomMatrix(random, 30, 30);
          assertThat(LinearAssignment.solve(CostRows.of(matrix)).cost())
              .isEqualTo(byJGraphT(matrix), within(1e-6));
        });
  }

  private static double byJGraphT(double[][] matrix) {
    SimpleWeightedGraph<Integer, DefaultWeightedEdge> graph =
        new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
    int n = matrix.length;
    IntStream.range(0, 2 * n).forEach(graph::addVertex);
    for (int row = 0; row < n; row++) {
      for (int column = 0; column < n; column++) {
        graph.setEdgeWeight(graph.addEdge(row, n + column), matrix[row][column]);
      }
    }
    return new KuhnMunkresMinimalWeightBipartitePerfectMatching<>(
            graph,
            IntStream.range(0, n).boxed().collect(Collectors.toSet()),
            IntStream.range(n, 2 * n).boxed().collect(Collectors.toSet()))
        .getMatching()
        .getWeight();
  }

  @Test
  void fractionalCostsEqualThoseOfTheHungarianMethod() {
    Seeds.run(
        Effort.times(100, 5000),
        random -> {
          int rows = 1 + random.nextInt(20);
          double[][] matrix = new double[rows][rows + random.nextInt(20)];
          for (double[] row : matrix) {
            Arrays.setAll(row, i -> random.nextGaussian());
          }
          assertThat(LinearAssignment.solve(CostRows.of(matrix)).cost())
              .isEqualTo(Hungarian.leastCost(matrix), within(1e-9));
        });
  }

  /** In a full run, 2,048 file domains and 65,536 ranks must take less than ten seconds. */
  @Test
  void aLargeProblemIsSolvedInTime() {
    int rows = Effort.times(512, 2048);
    int columns = Effort.times(16_384, 65_536);
    CostRows large = scattered(rows, columns);
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    long begin = clock.getCurrentThreadCpuTime();
    LinearAssignment solved = LinearAssignment.solve(large);
    double seconds = (clock.getCurrentThreadCpuTime() - begin) / 1e9;
    System.out.printf("%,d x %,d linear assignment: %.2f s%n", rows, columns, seconds);
    assertThat(Arrays.stream(solved.columnOfRow()).distinct().count()).isEqualTo(rows);
    assertThat(seconds).as("processor time").isLessThan(10);
  }

  /**
   * Returns costs of positions on a line: near ones are cheap for many rows at once, so rows
   * compete.
   */
  private static CostRows scattered(int rows, int columns) {
    return new CostRows() {
      @Override
      public int rows() {
        return rows;
      }

      @Override
      public int columns() {
        return columns;
      }

      @Override
      public int row(int row, int[] names, double[] costs) {
        SplittableRandom random = new SplittableRandom(row);
        int center = random.nextInt(columns / 8);
        for (int i = 0; i < columns; i++) {
          names[i] = i;
          costs[i] = Math.abs(i - center) * 16L + random.nextInt(64);
        }
        return columns;
      }
    };
  }

  @Test
  void refusesProblemsWithoutAssignment() {
    assertThatThrownBy(() -> LinearAssignment.solve(CostRows.of(new double[][] {{1}, {2}})))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("2 rows, 1 columns");
    assertThatThrownBy(() -> LinearAssignment.solve(CostRows.of(new double[][] {{1, Double.NaN}})))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("at=row 0, column 1");
    assertThat(LinearAssignment.solve(CostRows.of(new double[0][])).columnOfRow()).isEmpty();
  }
}
