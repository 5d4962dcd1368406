package org.hyperslab.interchange.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.CorruptFileException;
import org.junit.jupiter.api.Test;

/** Tests which JSON is read and written, and that documents of others are bounded. */
final class JsonTextTest {

  private static Object parse(String text) {
    return JsonText.parse(text, "x.json");
  }

  @Test
  void numbersKeepTheirDigits() {
    BigInteger large = BigInteger.ONE.shiftLeft(200);
    assertThat(parse("[" + large + ", -1, 1.5, 1e999, NaN, -Infinity]"))
        .isEqualTo(
            List.of(
                large,
                BigInteger.valueOf(-1),
                1.5,
                Double.POSITIVE_INFINITY,
                Double.NaN,
                Double.NEGATIVE_INFINITY));
    assertThat(JsonText.write(List.of(large, 1.5f, 0.1f, Double.NaN, Double.NEGATIVE_INFINITY)))
        .isEqualTo("[" + large + ",1.5,0.10000000149011612,NaN,-Infinity]");
  }

  @Test
  void textIsAsciiAndKeepsBytesThatAreNotUtf8() {
    String text = "\"\\/\b\f\n\r\t\u0001\u007f\u00e9\ud83d\ude00\udcff";
    String written = JsonText.write(Map.of(text, text));
    assertThat(written).matches("[ -~]*").contains("\\u0008\\u000c\\n\\r\\t\\u0001\\u007f\\u00e9");
    assertThat(parse(written)).isEqualTo(Map.of(text, text));
    assertThat(parse("\"\\ud800\"")).as("half of a pair").isEqualTo("\ud800");
  }

  @Test
  void otherDocumentsAreRefused() {
    for (String text :
        List.of(
            "",
            "[1,]",
            "{\"a\":1,\"a\":2}",
            "{1:2}",
            "1 2",
            "nul",
            "\"a",
            "01",
            "[".repeat(65) + "]".repeat(65),
            "1".repeat(401))) {
      assertThatThrownBy(() -> parse(text))
          .as(text)
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("x.json");
    }
    assertThat(parse("[".repeat(64) + "]".repeat(64))).isInstanceOf(List.class);
    assertThatThrownBy(() -> parse("{\"a\":1,\"a\":2}")).hasMessageContaining("each key once");
    assertThatThrownBy(() -> parse("[".repeat(70))).hasMessageContaining("at most 64 levels");
    assertThatThrownBy(() -> parse("1".repeat(401))).hasMessageContaining("at most 400 digits");
  }

  @Test
  void nullIsAValue() {
    assertThat(parse("[null, true, {}]")).isEqualTo(List.of(JsonText.NULL, true, Map.of()));
    assertThat(JsonText.write(List.of(JsonText.NULL, true, Map.of()))).isEqualTo("[null,true,{}]");
  }
}
