package org.hyperslab.plugins.configured.document;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a configuration file: a text, a list, or a mapping of keys to parts.
 *
 * <p>Thread rule: immutable.
 */
public sealed interface DocumentNode {

  /** {@return where the part begins} */
  Place place();

  /** {@return what it is, for messages, such as {@code a list}} */
  String kind();

  /**
   * A text, a number or a truth value, as it is written.
   *
   * @param place where it begins
   * @param text the characters
   */
  record Scalar(Place place, String text) implements DocumentNode {
    @Override
    public String kind() {
      return "\"" + text + "\"";
    }
  }

  /**
   * A list of parts.
   *
   * @param place where it begins
   * @param items its parts
   */
  record Sequence(Place place, List<DocumentNode> items) implements DocumentNode {
    /** Copies the list. */
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  /**
   * A mapping of keys to parts, in the order of the file.
   *
   * @param place where it begins
   * @param entries the keys, with their places and parts
   */
  record Mapping(Place place, Map<String, Entry> entries) implements DocumentNode {
    /** Copies the mapping and keeps its order. */
    public Mapping {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    @Override
    public String kind() {
      return "a mapping of keys to values";
    }
  }

  /**
   * The value of a key.
   *
   * @param key where the key begins
   * @param value the value
   */
  record Entry(Place key, DocumentNode value) {}
}
