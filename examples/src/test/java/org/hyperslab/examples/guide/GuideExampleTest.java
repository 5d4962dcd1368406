package org.hyperslab.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that every example runs, prints the expected output, and writes files that h5py and h5dump
 * read.
 */
final class GuideExampleTest {

  @TempDir private Path folder;

  @Test
  void everyExampleRunsAndItsFilesAreJudged() throws Exception {
    StringBuilder printed = new StringBuilder();
    for (GuideExample example : GuideExample.all()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
        example.program().run(folder, out);
      }
      printed.append("== ").append(example.name()).append('\n');
      printed.append(bytes.toString(StandardCharsets.UTF_8));
    }
    // Compressed sizes depend on the compression library.
    assertThat(printed.toString().replaceAll("\\d+ (kB|times)", "N $1"))
        .isEqualTo(resource("printed.txt"));

    Path script = Files.writeString(folder.resolve("judge.py"), resource("judge.py"));
    assertThat(Oracle.h5py(script).run(folder.toString()).orFail().output()).contains("judged 11");
    try (var files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".h5")).toList()) {
        assertThat(Oracle.h5dump().run(file.toString()).orFail().output()).contains("DATASET");
      }
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = GuideExampleTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
