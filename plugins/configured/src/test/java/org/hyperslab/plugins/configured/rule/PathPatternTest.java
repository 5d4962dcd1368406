package org.hyperslab.plugins.configured.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.document.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternTest {

  private static DocumentNode.Scalar written(String text) {
    return new DocumentNode.Scalar(new Place("x", 1, 1), text);
  }

  @ParameterizedTest
  @CsvSource({
    "/, /, true",
    "/, /a, false",
    "/**, /, true",
    "/**, /a/b/c, true",
    "/*, /a, true",
    "/*, /a/b, false",
    "/a/*/c, /a/b/c, true",
    "/a/**/c, /a/c, true",
    "/a/**/c, /a/b/b/c, true",
    "/a/**/c, /a/b/b/d, false",
    "/**/t*p, /x/temp, true",
    "/**/t*p, /x/temper, false",
    "/t?, /t1, true",
    "/t?, /t12, false",
    "/[a], /a, false",
    "/[a], /[a], true",
    "/a.b, /axb, false",
  })
  void objects(String pattern, String path, boolean matches) {
    assertThat(PathPattern.ofObjects(written(pattern)).matches(path)).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({
    "*.h5, /data/run/a.h5, true",
    "*.h5, /data/run/a.nc, false",
    "run/*.h5, /data/run/a.h5, true",
    "run/*.h5, /data/run/x/a.h5, false",
    "/data/**, /data/run/a.h5, true",
    "/run/*, /data/run/a.h5, false",
    "*, https://host/a.h5, true",
  })
  void files(String pattern, String name, boolean matches) {
    assertThat(PathPattern.ofFiles(written(pattern)).matches(name)).isEqualTo(matches);
  }

  /** Without a bound, each further star multiplies the time by the length of the name. */
  @Test
  void manyStarsTakeLittleTime() {
    String pattern = "/" + "*a".repeat(60) + "b";
    assertThat(PathPattern.ofObjects(written(pattern)).matches("/" + "a".repeat(4000))).isFalse();
    String deep = "/" + "**/".repeat(60) + "b";
    assertThat(PathPattern.ofObjects(written(deep)).matches("/a".repeat(2000))).isFalse();
  }
}
