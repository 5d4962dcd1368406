package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text format of Prometheus, version 0.0.4, as its description has it: the lines of a
 * metric stand together behind one HELP and one TYPE, label values are quoted, no series is twice.
 */
final class PrometheusText {

  private static final Pattern COMMENT =
      Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (-?\\d+(?:\\.\\d+)?)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\"\\\\n])*)\"(?:,|$)");

  private final Map<String, String> kinds = new HashMap<>();
  private final Map<String, Double> values = new HashMap<>();

  private PrometheusText() {}

  /** Reads a text, and fails if it is not of the format. */
  static PrometheusText parse(String text) {
    assertThat(text).endsWith("\n").doesNotContain("\r");
    PrometheusText parsed = new PrometheusText();
    String current = "";
    String help = "";
    for (String line : text.split("\n")) {
      Matcher comment = COMMENT.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (comment.matches() && comment.group(1).equals("HELP")) {
        help = comment.group(2);
      } else if (comment.matches()) {
        current = comment.group(2);
        assertThat(help).as(line).isEqualTo(current);
        assertThat(comment.group(3)).isIn("counter", "gauge");
        assertThat(parsed.kinds.put(current, comment.group(3))).as(line).isNull();
      } else {
        assertThat(sample.matches()).as(line).isTrue();
        assertThat(sample.group(1)).as(line).isEqualTo(current);
        String series = current + labels(sample.group(2));
        assertThat(parsed.values.put(series, Double.valueOf(sample.group(3)))).as(line).isNull();
      }
    }
    parsed.kinds.forEach((name, kind) ->
        assertThat(name.endsWith("_total")).as(name).isEqualTo(kind.equals("counter")));
    return parsed;
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new TreeMap<>();
    Matcher label = LABEL.matcher(text == null ? "" : text);
    int end = 0;
    while (label.find() && label.start() == end) {
      assertThat(labels.put(label.group(1), label.group(2))).as(text).isNull();
      end = label.end();
    }
    assertThat(end).as(text).isEqualTo(text == null ? 0 : text.length());
    return labels;
  }

  /** {@return the value of a metric without labels} */
  double value(String name) {
    return values.get(name + "{}");
  }

  /** {@return the sum of a metric over all its labels} */
  double sum(String name) {
    return values.entrySet().stream()
        .filter(each -> each.getKey().startsWith(name + "{"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** {@return the names of the metrics} */
  java.util.Set<String> names() {
    return kinds.keySet();
  }
}
