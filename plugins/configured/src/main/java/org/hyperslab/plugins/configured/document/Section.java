package org.hyperslab.plugins.configured.document;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Takes the values of a mapping by their keys, and refuses keys that nobody asked for.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class Section {

  private final DocumentNode.Mapping mapping;
  private final Set<String> known = new TreeSet<>();

  private Section(DocumentNode.Mapping mapping) {
    this.mapping = mapping;
  }

  /**
   * {@return a section of a part}
   *
   * @param node the part
   * @throws org.hyperslab.error.InvalidUseException if it is no mapping, with its place
   */
  public static Section of(DocumentNode node) {
    if (node instanceof DocumentNode.Mapping mapping) {
      return new Section(mapping);
    }
    throw node.place().problem(node.kind() + " stands where a mapping of keys to values belongs");
  }

  /** {@return where the section begins} */
  public Place place() {
    return mapping.place();
  }

  /** {@return the keys that are given, in the order of the file} */
  public Set<String> keys() {
    return mapping.entries().keySet();
  }

  /**
   * {@return the value of a key, if it is given}
   *
   * @param key the key, which is known from now on
   */
  public Optional<DocumentNode> find(String key) {
    known.add(key);
    return Optional.ofNullable(mapping.entries().get(key)).map(DocumentNode.Entry::value);
  }

  /**
   * {@return the value of a key}
   *
   * @param key the key, which is known from now on
   * @throws org.hyperslab.error.InvalidUseException if it is not given, with the section's place
   */
  public DocumentNode require(String key) {
    return find(key)
        .orElseThrow(() -> place().problem("key " + key + " is missing here; it is required"));
  }

  /**
   * {@return where a key stands}
   *
   * @param key a key that is given
   */
  public Place placeOf(String key) {
    return mapping.entries().get(key).key();
  }

  /**
   * {@return the parts of a list under a key; empty if it is not given}
   *
   * @param key the key, which is known from now on
   * @throws org.hyperslab.error.InvalidUseException if it is no list, with its place
   */
  public List<DocumentNode> list(String key) {
    Optional<DocumentNode> value = find(key);
    if (value.isEmpty()) {
      return List.of();
    }
    if (value.get() instanceof DocumentNode.Sequence sequence) {
      return sequence.items();
    }
    throw value
        .get()
        .place()
        .problem(key + " is " + value.get().kind() + "; it takes a list, each item after a hyphen");
  }

  /**
   * Refuses the keys that were given and never asked for.
   *
   * @throws org.hyperslab.error.InvalidUseException naming the first of them, its place, and the
   *     keys that there are
   */
  public void rejectUnknown() {
    for (String key : keys()) {
      if (!known.contains(key)) {
        throw placeOf(key)
            .problem("there is no key " + key + " here; there are " + String.join(", ", known));
      }
    }
  }
}
