package org.hyperslab.web.grove;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * The text of a selection in a request, divided into the parts of the dimensions.
 *
 * <p>Elements are sent in the order of the dataset, piece by piece. So selections of h5grove are
 * served: indices, and ranges whose steps are positive. Slices that reverse or reorder dimensions
 * are refused.
 *
 * <p>Thread rule: immutable.
 *
 * @param parts for each dimension an index, a range, or ":" where the text has none
 */
record ServedSelection(List<String> parts) {

  /**
   * {@return the selection of a text}
   *
   * @param text the text, which may be blank
   * @param rank the number of dimensions
   * @throws InvalidUseException if it has a list of indices or a negative step
   */
  static ServedSelection of(String text, int rank) {
    if (text.contains("[")) {
      throw refused(text, "a list of indices");
    }
    List<String> given = new ArrayList<>();
    for (String part : text.isBlank() ? new String[0] : text.split(",")) {
      given.add(part.strip());
    }
    int ellipsis = given.indexOf("...");
    int missing = rank - given.size() + (ellipsis < 0 ? 0 : 1);
    List<String> filled = Collections.nCopies(Math.max(0, missing), ":");
    if (ellipsis >= 0) {
      given.remove(ellipsis);
    }
    given.addAll(ellipsis < 0 ? given.size() : ellipsis, filled);
    if (given.stream().anyMatch(part -> stepText(part).startsWith("-"))) {
      throw refused(text, "a negative step");
    }
    return new ServedSelection(List.copyOf(given));
  }

  /**
   * {@return the step that a dimension's part states, also of a range of one element}
   *
   * @param dimension the dimension
   * @param otherwise the step if the part states none
   */
  long step(int dimension, long otherwise) {
    String step = stepText(parts.get(dimension));
    return step.isEmpty() ? otherwise : Long.parseLong(step);
  }

  private static String stepText(String part) {
    String[] range = part.split(":", -1);
    return range.length == 3 ? range[2].strip() : "";
  }

  private static InvalidUseException refused(String text, String what) {
    return new InvalidUseException(
        "selection: actual="
            + what
            + ", expected=indices, and ranges with positive steps, because elements are sent in the"
            + " order of the dataset, at=\""
            + text
            + "\"");
  }
}
