package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.testkit.differential.ModelObject.AttributeState;
import org.hyperslab.testkit.differential.ModelObject.ModelDataset;
import org.hyperslab.testkit.differential.ModelObject.ModelGroup;
import org.hyperslab.testkit.differential.ModelObject.ModelType;
import org.hyperslab.testkit.differential.ModelObject.Target;

/**
 * Copies objects of a model as H5Ocopy does within a file without options. Hard links among the
 * copied objects are preserved, committed types are copied too, and references keep their target
 * except those that are an attribute's elements.
 */
final class ModelCopy {

  private final Map<ModelObject, ModelObject> made = new IdentityHashMap<>();

  /** Returns the copy of an object. */
  ModelObject of(ModelObject node) {
    ModelObject there = made.get(node);
    return there != null ? there : make(node);
  }

  private ModelObject make(ModelObject node) {
    ModelObject copy =
        switch (node) {
          case ModelGroup group -> {
            ModelGroup one = new ModelGroup();
            one.ordered = group.ordered;
            yield one;
          }
          case ModelDataset dataset -> dataset(dataset);
          case ModelType type -> {
            ModelType one = new ModelType();
            one.type = type.type;
            yield one;
          }
        };
    made.put(node, copy);
    copy.tracked = node.tracked;
    copy.comment = node.comment;
    if (node instanceof ModelDataset dataset) {
      ((ModelDataset) copy).committed = type(dataset.committed);
    }
    node.attributes.forEach((name, one) ->
        copy.attributes.put(
            name,
            new AttributeState(one.type(), type(one.committed()), one.dims(), valuesOf(one))));
    if (node instanceof ModelGroup group) {
      group.links.forEach((name, target) -> ((ModelGroup) copy).links.put(name, link(target)));
    }
    return copy;
  }

  /**
   * Returns the values of a copied attribute. References that are its elements lose their target;
   * references within elements keep it.
   */
  private static List<Object> valuesOf(AttributeState attribute) {
    return attribute.type() instanceof TypeSpec.Ref
        ? Collections.nCopies(attribute.values().size(), null)
        : attribute.values();
  }

  private Target link(Target target) {
    return target instanceof Target.Hard hard ? new Target.Hard(of(hard.node())) : target;
  }

  private ModelType type(ModelType type) {
    return type == null ? null : (ModelType) of(type);
  }

  private static ModelDataset dataset(ModelDataset dataset) {
    ModelDataset one = new ModelDataset();
    one.type = dataset.type;
    one.dims = dataset.dims;
    one.most = dataset.most;
    one.creation = dataset.creation;
    one.values = new ArrayList<>(dataset.values);
    one.masked = dataset.masked;
    return one;
  }
}
