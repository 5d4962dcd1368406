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
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests that converted old classes of a library can be archived, and behave as before. */
final class NewerClassesTest {

  private static final Path PROGRAM =
      Path.of(System.getProperty("hyperslab.root"), "tools/src/build/NewerClasses.java");

  /** Class files before this version are never archived. */
  private static final int JAVA_6 = 50;

  @TempDir Path folder;

  @Test
  void oldClassesAreVerifiedInTheirNewerFormAndOthersLeft() throws Exception {
    Path jar = Files.copy(picocli(), folder.resolve("picocli.jar"));
    assertThat(oldest(jar)).isLessThan(JAVA_6);

    String said = rewrite(jar);

    assertThat(said).contains("picocli.jar");
    assertThat(oldest(jar)).isGreaterThanOrEqualTo(JAVA_6);
    assertThat(contents(jar).keySet()).isEqualTo(contents(picocli()).keySet());
    assertThat(initialiseAll(jar)).isGreaterThan(200);
    try (URLClassLoader loader = apart(jar)) {
      Class<?> help = loader.loadClass("picocli.CommandLine$HelpCommand");
      Object line =
          loader
              .loadClass("picocli.CommandLine")
              .getConstructor(Object.class)
              .newInstance(help.getConstructor().newInstance());
      assertThat(line.getClass().getMethod("getUsageMessage").invoke(line))
          .isEqualTo(new CommandLine(new CommandLine.HelpCommand()).getUsageMessage());
    }

    byte[] once = Files.readAllBytes(jar);
    assertThat(rewrite(jar)).contains(" 0 classes");
    assertThat(Files.readAllBytes(jar)).isEqualTo(once);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(jar);
    }
  }

  private static Path picocli() throws URISyntaxException {
    return Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static String rewrite(Path jar) throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(java.toString(), PROGRAM.toString(), jar.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static TreeMap<String, byte[]> contents(Path jar) throws IOException {
    TreeMap<String, byte[]> contents = new TreeMap<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : file.stream().toList()) {
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

  /** Initialises all classes of a jar, which verifies them first and rejects wrong stack maps. */
  private static int initialiseAll(Path jar) throws Exception {
    int done = 0;
    try (URLClassLoader loader = apart(jar)) {
      for (String name : contents(jar).keySet()) {
        if (name.startsWith("picocli/") && name.endsWith(".class")) {
          Class.forName(name.replace(".class", "").replace('/', '.'), true, loader);
          done++;
        }
      }
    }
    return done;
  }

  private static URLClassLoader apart(Path jar) throws IOException {
    return new URLClassLoader(
        new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
  }
}
