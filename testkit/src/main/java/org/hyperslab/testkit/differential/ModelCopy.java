package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.hyperslab.testkit.differential.Node.AttributeState;
import org.hyperslab.testkit.differential.Node.DatasetNode;
import org.hyperslab.testkit.differential.Node.GroupNode;
import org.hyperslab.testkit.differential.Node.Target;
import org.hyperslab.testkit.differential.Node.TypeNode;

/**
 * Copies objects of a model as H5Ocopy does within a file without options: hard links among what is
 * copied stay what they are, committed types are copied too, references keep their target but for
 * those that are an attribute's elements.
 */
final class ModelCopy {

  private final Map<Node, Node> made = new IdentityHashMap<>();

  /** The copy of an object. */
  Node of(Node node) {
    Node there = made.get(node);
    return there != null ? there : make(node);
  }

  private Node make(Node node) {
    Node copy =
        switch (node) {
          case GroupNode group -> {
            GroupNode one = new GroupNode();
            one.ordered = group.ordered;
            yield one;
          }
          case DatasetNode dataset -> dataset(dataset);
          case TypeNode type -> {
            TypeNode one = new TypeNode();
            one.type = type.type;
            yield one;
          }
        };
    made.put(node, copy);
    copy.tracked = node.tracked;
    copy.comment = node.comment;
    if (node instanceof DatasetNode dataset) {
      ((DatasetNode) copy).committed = type(dataset.committed);
    }
    node.attributes.forEach((name, one) ->
        copy.attributes.put(
            name,
            new AttributeState(one.type(), type(one.committed()), one.dims(), valuesOf(one))));
    if (node instanceof GroupNode group) {
      group.links.forEach((name, target) -> ((GroupNode) copy).links.put(name, link(target)));
    }
    return copy;
  }

  /** References that are an attribute's elements lose their target; those in their parts do not. */
  private static List<Object> valuesOf(AttributeState attribute) {
    return attribute.type() instanceof TypeSpec.Ref
        ? Collections.nCopies(attribute.values().size(), null)
        : attribute.values();
  }

  private Target link(Target target) {
    return target instanceof Target.Hard hard ? new Target.Hard(of(hard.node())) : target;
  }

  private TypeNode type(TypeNode type) {
    return type == null ? null : (TypeNode) of(type);
  }

  private static DatasetNode dataset(DatasetNode dataset) {
    DatasetNode one = new DatasetNode();
    one.type = dataset.type;
    one.dims = dataset.dims;
    one.most = dataset.most;
    one.creation = dataset.creation;
    one.values = new ArrayList<>(dataset.values);
    return one;
  }
}
