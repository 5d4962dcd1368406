package org.hyperslab.vol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectorConfigurationTest {

  @Test
  void stackIsReadFromTheTop() {
    ConnectorConfiguration top =
        Connectors.parse("tracing file=a.txt print=false | async threads=2|native");
    assertThat(top.name()).isEqualTo("tracing");
    assertThat(top.options())
        .containsExactly(Map.entry("file", "a.txt"), Map.entry("print", "false"));
    ConnectorConfiguration second = top.below().orElseThrow();
    assertThat(second.name()).isEqualTo("async");
    assertThat(second.options()).containsExactly(Map.entry("threads", "2"));
    assertThat(second.below().orElseThrow()).isEqualTo(ConnectorConfiguration.of("native"));
  }

  @Test
  void quotedValuesMayHoldAnything() {
    ConnectorConfiguration one =
        Connectors.parse("x a=\"two words | a bar\" b=\"quote \\\" slash \\\\\" c=\"\" d=");
    assertThat(one.options())
        .containsExactly(
            Map.entry("a", "two words | a bar"),
            Map.entry("b", "quote \" slash \\"),
            Map.entry("c", ""),
            Map.entry("d", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "native",
        "tracing | native",
        "a-b_c.d k=v | e f=\"g h\" i=j",
        "x a=\"\\\"\" b=\"\\\\\" c=\"|\""
      })
  void readsWhatWasWritten(String text) {
    ConnectorConfiguration once = Connectors.parse(text);
    assertThat(Connectors.parse(once.toString())).isEqualTo(once);
    assertThat(once.toString()).isEqualTo(text.replace("d k", "d k"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "``; name",
        "|; name",
        "native |; name",
        "native x; key=value",
        "native =y; key",
        "native x=1 x=2; once",
        "native x=\"open; closing",
        "native x=a\"b; quotes",
        "native \"x\"=1; key"
      })
  void errorsNameTheirPlace(String text, String part) {
    assertThatThrownBy(() -> Connectors.parse(text))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining(part)
        .hasMessageContaining("character");
  }

  @Test
  void keysOfSeveralWordsMayHaveHyphens() {
    for (String text : new String[] {"x mergeBelow=7", "x merge-below=7"}) {
      ConnectorOptions options = Connectors.parse(text).read();
      assertThat(options.number("mergeBelow", 1, 0, 10)).isEqualTo(7);
      options.rejectUnknown();
    }
    ConnectorOptions twice = Connectors.parse("x mergeBelow=7 merge-below=8").read();
    assertThatThrownBy(() -> twice.number("mergeBelow", 1, 0, 10))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("given twice");
    ConnectorOptions other = Connectors.parse("x merge-above=7").read();
    assertThat(other.number("mergeBelow", 1, 0, 10)).isEqualTo(1);
    assertThatThrownBy(other::rejectUnknown).hasMessageContaining("merge-above");
  }

  @Test
  void optionsAreReadWithChecks() {
    ConnectorOptions options = Connectors.parse("x n=7 size=64K big=2G on=yes off=false").read();
    assertThat(options.number("n", 1, 0, 10)).isEqualTo(7);
    assertThat(options.number("absent", 5, 0, 10)).isEqualTo(5);
    assertThat(options.bytes("size", 1, 0, Long.MAX_VALUE)).isEqualTo(65_536);
    assertThat(options.bytes("big", 1, 0, Long.MAX_VALUE)).isEqualTo(2L << 30);
    assertThat(options.flag("on", false)).isTrue();
    assertThat(options.flag("off", true)).isFalse();
    options.rejectUnknown();
    options.rejectUnknownAndBelow();
  }

  @Test
  void wrongOptionsAreNamed() {
    ConnectorOptions options = Connectors.parse("x n=12 m=abc s=12Q f=perhaps | y").read();
    assertInvalid(() -> options.number("n", 1, 0, 10), "n", "12", "10");
    assertInvalid(() -> options.number("m", 1, 0, 10), "m", "abc");
    assertInvalid(() -> options.bytes("s", 1, 0, 10), "s", "12Q", "64K");
    assertInvalid(() -> options.flag("f", true), "perhaps", "true");
    options.rejectUnknown();
    assertInvalid(options::rejectUnknownAndBelow, "\"y\" below");
    assertInvalid(() -> Connectors.parse("x typo=1").read().rejectUnknown(), "typo", "x", "none");
  }

  private static void assertInvalid(Runnable call, String... parts) {
    assertThatThrownBy(call::run)
        .isInstanceOf(InvalidUseException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }

  @Test
  void unknownConnectorListsThosePresent() {
    assertThatThrownBy(() -> Connectors.create("nothing"))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("nothing")
        .hasMessageContaining("async, caching, indexing, tracing");
  }

  @Test
  void connectorThatPassesOnNeedsOneBelow() {
    assertThatThrownBy(() -> Connectors.create("tracing"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("below")
        .hasMessageContaining("tracing | native");
  }

  @Test
  void unknownOptionOfAConnectorIsNamed() {
    assertThatThrownBy(() -> Connectors.create("async thread=2 | native"))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("thread")
        .hasMessageContaining("queue, threads");
  }
}
