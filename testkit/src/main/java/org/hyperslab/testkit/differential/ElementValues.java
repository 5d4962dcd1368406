package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Computes trees that represent the values of elements, see {@link TypeSpec}. */
final class ElementValues {

  private ElementValues() {}

  /**
   * A reference in the model: to an object, a region of a dataset, or an attribute.
   *
   * @param kind obj, reg or attr
   * @param node the object
   * @param detail the rest of the line after the path
   */
  record Reference(String kind, ModelObject node, List<Object> detail) {}

  /** Returns the value of elements that were never written and have no fill value. */
  static Object zero(TypeSpec type) {
    return switch (type) {
      case TypeSpec.LongText ignored -> "";
      case TypeSpec.Sequence ignored -> List.of();
      case TypeSpec.Ref ignored -> null;
      case TypeSpec.Array array -> Collections.nCopies(array.count(), zero(array.base()));
      case TypeSpec.Compound compound -> {
        List<Object> parts = new ArrayList<>();
        compound.members().forEach(one -> parts.add(zero(one.type())));
        yield parts;
      }
      default -> "00".repeat(type.size());
    };
  }

  /**
   * Returns the values with their references resolved; null if one of them has no target.
   *
   * @param find finds objects by path
   */
  static List<Object> resolved(
      TypeSpec type, List<Object> values, Function<String, ModelObject> find) {
    List<Object> found = new ArrayList<>(values.size());
    for (Object value : values) {
      Object one = resolve(type, value, find);
      if (one == ElementValues.class) {
        return null;
      }
      found.add(one);
    }
    return found;
  }

  /** Resolves a value. This class object marks a missing target, because null is a value. */
  private static Object resolve(TypeSpec type, Object value, Function<String, ModelObject> find) {
    return switch (type) {
      case TypeSpec.Ref ignored -> value == null ? null : follow((List<?>) value, find);
      case TypeSpec.Sequence sequence -> parts(sequence.base(), value, find);
      case TypeSpec.Array array -> parts(array.base(), value, find);
      case TypeSpec.Compound compound -> {
        List<Object> found = new ArrayList<>();
        for (int i = 0; i < compound.members().size(); i++) {
          found.add(resolve(compound.members().get(i).type(), ((List<?>) value).get(i), find));
        }
        yield found.contains(ElementValues.class) ? ElementValues.class : found;
      }
      default -> value;
    };
  }

  private static Object parts(TypeSpec base, Object value, Function<String, ModelObject> find) {
    List<Object> found = new ArrayList<>();
    for (Object part : (List<?>) value) {
      found.add(resolve(base, part, find));
    }
    return found.contains(ElementValues.class) ? ElementValues.class : found;
  }

  private static Object follow(List<?> value, Function<String, ModelObject> find) {
    ModelObject node = find.apply((String) value.get(1));
    String kind = (String) value.getFirst();
    if (node == null) {
      return ElementValues.class;
    }
    if (kind.equals("obj")) {
      return new Reference(kind, node, List.of());
    }
    if (kind.equals("attr")) {
      String name = (String) value.get(2);
      return node.attributes.containsKey(name)
          ? new Reference(kind, node, List.of(name))
          : ElementValues.class;
    }
    return node instanceof ModelObject.ModelDataset dataset && dataset.dims != null
        ? region(dataset, (SelectionSpec) value.get(2))
        : ElementValues.class;
  }

  private static Object region(ModelObject.ModelDataset dataset, SelectionSpec picks) {
    long[] chosen = picks.within(dataset.dims);
    if (chosen == null || chosen.length == 0 || dataset.dims.length == 0) {
      return ElementValues.class;
    }
    Long[] low = new Long[dataset.dims.length];
    Long[] high = new Long[low.length];
    for (long one : chosen) {
      List<Long> at = Shapes.coordinates(dataset.dims, one);
      for (int d = 0; d < low.length; d++) {
        low[d] = low[d] == null ? at.get(d) : Math.min(low[d], at.get(d));
        high[d] = high[d] == null ? at.get(d) : Math.max(high[d], at.get(d));
      }
    }
    return new Reference(
        "reg", dataset, List.of((long) chosen.length, Arrays.asList(low), Arrays.asList(high)));
  }

  /** Returns whether values refer to an object for which {@code there} is false. */
  static boolean leadOut(Object value, Predicate<ModelObject> there) {
    return switch (value) {
      case null -> false;
      case Reference reference -> !there.test(reference.node);
      case List<?> list -> list.stream().anyMatch(part -> leadOut(part, there));
      default -> false;
    };
  }

  /** Returns the tree in the readers' form: references as the paths of their targets. */
  static Object shown(Object value, Function<ModelObject, String> path) {
    return switch (value) {
      case Reference reference -> {
        List<Object> parts = new ArrayList<>(List.of(reference.kind, path.apply(reference.node)));
        parts.addAll(reference.detail);
        yield parts;
      }
      case List<?> list -> {
        List<Object> parts = new ArrayList<>();
        list.forEach(part -> parts.add(shown(part, path)));
        yield parts;
      }
      case null -> null;
      default -> value;
    };
  }
}
