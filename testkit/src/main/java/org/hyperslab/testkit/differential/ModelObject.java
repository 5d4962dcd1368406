package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An object of the model. */
abstract sealed class ModelObject {

  /** Attributes in the order of their creation. */
  final Map<String, AttributeState> attributes = new LinkedHashMap<>();

  /** Whether the creation order of attributes is recorded. */
  boolean tracked;

  String comment = "";

  /** An attribute; {@code committed} may be null, and so may {@code dims}. */
  record AttributeState(TypeSpec type, ModelType committed, long[] dims, List<Object> values) {}

  /** A group: links in the order of their creation. */
  static final class ModelGroup extends ModelObject {
    final Map<String, Target> links = new LinkedHashMap<>();
    boolean ordered;
  }

  /** A dataset with its elements. */
  static final class ModelDataset extends ModelObject {
    TypeSpec type;
    ModelType committed;
    long[] dims;
    List<Long> most;
    Edit.Creation creation;
    List<Object> values = new ArrayList<>();

    /** Whether a chunk was stored without some of the filters. */
    boolean masked;

    /** Returns the value of elements before they are written. */
    Object unwritten() {
      return creation.fill().isEmpty() ? ElementValues.zero(type) : creation.fill().getFirst();
    }

    boolean isVirtual() {
      return "virtual".equals(creation.layout().kind());
    }
  }

  /** A committed type. */
  static final class ModelType extends ModelObject {
    TypeSpec type;
  }

  /** The target of a link. */
  sealed interface Target {
    /** An object that a hard link names. */
    record Hard(ModelObject node) implements Target {}

    /** A path in this file. */
    record Soft(String path) implements Target {}

    /** A path in another file. */
    record External(String file, String path) implements Target {}
  }
}
