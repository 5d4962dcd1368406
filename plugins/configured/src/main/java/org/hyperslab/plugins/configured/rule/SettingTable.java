package org.hyperslab.plugins.configured.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.document.Scalars;
import org.hyperslab.plugins.configured.document.Section;

/**
 * The options of one kind that a configuration file may set: how each is spelled, read, compared
 * with its default, and set.
 *
 * <p>Thread rule: immutable.
 *
 * @param <O> the options that a program passes
 * @param <B> their builder
 * @param defaults the options of a program that has chosen nothing
 * @param rows the options that may be set
 */
record SettingTable<O, B>(O defaults, List<Row<O, B>> rows) {

  /** How a value of one option is read. */
  record Row<O, B>(String key, Function<DocumentNode, Setting<O, B>> read) {}

  SettingTable {
    rows = List.copyOf(rows);
  }

  static <O, B> SettingTable<O, B> of(O defaults) {
    return new SettingTable<>(defaults, List.of());
  }

  /**
   * Returns a table with one more option.
   *
   * @param key how it is spelled
   * @param read reads its value, or throws an error with the value's place
   * @param current returns its value in a program's options
   * @param set sets it
   */
  <V> SettingTable<O, B> with(
      String key, Function<DocumentNode, V> read, Function<O, V> current, BiConsumer<B, V> set) {
    V usual = current.apply(defaults);
    List<Row<O, B>> more = new ArrayList<>(rows);
    more.add(
        new Row<>(
            key,
            node -> {
              V value = read.apply(node);
              return new Setting<>(
                  key,
                  text(value),
                  node.place(),
                  options -> !current.apply(options).equals(usual),
                  builder -> set.accept(builder, value));
            }));
    return new SettingTable<>(defaults, more);
  }

  private static String text(Object value) {
    return value instanceof Enum<?> constant ? Scalars.spelling(constant) : value.toString();
  }

  /** Takes the settings of this kind from a section, in the order of the table. */
  List<Setting<O, B>> take(Section section) {
    List<Setting<O, B>> taken = new ArrayList<>();
    for (Row<O, B> row : rows) {
      Optional<DocumentNode> given = section.find(row.key());
      given.map(row.read()).ifPresent(taken::add);
    }
    return taken;
  }
}
