package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests that a program put together into one jar can be archived, and behaves as before. */
final class OneJarTest {

  private static final Path PROGRAM =
      Path.of(System.getProperty("hyperslab.root"), "tools/src/build/OneJar.java");

  /** Class files before this version are never archived. */
  private static final int JAVA_6 = 50;

  @TempDir private static Path folder;

  private static Path one;

  @BeforeAll
  static void putTogether() throws Exception {
    one = folder.resolve("one.jar");
    Map<String, byte[]> first = new TreeMap<>();
    first.put("META-INF/MANIFEST.MF", bytes("Manifest-Version: 1.0\nMulti-Release: true\n\n"));
    first.put("META-INF/services/a.Service", bytes("a.One"));
    first.put("META-INF/versions/11/note", bytes("newer"));
    first.put("META-INF/A.SF", bytes("signed"));
    first.put("note", bytes("older"));
    Map<String, byte[]> second = new TreeMap<>();
    second.put("META-INF/services/a.Service", bytes("a.Two"));
    second.put("note", bytes("of another jar"));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                PROGRAM.toString(),
                one.toString(),
                jar("first.jar", first).toString(),
                jar("second.jar", second).toString(),
                sources(CommandLine.class).toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @Test
  void servicesAreJoinedAndOtherEntriesAreOfTheFirstJar() throws Exception {
    Map<String, byte[]> contents = contents(one);

    assertThat(text(contents, "META-INF/services/a.Service").lines())
        .containsExactly("a.One", "a.Two");
    assertThat(text(contents, "note")).isEqualTo("newer");
    assertThat(contents.keySet())
        .doesNotContain("META-INF/A.SF")
        .noneMatch(name -> name.startsWith("META-INF/versions"))
        .noneMatch(name -> name.endsWith("module-info.class"));
    assertThat(
            contents(sources(CommandLine.class)).keySet().stream()
                .filter(name -> !name.endsWith("module-info.class")))
        .isSubsetOf(contents.keySet());
  }

  @Test
  void oldClassesAreVerifiedInTheirNewerForm() throws Exception {
    assertThat(oldest(sources(CommandLine.class))).isLessThan(JAVA_6);
    assertThat(oldest(one)).isGreaterThanOrEqualTo(JAVA_6);
    assertThat(initialiseAll("picocli/")).isGreaterThan(200);
    try (URLClassLoader loader = apart()) {
      Class<?> help = loader.loadClass("picocli.CommandLine$HelpCommand");
      Object line =
          loader
              .loadClass("picocli.CommandLine")
              .getConstructor(Object.class)
              .newInstance(help.getConstructor().newInstance());
      assertThat(line.getClass().getMethod("getUsageMessage").invoke(line))
          .isEqualTo(new CommandLine(new CommandLine.HelpCommand()).getUsageMessage());
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Map<String, byte[]> contents, String name) {
    return new String(contents.get(name), StandardCharsets.UTF_8);
  }

  private static Path jar(String name, Map<String, byte[]> contents) throws IOException {
    Path jar = folder.resolve(name);
    try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, byte[]> each : contents.entrySet()) {
        to.putNextEntry(new JarEntry(each.getKey()));
        to.write(each.getValue());
        to.closeEntry();
      }
    }
    return jar;
  }

  /** {@return the folder or jar that a class is from} */
  private static Path sources(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static Map<String, byte[]> contents(Path jar) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : file.stream().filter(each -> !each.isDirectory()).toList()) {
        contents.put(entry.getName(), file.getInputStream(entry).readAllBytes());
      }
    }
    return contents;
  }

  private static int oldest(Path jar) throws IOException {
    return contents(jar).entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(".class"))
        .mapToInt(entry -> ClassFile.of().parse(entry.getValue()).majorVersion())
        .min()
        .orElseThrow();
  }

  /**
   * Initialises the classes whose names begin with a prefix, which verifies them first and rejects
   * wrong stack maps.
   */
  private static int initialiseAll(String prefix) throws Exception {
    int done = 0;
    try (URLClassLoader loader = apart()) {
      for (String name : contents(one).keySet()) {
        if (name.startsWith(prefix) && name.endsWith(".class")) {
          Class.forName(name.replace(".class", "").replace('/', '.'), true, loader);
          done++;
        }
      }
    }
    return done;
  }

  private static URLClassLoader apart() throws IOException {
    return new URLClassLoader(
        new URL[] {one.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
  }
}
