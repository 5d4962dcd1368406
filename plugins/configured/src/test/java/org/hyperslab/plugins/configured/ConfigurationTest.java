package org.hyperslab.plugins.configured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong in a configuration file is told with line and column. */
class ConfigurationTest {

  @TempDir Path folder;

  private static String rule(String lines) {
    return "version: 1\nfiles:\n  - match: '*.h5'\n" + lines.indent(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          chnuks: 3                                   | 4:5 | no key chnuks
          force: maybe                                | 4:12 | neither true nor false
          durability: tomorrow                        | 4:17 | powerCut
          cacheBytes: 12Q                             | 4:17 | bytes
          threads: -1                                 | 4:14 | whole number
          connector: =native                          | 4:16 | configuration
          connector: configured file=x                | 4:16 | configured
          low: v9                                     | 4:10 | earliest
          space: page size                            | 4:12 | freeSpace
          groups: {match: /a}                         | 4:13 | list
          groups: [{match: a}]                        | 4:22 | slash
          groups: [{match: /a, chunks: 1}]            | 4:26 | no key chunks
          groups: [{creationOrder: true}]             | 4:14 | match is missing
          groups: [{match: []}]                       | 4:15 | no pattern
          datasets: [{match: /a//b}]                  | 4:24 | matches nothing
          datasets: [{match: /a/../b}]                | 4:24 | matches nothing
          datasets: [{match: /a, chunks: big}]        | 4:36 | auto
          datasets: [{match: /a, chunks: [0]}]        | 4:37 | from 1
          datasets: [{match: /a, chunks: []}]         | 4:36 | list of lengths
          datasets: [{match: /a, rank: 2, chunks: [4]}] | 4:45 | rank 2
          datasets: [{match: /a, filters: [zip]}]     | 4:38 | no filter
          datasets: [{match: /a, filters: [deflate 99]}] | 4:38 | expected=0..9
          datasets: [{match: /a, filters: [shuffle 4]}]  | 4:38 | no parameter
          datasets: [{match: /a, filters: [99999]}]   | 4:38 | 1 to 65535
          datasets: [{match: /a, filters: [blosc x 5]}]  | 4:38 | no codec
          """)
  void errorsNameLineAndColumn(String line, String place, String problem) {
    assertThatThrownBy(() -> Configuration.parse(rule(line), "x.yaml"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageStartingWith("x.yaml:" + place + ": ")
        .hasMessageContaining(problem);
  }

  @Test
  void boundsInTheWrongOrderAreRefused() {
    assertThatThrownBy(() -> Configuration.parse(rule("low: v114\nhigh: v18"), "x.yaml"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageStartingWith("x.yaml:3:5: version bounds");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "version: 2",
        "files: []",
        "version: 1\nfile: []",
        "a: b: c",
        "{\"version\": 1",
        "version: 1\nversion: 1",
        "version: 1\nfiles: [&a [*a]]",
        "version: 1\n---\nversion: 1"
      })
  void whatIsNoConfigurationIsRefused(String text) {
    assertThatThrownBy(() -> Configuration.parse(text, "x.yaml"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageMatching("(?s)x\\.yaml:\\d+:\\d+: .*");
  }

  @Test
  void repeatedReferencesAreCounted() {
    StringBuilder text = new StringBuilder("version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i <= 5; i++) {
      text.append("a%d: &a%d [%s]%n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(10)));
    }
    assertThatThrownBy(() -> Configuration.parse(text.toString(), "x.yaml"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("more than");
  }

  @Test
  void deepTreesAreRefused() {
    String text = "version: " + "[".repeat(5000) + "]".repeat(5000);
    assertThatThrownBy(() -> Configuration.parse(text, "x.yaml"))
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void jsonIsRead() {
    String json = "{\"version\": 1, \"files\": [{\"match\": \"*.h5\", \"threads\": 3}]}";
    assertThat(Configuration.parse(json, "x.json").rulesFor("/tmp/a.h5")).hasSize(1);
    assertThat(Configuration.parse(json, "x.json").rulesFor("/tmp/a.nc")).isEmpty();
  }

  @Test
  void aFileOfOthersIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("c.yaml"), "version: 1\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThatThrownBy(() -> Configuration.read(file))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("chmod o-w");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(Configuration.read(file).rulesFor("/a")).isEmpty();
  }

  @Test
  void aMissingFileIsNotFound() {
    assertThatThrownBy(() -> Configuration.read(folder.resolve("none.yaml")))
        .isInstanceOf(NotFoundException.class);
  }

  @Test
  void bytesThatAreNoTextAreRefused() throws IOException {
    Path file = Files.write(folder.resolve("c.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe});
    assertThatThrownBy(() -> Configuration.read(file))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("UTF-8");
  }
}
