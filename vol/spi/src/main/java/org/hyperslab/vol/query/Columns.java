package org.hyperslab.vol.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a dataset that a question names, and the type in which they are read: the elements
 * themselves, or compounds of the named members alone.
 *
 * <p>Thread rule: immutable after {@link #memoryType} has been called.
 */
final class Columns {

  private static final int NAMES_SHOWN = 20;

  private final Datatype stored;
  private final Map<Condition.Field, FieldColumn> found = new LinkedHashMap<>();
  private @Nullable Datatype memory;

  Columns(Datatype stored) {
    this.stored = stored;
  }

  /**
   * Finds a field; its place is known after {@link #memoryType} has been called.
   *
   * @throws InvalidUseException if there is none of the name, or its values cannot be compared
   */
  void require(Condition.Field field) {
    if (!found.containsKey(field)) {
      found.put(field, FieldColumn.of(field.toString(), typeOf(field)));
    }
  }

  private Datatype typeOf(Condition.Field field) {
    if (!(stored instanceof CompoundType)) {
      if (field.names().equals(List.of("value"))) {
        return stored;
      }
      throw new InvalidUseException(
          "field "
              + field
              + ": actual=none, expected=value, for the elements are "
              + stored.describe()
              + ", no compounds");
    }
    Datatype type = stored;
    List<String> names = field.names();
    for (int i = 0; i < names.size(); i++) {
      if (!(type instanceof CompoundType compound) || compound.member(names.get(i)).isEmpty()) {
        throw missing(field, i, type);
      }
      type = compound.member(names.get(i)).get().type();
    }
    if (type instanceof CompoundType compound) {
      throw missing(field, names.size(), compound);
    }
    return type;
  }

  private static InvalidUseException missing(Condition.Field field, int level, Datatype in) {
    if (!(in instanceof CompoundType compound)) {
      return new InvalidUseException(
          "field " + field + ": actual=none, expected=" + in.describe() + " has no fields");
    }
    String prefix = level == 0 ? "" : new Condition.Field(field.names().subList(0, level)) + ".";
    String names =
        compound.members().stream()
            .limit(NAMES_SHOWN)
            .map(member -> prefix + new Condition.Field(List.of(member.name())))
            .collect(Collectors.joining(", "));
    return new InvalidUseException(
        "field "
            + field
            + ": actual="
            + (level == field.names().size() ? "a compound" : "none")
            + ", expected=one of "
            + names
            + (compound.members().size() > NAMES_SHOWN ? ", …" : ""));
  }

  /** Returns the type in which the required fields are read. */
  Datatype memoryType() {
    Datatype known = memory;
    if (known == null) {
      known =
          stored instanceof CompoundType compound
              ? place(compound, List.copyOf(found.keySet()), 0, 0)
              : found.values().iterator().next().type();
      memory = known;
    }
    return known;
  }

  /** Returns a compound of the required members of a compound, and places their columns. */
  private CompoundType place(
      CompoundType compound, List<Condition.Field> fields, int level, long base) {
    Map<String, List<Condition.Field>> byName = new TreeMap<>();
    for (Condition.Field field : fields) {
      byName.computeIfAbsent(field.names().get(level), name -> new ArrayList<>()).add(field);
    }
    CompoundType.Builder builder = CompoundType.builder();
    long offset = base;
    for (Map.Entry<String, List<Condition.Field>> entry : byName.entrySet()) {
      Datatype of = compound.member(entry.getKey()).orElseThrow().type();
      Datatype read;
      if (of instanceof CompoundType inner) {
        read = place(inner, entry.getValue(), level + 1, offset);
      } else {
        Condition.Field field = entry.getValue().getFirst();
        FieldColumn column = of(field).at(offset);
        found.put(field, column);
        read = column.type();
      }
      builder.member(entry.getKey(), read);
      offset += read.size();
    }
    return builder.build();
  }

  /** Returns whether a field has been required. */
  boolean isNeeded() {
    return !found.isEmpty();
  }

  /** Returns the column of a required field. */
  FieldColumn of(Condition.Field field) {
    return Objects.requireNonNull(found.get(field));
  }
}
