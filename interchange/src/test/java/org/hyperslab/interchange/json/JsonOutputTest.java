package org.hyperslab.interchange.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.hyperslab.error.UnsupportedFeatureException;
import org.junit.jupiter.api.Test;

/** Tests the text of values, its limit, and texts within texts. */
final class JsonOutputTest {

  @Test
  void numbersThatJsonLacksAreNullOrText() {
    JsonOutput usual = new JsonOutput(1000).open('[');
    JsonOutput exact = new JsonOutput(1000).withExactNumbers().open('[');
    for (JsonOutput out : new JsonOutput[] {usual, exact}) {
      out.number(Double.NaN).number(Float.POSITIVE_INFINITY).number(1L << 53).number(0.1f);
      out.number(BigInteger.ONE.shiftLeft(64)).number(null).close(']');
    }
    assertThat(usual).hasToString("[null,null,9007199254740992,0.1,18446744073709551616,null]");
    assertThat(exact)
        .hasToString(
            "[\"NaN\",\"Infinity\",\"9007199254740992\",0.1,\"18446744073709551616\",null]");
    assertThat(JsonOutput.ofPython(1000).open('[').number(Float.NaN).number(0.1f).close(']'))
        .hasToString("[NaN,0.10000000149011612]");
  }

  @Test
  void textsContainTexts() {
    JsonOutput inner = new JsonOutput(1000).open('{').member("\udcff", "\n").close('}');
    JsonOutput outer = new JsonOutput(1000).open('[').value(1).value(inner).quoted(inner);
    String json = inner.toString();
    assertThat(outer.value(true).close(']'))
        .hasToString(
            "[1," + json + ",\"" + json.replace("\\", "\\\\").replace("\"", "\\\"") + "\",true]");
  }

  @Test
  void aTextHasALimitAndAStreamHasNone() {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    JsonOutput unlimited = new JsonOutput(stream).open('[');
    JsonOutput limited = new JsonOutput(100_000).open('[');
    assertThatThrownBy(
            () -> {
              for (long i = 0; i < 100_000; i++) {
                unlimited.value(i);
                limited.value(i);
              }
            })
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("100000");
    unlimited.close(']').end();
    assertThat(stream.toString(StandardCharsets.UTF_8)).startsWith("[0,1,2").endsWith("]\n");
  }
}
