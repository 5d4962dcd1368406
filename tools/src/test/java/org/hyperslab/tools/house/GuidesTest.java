package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that every program in the README and the guides compiles as printed, and runs, and that
 * links lead to files and headings.
 */
final class GuidesTest {

  private static final Path ROOT = Path.of(System.getProperty("hyperslab.root")).normalize();

  private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

  /** A file that the programs of a guide find in their folder. */
  private static final Pattern FILE = Pattern.compile("(?ms)^```text (META-INF/\\S+)\\n(.*?)^```$");

  private static final Pattern NAME = Pattern.compile("\\bclass (\\w+)");

  /** A link to a file of the project, without its fragment. */
  private static final Pattern LINK = Pattern.compile("\\]\\((?!\\w+:)([^)#\\s]+)(?:#[^)]*)?\\)");

  /**
   * A link to a heading of a page of the project: the page, empty for the same one, and the mark.
   */
  private static final Pattern FRAGMENT =
      Pattern.compile("\\]\\((?!\\w+:)([^)#\\s]*\\.md|)#([^)\\s]+)\\)");

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");

  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  private static final int README_LINES = 120;

  @TempDir Path folder;

  /** A program, its guide, and its number in the guide, from 1. */
  private record Program(Path guide, int number, String text) {
    String className() {
      Matcher name = NAME.matcher(text);
      return name.find() ? name.group(1) : "Program" + number;
    }
  }

  @TestFactory
  Stream<DynamicTest> programsCompileAndRun() throws IOException {
    List<Program> all = new ArrayList<>();
    for (Path guide : guides()) {
      programs(guide, all);
    }
    assertThat(all).isNotEmpty();
    return all.stream()
        .map(program ->
            DynamicTest.dynamicTest(
                ROOT.relativize(program.guide) + " " + program.number, () -> run(program)));
  }

  @Test
  void readmeIsShort() throws IOException {
    assertThat(Files.readAllLines(ROOT.resolve("README.md")))
        .hasSizeLessThanOrEqualTo(README_LINES);
  }

  @Test
  void linksLeadToFiles() throws IOException {
    List<String> dead = new ArrayList<>();
    try (Stream<Path> all = Files.walk(ROOT)) {
      for (Path page : all.filter(GuidesTest::isPage).toList()) {
        Matcher links = LINK.matcher(Files.readString(page));
        while (links.find()) {
          if (!Files.exists(page.resolveSibling(links.group(1)))) {
            dead.add(ROOT.relativize(page) + ": " + links.group(1));
          }
        }
      }
    }
    assertThat(dead).as("links to files that do not exist").isEmpty();
  }

  @Test
  void fragmentsLeadToHeadings() throws IOException {
    List<String> dead = new ArrayList<>();
    try (Stream<Path> all = Files.walk(ROOT)) {
      for (Path page : all.filter(GuidesTest::isPage).toList()) {
        Matcher links = FRAGMENT.matcher(Files.readString(page));
        while (links.find()) {
          Path target = links.group(1).isEmpty() ? page : page.resolveSibling(links.group(1));
          if (Files.exists(target) && !marks(target).contains(links.group(2))) {
            dead.add(ROOT.relativize(page) + ": " + links.group(1) + "#" + links.group(2));
          }
        }
      }
    }
    assertThat(dead).as("links to headings that do not exist").isEmpty();
  }

  /** Returns the marks of a page's headings, as docs/build-site.sh makes them. */
  private static List<String> marks(Path page) throws IOException {
    String text = BLOCK.matcher(Files.readString(page)).replaceAll("");
    return HEADING
        .matcher(text)
        .results()
        .map(heading ->
            heading
                .group(1)
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9 _-]", "")
                .replace(' ', '-'))
        .toList();
  }

  private static boolean isPage(Path file) {
    return file.toString().endsWith(".md") && !file.toString().contains("/target/");
  }

  private static List<Path> guides() throws IOException {
    List<Path> guides = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    Path docs = ROOT.resolve("docs");
    if (Files.isDirectory(docs)) {
      try (Stream<Path> files = Files.walk(docs)) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(guides::add);
      }
    }
    return guides;
  }

  private static void programs(Path guide, List<Program> to) throws IOException {
    Matcher blocks = PROGRAM.matcher(Files.readString(guide));
    for (int number = 1; blocks.find(); number++) {
      to.add(new Program(guide, number, blocks.group(1)));
    }
  }

  private static void addFiles(Path guide, Path work) throws IOException {
    Matcher files = FILE.matcher(Files.readString(guide));
    while (files.find()) {
      Path file = work.resolve(files.group(1));
      Files.createDirectories(file.getParent());
      Files.writeString(file, files.group(2));
    }
  }

  /** The POM of the README names the Java and the version that this project has. */
  @Test
  void pomOfTheReadmeIsThatOfThisVersion() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    String release = between(pom, "<maven.compiler.release>", "<");
    String readme = Files.readString(ROOT.resolve("README.md"));
    assertThat(between(readme, "<maven.compiler.source>", "<")).isEqualTo(release);
    assertThat(between(readme, "<maven.compiler.target>", "<")).isEqualTo(release);
    assertThat(between(readme, "<version>", "<")).isEqualTo(between(pom, "<version>", "<"));
  }

  private static String between(String text, String begin, String end) {
    int from = text.indexOf(begin) + begin.length();
    return text.substring(from, text.indexOf(end, from));
  }

  private void run(Program program) throws Exception {
    Path work = Files.createTempDirectory(folder, "program");
    Path source = work.resolve(program.className() + ".java");
    Files.writeString(source, program.text);
    addFiles(program.guide, work);
    StringWriter errors = new StringWriter();
    // Here, where the compiler is warm after the first.
    boolean compiled =
        COMPILER
            .getTask(
                errors,
                null,
                null,
                List.of("-proc:none", "-d", work.toString()),
                null,
                COMPILER.getStandardFileManager(null, null, null).getJavaFileObjects(source))
            .call();
    assertThat(compiled).as(errors.toString()).isTrue();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                work + File.pathSeparator + System.getProperty("java.class.path"),
                program.className())
            .directory(work.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
