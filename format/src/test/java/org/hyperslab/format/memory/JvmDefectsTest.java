package org.hyperslab.format.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests for which JVMs arrays are kept from native code, and what is said about them. */
class JvmDefectsTest {

  @ParameterizedTest
  @ValueSource(strings = {"25", "25.0.1+8-LTS", "25.0.2+10"})
  void earlyReleasesOf25MoveArraysWithG1Only(String version) {
    Runtime.Version release = Runtime.Version.parse(version);
    assertThat(JvmDefects.movesPinned(release, () -> true)).isTrue();
    assertThat(JvmDefects.movesPinned(release, () -> false)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"25.0.3", "25.0.3+9-LTS", "25.0.10", "26", "27+1"})
  void laterReleasesAreNotAskedForTheirCollector(String version) {
    Runtime.Version release = Runtime.Version.parse(version);
    assertThat(
            JvmDefects.movesPinned(
                release,
                () -> {
                  throw new AssertionError("asked");
                }))
        .isFalse();
  }

  @Test
  void warningsNameWhatToUse() {
    Runtime.Version early = Runtime.Version.parse("25.0.1");
    Runtime.Version mended = Runtime.Version.parse("25.0.3");
    String compact = "-Xmx1g -XX:+UseCompactObjectHeaders";
    assertThat(JvmDefects.warning(early, true, "")).get().asString().contains("Use 25.0.3");
    assertThat(JvmDefects.warning(mended, false, compact))
        .get()
        .asString()
        .contains("JDK-8380060")
        .doesNotContain("8377811");
    assertThat(JvmDefects.warning(mended, false, "-Xmx1g")).isEmpty();
    assertThat(JvmDefects.warning(Runtime.Version.parse("27"), false, compact)).isEmpty();
  }
}
