package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the names of settings, as the guide lists them, are spelled in one way. */
final class PropertyNamesTest {

  private static final Path GUIDE =
      Path.of(System.getProperty("hyperslab.root"), "docs", "properties.md");

  private static final Pattern CAMEL =
      Pattern.compile("[a-z][a-z0-9]*([A-Z][a-z0-9]*)*(\\.[a-z][a-z0-9]*([A-Z][a-z0-9]*)*)*");
  private static final Pattern SNAKE = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
  private static final Pattern CAPITALS = Pattern.compile("[A-Z][A-Z0-9]*(_[A-Z0-9]+)*");

  /** The spelling of the names in the first column, by the head of that column. */
  private static final Map<String, Pattern> SPELLINGS =
      Map.of("property", CAMEL, "hints", SNAKE, "variable", CAPITALS);

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  /** An option of a connector: a word in quotes, with values after it or not. */
  private static final Pattern OPTION = Pattern.compile("`([A-Za-z.-]+)(=[^`]*)?`");

  @Test
  void namesAreSpelledInOneWay() throws IOException {
    List<String> wrong = new ArrayList<>();
    int names = 0;
    String head = "";
    for (String line : Files.readAllLines(GUIDE)) {
      String first = line.startsWith("| ") ? line.substring(2).split(" \\| ")[0] : "";
      if (first.isEmpty()) {
        head = line.startsWith("|--") ? head : "";
      } else if (head.isEmpty()) {
        head = first;
      } else if (SPELLINGS.containsKey(head)) {
        names += check(first, NAME, SPELLINGS.get(head), wrong);
      } else if (head.equals("connector")) {
        names += check(line.substring(first.length() + 4), OPTION, CAMEL, wrong);
      }
    }
    assertThat(names).isGreaterThan(60);
    assertThat(wrong).isEmpty();
  }

  private static int check(String cell, Pattern name, Pattern spelling, List<String> wrong) {
    int names = 0;
    Matcher found = name.matcher(cell);
    while (found.find()) {
      names++;
      if (!spelling.matcher(found.group(1)).matches()) {
        wrong.add(found.group(1));
      }
    }
    return names;
  }
}
