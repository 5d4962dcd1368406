package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the figures of the README are those of the tables that it refers to. */
final class ReadmeFiguresTest {

  private static final Path ROOT = Path.of(System.getProperty("hyperslab.root")).normalize();

  /** Where a figure is found: the first cell of a row, and the index of the cell with the ratio. */
  private record Place(String row, int cell) {}

  /** The places of the figures of each row, by the first cell in the README. */
  private static final Map<String, List<Place>> PLACES = places();

  private static final Pattern IN_BRACKETS = Pattern.compile("\\d+ \\((\\d+\\.\\d+)\\)");
  private static final Pattern NUMBER = Pattern.compile("\\d+\\.\\d+");

  private static Map<String, List<Place>> places() {
    Map<String, List<Place>> all = new LinkedHashMap<>();
    all.put(
        "1 GiB contiguous: write, read",
        List.of(new Place("contiguous/write", 3), new Place("contiguous/read", 3)));
    all.put(
        "every second element: write, read",
        List.of(
            new Place("every second element/file, write", 3),
            new Place("every second element/file, read", 3)));
    all.put(
        "shuffle and deflate: write, read",
        List.of(
            new Place("shuffle and deflate 4, 256 MiB/write", 3),
            new Place("shuffle and deflate 4, 256 MiB/read", 3)));
    all.put(
        "100,000 small datasets: create", List.of(new Place("100,000 small datasets/create", 3)));
    all.put(
        "256³ by 8 ranks, written",
        List.of(new Place("OMPIO, default", 1), new Place("ROMIO (Open MPI), independent", 1)));
    all.put(
        "FLASH checkpoint by 4 ranks: the job's 1,600th file, its 5,000th",
        List.of(new Place("C, independent", 3), new Place("ext4, native memory (20 turns)", 4)));
    all.put(
        "FLASH checkpoint by 4 ranks: the job's 500th file",
        List.of(new Place("both collective (25 turns)", 4)));
    return all;
  }

  @Test
  void figuresAreThoseOfTheTables() throws IOException {
    List<List<String>> results = rows(ROOT.resolve("benchmarks/RESULTS.md"));
    List<List<String>> readme = rows(ROOT.resolve("README.md"));
    for (Map.Entry<String, List<Place>> row : PLACES.entrySet()) {
      List<String> shown = List.of(row(readme, row.getKey()).getLast().split(", "));
      assertThat(shown).as(row.getKey()).hasSameSizeAs(row.getValue());
      for (int i = 0; i < shown.size(); i++) {
        Place place = row.getValue().get(i);
        String cell = row(results, place.row).get(place.cell);
        BigDecimal figure = new BigDecimal(shown.get(i));
        assertThat(figure)
            .as("%s, from %s", row.getKey(), place)
            .isEqualTo(ratio(cell).setScale(figure.scale(), RoundingMode.HALF_UP));
      }
    }
  }

  @Test
  void everyFigureHasAPlace() throws IOException {
    List<String> shown = new ArrayList<>();
    for (List<String> row : rows(ROOT.resolve("README.md"))) {
      if (row.size() == 3 && NUMBER.matcher(row.getLast()).lookingAt()) {
        shown.add(row.getFirst());
      }
    }
    assertThat(shown).containsExactlyElementsOf(PLACES.keySet());
  }

  /** Returns the ratio in a cell: the number, or that in brackets after a rate. */
  private static BigDecimal ratio(String cell) {
    Matcher after = IN_BRACKETS.matcher(cell);
    Matcher first = NUMBER.matcher(cell);
    return new BigDecimal(
        after.matches() ? after.group(1) : first.find() ? first.group() : "no number in " + cell);
  }

  private static List<String> row(List<List<String>> rows, String first) {
    List<List<String>> found = rows.stream().filter(row -> row.getFirst().equals(first)).toList();
    assertThat(found).as(first).hasSize(1);
    return found.getFirst();
  }

  private static List<List<String>> rows(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith("| "))
        .map(line -> List.of(line.substring(2, line.lastIndexOf(" |")).split(" \\| ")))
        .toList();
  }
}
