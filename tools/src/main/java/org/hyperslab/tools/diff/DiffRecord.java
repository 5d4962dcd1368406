package org.hyperslab.tools.diff;

import org.hyperslab.interchange.json.JsonOutput;

/** What a comparison has found, as parts of a document of JSON. */
final class DiffRecord {

  private final JsonOutput differences = list();
  private final JsonOutput onlyInFirst = list();
  private final JsonOutput onlyInSecond = list();
  private final JsonOutput notComparable = list();
  private final JsonOutput errors = list();
  private long compared;

  private static JsonOutput list() {
    return new JsonOutput(Integer.MAX_VALUE).open('[');
  }

  /**
   * Records that two objects, links or attributes were compared.
   *
   * @param kind what they are
   * @param first the path in the first file
   * @param second the path in the second file
   * @param attribute the name of an attribute; null for the objects themselves
   * @param count the number of elements that differ
   */
  void compared(String kind, String first, String second, String attribute, long count) {
    compared++;
    if (count > 0) {
      differences.open('{').member("kind", kind).member("path1", first).member("path2", second);
      if (attribute != null) {
        differences.member("attribute", attribute);
      }
      differences.member("count", count).close('}');
    }
  }

  /**
   * Records what only one side has.
   *
   * @param isFirst whether it is the first side
   * @param path the path of an object on that side
   * @param attribute the name of its attribute that the other side lacks; null for the object
   */
  void onlyIn(boolean isFirst, String path, String attribute) {
    JsonOutput side = isFirst ? onlyInFirst : onlyInSecond;
    side.open('{').member("path", path);
    if (attribute != null) {
      side.member("attribute", attribute);
    }
    side.close('}');
  }

  void notComparable(String reason) {
    notComparable.value(reason == null ? "what references lead to" : reason);
  }

  void error(String text) {
    errors.value(text);
  }

  /** Writes the members of the document. */
  void write(JsonOutput out) {
    out.member("compared", compared);
    out.name("differences").value(differences.close(']'));
    out.name("only_in_1").value(onlyInFirst.close(']'));
    out.name("only_in_2").value(onlyInSecond.close(']'));
    out.name("not_comparable").value(notComparable.close(']'));
    out.name("errors").value(errors.close(']'));
  }
}
