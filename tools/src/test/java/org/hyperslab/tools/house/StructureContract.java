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
 * Checks that packages use each other as the table in a DESIGN.md says, and that none is large.
 * Each set of packages that has such a table has a subclass.
 */
abstract class StructureContract {

  private final Path design;
  private final String root;
  private final String title;
  private final int mostTypes;
  private final JavaClasses classes;

  /**
   * Creates a check.
   *
   * @param design the page with the table, from the root of the tree
   * @param title the heading above the table; the table ends before the next heading
   * @param root the name with which the names of all packages begin
   * @param mostTypes the most top-level types of a package
   */
  StructureContract(String design, String title, String root, int mostTypes) {
    this.design = Path.of(System.getProperty("hyperslab.root")).resolve(design);
    this.title = title;
    this.root = root;
    this.mostTypes = mostTypes;
    this.classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(root);
  }

  /** A row of the table: the package, what it does, and the packages that it uses. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|[^|]*\\|([^|]*)\\|$");

  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

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
    sizes.values().removeIf(size -> size <= mostTypes);
    assertThat(sizes).as("packages of more than %d types", mostTypes).isEmpty();
  }

  private Map<String, Set<String>> stated() throws IOException {
    Map<String, Set<String>> table = new LinkedHashMap<>();
    Matcher rows = ROW.matcher(section());
    while (rows.find()) {
      Set<String> uses = new TreeSet<>();
      NAME.matcher(rows.group(2)).results().map(StructureContract::name).forEach(uses::add);
      table.put(rows.group(1), uses);
    }
    assertThat(table).as("the table of packages in %s", design).isNotEmpty();
    return table;
  }

  /** Returns what is below the heading. */
  private String section() throws IOException {
    String page = Files.readString(design);
    int start = page.indexOf("\n" + title + "\n");
    assertThat(start).as("the heading %s in %s", title, design).isNotNegative();
    int next = page.indexOf("\n## ", start + title.length());
    return page.substring(start, next < 0 ? page.length() : next);
  }

  private static String name(MatchResult found) {
    return found.group(1);
  }

  private Map<String, Set<String>> used() {
    Map<String, Set<String>> uses = new TreeMap<>();
    graph()
        .forEach((type, needed) -> {
          Set<String> own = uses.computeIfAbsent(packageOf(type), _ -> new TreeSet<>());
          needed.stream()
              .map(StructureContract::packageOf)
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
  private Map<String, Set<String>> graph() {
    Map<String, Set<String>> graph = new TreeMap<>();
    for (JavaClass each : classes) {
      String type = topLevel(each);
      if (!type.endsWith("-info")) {
        Set<String> needed = graph.computeIfAbsent(type, _ -> new TreeSet<>());
        for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
          String other = topLevel(dependency.getTargetClass().getBaseComponentType());
          if (other.startsWith(root) && !other.equals(type)) {
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
