package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares random queries of random files with xarray and pandas. */
final class RandomQueriesTest {

  private static final int QUERIES = 50;
  private static final String[] COMPARISONS = {"<", "<=", ">", ">=", "=", "<>"};

  @TempDir Path folder;

  /** A condition in two languages. */
  private record Condition(String sql, String python) {}

  @Test
  void queriesAnswerAsPandasDoes() {
    Seeds.run(
        Effort.times(2, 20),
        random -> {
          try {
            compare(random);
          } catch (Exception failure) {
            throw new AssertionError(failure);
          }
        });
  }

  private void compare(Random random) throws Exception {
    Path file = folder.resolve("queries.nc");
    Path queries = folder.resolve("queries");
    List<Condition> conditions = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      conditions.add(condition(random, 3));
    }
    Files.write(queries, conditions.stream().map(Condition::python).toList());
    Files.deleteIfExists(file);
    String seed = Integer.toString(random.nextInt(1 << 30));
    List<String> answers =
        Oracle.python("xarray", script())
            .run(seed, file.toString(), queries.toString())
            .orFail()
            .output()
            .lines()
            .toList();
    assertThat(answers).hasSize(QUERIES);
    Dataset<Row> table =
        ReadTest.reader()
            .option("variables", "/t,/n")
            .option("partitionBytes", Integer.toString(1 + random.nextInt(4000)))
            .load(file.toString());
    for (int i = 0; i < QUERIES; i++) {
      requireSame(table, conditions.get(i), answers.get(i).split(" "), seed);
    }
  }

  private static void requireSame(
      Dataset<Row> table, Condition condition, String[] expected, String seed) {
    String what = condition.sql + ", file of seed " + seed;
    Row row =
        table
            .where(condition.sql)
            .selectExpr(
                "count(*)",
                "count(t)",
                "coalesce(sum(double(t)), 0D)",
                "coalesce(sum(bigint(n)), 0L)",
                "double(min(lat))",
                "double(max(lat))",
                "unix_micros(timestamp(min(time)))",
                "unix_micros(timestamp(max(time)))")
            .first();
    assertThat(row.getLong(0)).as(what).isEqualTo(Long.parseLong(expected[0]));
    assertThat(row.getLong(1)).as(what).isEqualTo(Long.parseLong(expected[1]));
    assertThat(row.getDouble(2)).as(what).isCloseTo(Double.parseDouble(expected[2]), within(1e-6));
    assertThat(row.getLong(3)).as(what).isEqualTo(Long.parseLong(expected[3]));
    if (row.getLong(0) > 0) {
      assertThat(row.getDouble(4)).as(what).isEqualTo(Double.parseDouble(expected[4]));
      assertThat(row.getDouble(5)).as(what).isEqualTo(Double.parseDouble(expected[5]));
      assertThat(row.getLong(6)).as(what).isEqualTo(Long.parseLong(expected[6]));
      assertThat(row.getLong(7)).as(what).isEqualTo(Long.parseLong(expected[7]));
    }
    // The same rows by a condition that nobody can answer without elements.
    if (row.getLong(0) % 7 == 0) {
      assertThat(table.where(condition.sql).count()).as(what).isEqualTo(row.getLong(0));
    }
  }

  private static Condition condition(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      Condition a = condition(random, depth - 1);
      Condition b = condition(random, depth - 1);
      return random.nextBoolean()
          ? new Condition(
              "(" + a.sql + " and " + b.sql + ")", "(" + a.python + " & " + b.python + ")")
          : new Condition(
              "(" + a.sql + " or " + b.sql + ")", "(" + a.python + " | " + b.python + ")");
    }
    String operator = COMPARISONS[random.nextInt(COMPARISONS.length)];
    String python =
        switch (operator) {
          case "=" -> "==";
          case "<>" -> "!=";
          default -> operator;
        };
    return switch (random.nextInt(8)) {
      case 0, 1 -> {
        // Never a coordinate, which the two round in different ways.
        String number = String.format(Locale.ROOT, "%.2f", random.nextInt(-70, 70) + 0.05);
        yield new Condition(
            "lat " + operator + " " + number + "D", "(df.lat " + python + " " + number + ")");
      }
      case 2 -> {
        int a = 10 * random.nextInt(12);
        int b = 10 * random.nextInt(12);
        yield random.nextBoolean()
            ? new Condition("lon in (" + a + ", " + b + ")", "df.lon.isin([" + a + ", " + b + "])")
            : new Condition(
                "lon not in (" + a + ", " + b + ")", "(~df.lon.isin([" + a + ", " + b + "]))");
      }
      case 3 -> {
        String day =
            String.format(
                Locale.ROOT,
                "%s-%02d-%02d %02d:00:00",
                random.nextBoolean() ? "2020" : "2000",
                1 + random.nextInt(12),
                1 + random.nextInt(28),
                random.nextInt(24));
        yield new Condition(
            "time " + operator + " timestamp_ntz'" + day + "'",
            "(df.time " + python + " np.datetime64('" + day.replace(' ', 'T') + "'))");
      }
      case 4 -> {
        int month = 1 + random.nextInt(6);
        yield new Condition(
            "month(time) " + operator + " " + month,
            "(df.time.dt.month " + python + " " + month + ")");
      }
      case 5 -> {
        int number = random.nextInt(100);
        yield new Condition(
            "t " + operator + " " + number,
            "((df.t " + python + " " + number + ") & df.t.notna())");
      }
      case 6 ->
          random.nextBoolean()
              ? new Condition("t is null", "df.t.isna()")
              : new Condition("t is not null", "df.t.notna()");
      default -> {
        int number = random.nextInt(50);
        yield new Condition("n " + operator + " " + number, "(df.n " + python + " " + number + ")");
      }
    };
  }

  private static Path script() throws URISyntaxException {
    return Path.of(RandomQueriesTest.class.getResource("random_queries.py").toURI());
  }
}
