package org.hyperslab.convert.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes names of columns out of the cells of a row, as pandas does. A column without a name is
 * {@code Unnamed: 2} if two columns are before it, and a name that another column has is followed
 * by a number, as in {@code a.1}.
 *
 * <p>Thread rule: stateless.
 */
final class ColumnNames {

  private static final String NONE = "Unnamed: ";

  /** The name of a column of a table without names, followed by its number from 0. */
  private static final String NUMBERED = "column";

  private ColumnNames() {}

  /** Returns different names. */
  static List<String> of(List<String> cells) {
    List<Integer> order = new ArrayList<>();
    List<Integer> unnamed = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      boolean isEmpty = cells.get(i).isEmpty();
      names.add(isEmpty ? NONE + i : cells.get(i));
      (isEmpty ? unnamed : order).add(i);
    }
    order.addAll(unnamed); // a name in the table has precedence over one that is made
    Set<String> reserved = new HashSet<>(names);
    Set<String> taken = new HashSet<>();
    Map<String, Integer> repeats = new HashMap<>();
    for (int i : order) {
      String name = names.get(i);
      if (!taken.add(name)) {
        String other = name;
        while (reserved.contains(other) || taken.contains(other)) {
          other = name + "." + repeats.merge(name, 1, Integer::sum);
        }
        taken.add(other);
        names.set(i, other);
      }
    }
    return names;
  }

  /** Returns the names of the columns of a table that has none. */
  static List<String> numbered(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(NUMBERED + i);
    }
    return names;
  }
}
