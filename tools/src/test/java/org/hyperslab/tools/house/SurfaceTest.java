package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that simple names are unique, few types are public, and files stay short. */
final class SurfaceTest {

  private static final Path ROOT = Path.of(System.getProperty("hyperslab.root")).normalize();
  private static final Pattern PUBLIC = Pattern.compile("(?m)^public ");

  /**
   * The greatest number of lines of a file; a longer file must justify itself in its class comment.
   * Documentation comments do not count, because every parameter of the public API has a line of
   * its own.
   */
  private static final int MAX_LINES = 600;

  private static final Pattern DOCUMENTATION = Pattern.compile("(?s)/\\*\\*.*?\\*/\\n?");

  /**
   * The greatest number of public top-level types in the exported packages of a module; raised only
   * with a reason in the commit. Public types of other packages promise nothing outside the module.
   */
  private static final Map<String, Integer> MAX_PUBLIC =
      Map.ofEntries(
          Map.entry("benchmarks", 6),
          Map.entry("convert", 7),
          Map.entry("examples", 25),
          Map.entry("format", 182),
          Map.entry("interchange", 9),
          Map.entry("netcdf", 18),
          Map.entry("plugins/codec", 5),
          Map.entry("plugins/compacting", 29),
          Map.entry("plugins/configured", 4),
          Map.entry("plugins/forwarding", 25),
          Map.entry("plugins/jhdf", 2),
          Map.entry("plugins/libhdf5", 2),
          Map.entry("plugins/log", 2),
          Map.entry("plugins/mpiio/binding", 22),
          Map.entry("plugins/mpiio/connector", 6),
          Map.entry("plugins/mpiio/io", 109),
          Map.entry("plugins/mpiio/machine", 23),
          Map.entry("plugins/mpiio/placement", 2),
          Map.entry("plugins/mpiio/baselines", 1),
          Map.entry("plugins/mpiio/simulation", 5),
          Map.entry("plugins/native", 25),
          Map.entry("remote", 1),
          // Without a descriptor, because Spark's jars share packages: every public type counts.
          Map.entry("spark", 18),
          Map.entry("testkit", 25),
          Map.entry("testkit/stores", 6),
          Map.entry("testkit/support", 13),
          Map.entry("tools", 57),
          Map.entry("vol/api", 20),
          Map.entry("vol/model", 38),
          Map.entry("vol/spi", 37),
          Map.entry("web", 3));

  @Test
  void noSimpleNameStandsForTwoTypes() throws IOException {
    Map<String, List<String>> places = new TreeMap<>();
    for (Path source : types("/src/main/java/", "/src/test/java/")) {
      places
          .computeIfAbsent(source.getFileName().toString(), name -> new ArrayList<>())
          .add(ROOT.relativize(source).toString());
    }
    places.values().removeIf(each -> each.size() == 1);
    assertThat(places).as("names that stand for several types").isEmpty();
  }

  @Test
  void fewTypesArePublic() throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    for (Path source : types("/src/main/java/")) {
      if (isExported(source) && PUBLIC.matcher(Files.readString(source)).find()) {
        counts.merge(module(source), 1, Integer::sum);
      }
    }
    Map<String, String> over = new TreeMap<>();
    counts.forEach((module, count) -> {
      Integer most = MAX_PUBLIC.get(module);
      if (most == null || count > most) {
        over.put(module, count + " public types, expected at most " + most);
      }
    });
    assertThat(over).isEmpty();
  }

  @Test
  void filesStayShort() throws IOException {
    Map<String, Long> tooLong = new TreeMap<>();
    for (Path source : types("/src/main/java/")) {
      String code = DOCUMENTATION.matcher(Files.readString(source)).replaceAll("");
      long count = code.lines().count();
      if (count > MAX_LINES) {
        tooLong.put(ROOT.relativize(source).toString(), count);
      }
    }
    assertThat(tooLong).isEmpty();
  }

  /**
   * Returns whether the package of a type is exported; in a module without a descriptor, each is.
   */
  private static boolean isExported(Path source) throws IOException {
    Path root = ROOT.resolve(module(source)).resolve("src/main/java");
    Path descriptor = root.resolve("module-info.java");
    String name = root.relativize(source.getParent()).toString().replace('/', '.');
    return !Files.exists(descriptor)
        || Pattern.compile("(?m)^ *exports " + Pattern.quote(name) + "(;| to)")
            .matcher(Files.readString(descriptor))
            .find();
  }

  private static String module(Path source) {
    String path = ROOT.relativize(source).toString();
    return path.substring(0, path.indexOf("/src/main/java/"));
  }

  private static List<Path> types(String... folders) throws IOException {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all.filter(p -> p.toString().endsWith(".java"))
          .filter(p -> Arrays.stream(folders).anyMatch(p.toString()::contains))
          .filter(p -> !p.toString().contains("/target/"))
          .filter(p -> !p.getFileName().toString().endsWith("-info.java"))
          .toList();
    }
  }
}
