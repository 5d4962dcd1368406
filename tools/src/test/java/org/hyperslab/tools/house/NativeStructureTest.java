package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests that the packages of the native connector use each other as the table in its DESIGN.md
 * says, and that none is large.
 */
final class NativeStructureTest {

  private static final Path DESIGN =
      Path.of(System.getProperty("hyperslab.root")).resolve("plugins/native/DESIGN.md");

  private static final String ROOT = "org.hyperslab.plugins.nativevol";

  private static final int MOST_TYPES = 30;

  /** A row of the table: the package, what it does, and the packages that it uses. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|[^|]*\\|([^|]*)\\|$");

  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  @Test
  void packagesUseThoseOfTheTable() throws IOException {
    assertThat(used()).isEqualTo(stated());
  }

  @Test
  void packagesUseOnlyThoseBelowThemInTheTable() throws IOException {
    Set<String> above = new HashSet<>();
    stated()
        .forEach((name, uses) -> {
          above.add(name);
          assertThat(uses).as(name).doesNotContainAnyElementsOf(above);
        });
  }

  @Test
  void packagesAreSmall() {
    Map<String, Integer> sizes = new TreeMap<>();
    graph().keySet().forEach(type -> sizes.merge(packageOf(type), 1, Integer::sum));
    sizes.values().removeIf(size -> size <= MOST_TYPES);
    assertThat(sizes).as("packages of more than %d types", MOST_TYPES).isEmpty();
  }

  private static Map<String, Set<String>> stated() throws IOException {
    Map<String, Set<String>> table = new LinkedHashMap<>();
    Matcher rows = ROW.matcher(Files.readString(DESIGN));
    while (rows.find()) {
      Set<String> uses = new TreeSet<>();
      NAME.matcher(rows.group(2)).results().map(NativeStructureTest::name).forEach(uses::add);
      table.put(rows.group(1), uses);
    }
    assertThat(table).as("the table of packages in %s", DESIGN).isNotEmpty();
    return table;
  }

  private static String name(MatchResult found) {
    return found.group(1);
  }

  private static Map<String, Set<String>> used() {
    Map<String, Set<String>> uses = new TreeMap<>();
    graph()
        .forEach((type, needed) -> {
          Set<String> own = uses.computeIfAbsent(packageOf(type), _ -> new TreeSet<>());
          needed.stream()
              .map(NativeStructureTest::packageOf)
              .filter(other -> !other.equals(packageOf(type)))
              .forEach(own::add);
        });
    return uses;
  }

  /** Returns the last name of a type's package. */
  private static String packageOf(String type) {
    String name = type.substring(0, type.lastIndexOf('.'));
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Returns which top-level types of the connector need which others to be compiled. */
  private static Map<String, Set<String>> graph() {
    Map<String, Set<String>> graph = new TreeMap<>();
    for (JavaClass each : CLASSES) {
      String type = topLevel(each);
      if (!type.endsWith("-info")) {
        Set<String> needed = graph.computeIfAbsent(type, _ -> new TreeSet<>());
        for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
          String other = topLevel(dependency.getTargetClass().getBaseComponentType());
          if (other.startsWith(ROOT) && !other.equals(type)) {
            needed.add(other);
          }
        }
      }
    }
    return graph;
  }

  private static String topLevel(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
