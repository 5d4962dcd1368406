package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that CORRECTNESS.md, for users, and the index of regressions, for contributors, list the
 * same defects in the same order, and that the tests that the index names exist.
 */
final class RegressionsTest {

  private static final Path ROOT = Path.of(System.getProperty("hyperslab.root")).normalize();

  /** A row of a table whose first cell is the name of a defect, such as {@code `csv-na`}. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| (.*) \\|$");

  /** A row of a table of defects that has another form. */
  private static final Pattern OTHER_ROW =
      Pattern.compile("(?m)^\\| (?!defect \\||`[a-z0-9-]+` ).*");

  /** A line of the contents: a section and the number of its defects. */
  private static final Pattern CONTENT = Pattern.compile("(?m)^- \\[(.+)]\\(#.*\\): (\\d+)$");

  private static final Pattern TEST =
      Pattern.compile("`([A-Z]\\w*(?:Test|IT|Contract))?(?:\\.(\\w+))?`");

  /** A defect and the other cells of its row. */
  private record Row(String name, List<String> cells) {}

  @Test
  void bothPagesListTheSameDefects() throws IOException {
    List<String> users = rows("CORRECTNESS.md").stream().map(Row::name).toList();
    List<String> index = rows("testkit/REGRESSIONS.md").stream().map(Row::name).toList();

    assertThat(users).doesNotHaveDuplicates().hasSizeGreaterThan(100);
    assertThat(index).containsExactlyElementsOf(users);
  }

  @Test
  void usersAreToldWhatToDo() throws IOException {
    for (Row row : rows("CORRECTNESS.md")) {
      assertThat(row.cells)
          .as("affected; what was wrong; recognise and repair: %s", row.name)
          .hasSize(3)
          .doesNotContain("");
    }
    String tables = text("CORRECTNESS.md");
    Matcher others = OTHER_ROW.matcher(tables.substring(tables.indexOf("\n## ")));
    assertThat(others.results().map(row -> row.group()))
        .as("rows that do not have the form that CONTRIBUTING.md describes")
        .isEmpty();
  }

  @Test
  void theContentsCountTheDefectsOfEachSection() throws IOException {
    String page = text("CORRECTNESS.md");
    List<String> counted = new ArrayList<>();
    for (String section : page.split("(?m)^## ")) {
      long defects = ROW.matcher(section).results().count();
      if (defects > 0) {
        counted.add(section.lines().findFirst().orElseThrow() + ": " + defects);
      }
    }
    List<String> listed =
        CONTENT.matcher(page).results().map(line -> line.group(1) + ": " + line.group(2)).toList();

    assertThat(counted).isNotEmpty();
    assertThat(listed).isEqualTo(counted);
  }

  @Test
  void theTestsOfTheIndexExist() throws IOException {
    Map<String, String> sources = testSources();
    List<String> missing = new ArrayList<>();
    for (Row row : rows("testkit/REGRESSIONS.md")) {
      String type = null;
      int named = 0;
      Matcher test = TEST.matcher(row.cells.getLast());
      while (test.find()) {
        type = test.group(1) == null ? type : test.group(1);
        if (type == null) {
          continue;
        }
        named++;
        String source = sources.getOrDefault(type, "");
        if (source.isEmpty() || test.group(2) != null && !source.contains(test.group(2) + "(")) {
          missing.add(row.name + ": " + type + " " + test.group());
        }
      }
      if (named == 0) {
        missing.add(row.name + ": no test");
      }
    }
    assertThat(missing).as("tests that guard a repair and do not exist").isEmpty();
  }

  private static List<Row> rows(String page) throws IOException {
    return ROW.matcher(text(page))
        .results()
        .map(row -> new Row(row.group(1), List.of(row.group(2).split(" \\| ", -1))))
        .toList();
  }

  private static String text(String page) throws IOException {
    return Files.readString(ROOT.resolve(page));
  }

  /** Returns the text of each test and contract by its simple name. */
  private static Map<String, String> testSources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> all = Files.walk(ROOT)) {
      for (Path file : all.filter(RegressionsTest::isSource).toList()) {
        String name = file.getFileName().toString();
        sources.merge(
            name.substring(0, name.length() - ".java".length()),
            Files.readString(file),
            String::concat);
      }
    }
    return sources;
  }

  private static boolean isSource(Path file) {
    String name = file.toString();
    return name.matches(".*(Test|IT|Contract)\\.java") && !name.contains("/target/");
  }
}
