package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.hyperslab.testkit.differential.ModelObject.AttributeState;
import org.hyperslab.testkit.differential.ModelObject.ModelDataset;
import org.hyperslab.testkit.differential.ModelObject.ModelGroup;
import org.hyperslab.testkit.differential.ModelObject.ModelType;
import org.hyperslab.testkit.differential.ModelObject.Target;

/**
 * Applies edits to a model. An edit whose object does not exist, which happens when a history is
 * shortened, is skipped.
 */
final class ModelEdits {

  private final Model model;

  ModelEdits(Model model) {
    this.model = model;
  }

  /** Applies an edit. Returns false and changes nothing if the edit is invalid. */
  boolean apply(Edit edit) {
    return switch (edit) {
      case Edit.Group group -> make(group.path(), group(group));
      case Edit.Dataset dataset -> dataset(dataset);
      case Edit.Write write -> write(write);
      case Edit.Resize resize -> resize(resize);
      case Edit.Chunk chunk -> chunk(chunk);
      case Edit.Attribute attribute -> attribute(attribute);
      case Edit.Rewrite rewrite -> rewrite(rewrite);
      case Edit.DeleteAttribute delete -> deleteAttribute(delete);
      case Edit.RenameAttribute rename -> rename(rename);
      case Edit.Commit commit -> commit(commit);
      case Edit.Delete delete -> delete(delete.path());
      case Edit.Move move -> move(move);
      case Edit.Hard hard -> hard(hard);
      case Edit.Soft soft -> link(soft.path(), new Target.Soft(soft.target()));
      case Edit.External far -> link(far.path(), new Target.External(far.file(), far.target()));
      case Edit.Copy copy -> copy(copy);
      case Edit.Comment comment -> comment(comment);
      case Edit.Flush ignored -> true;
    };
  }

  private boolean link(String path, Target target) {
    ModelGroup parent = model.parent(path);
    return parent != null && parent.links.putIfAbsent(Model.name(path), target) == null;
  }

  private boolean make(String path, ModelObject node) {
    return link(path, new Target.Hard(node));
  }

  private ModelObject group(Edit.Group edit) {
    ModelGroup made = new ModelGroup();
    made.ordered = edit.ordered();
    made.tracked = tracks(edit.attributes());
    return made;
  }

  private boolean tracks(Edit.Storage storage) {
    return model.isTracked() || storage != null && storage.tracked();
  }

  private boolean commit(Edit.Commit edit) {
    ModelType made = new ModelType();
    made.type = edit.type();
    return make(edit.path(), made);
  }

  private boolean dataset(Edit.Dataset edit) {
    ModelDataset made = new ModelDataset();
    made.type = edit.type();
    made.creation = edit.creation();
    made.tracked = tracks(made.creation.attributes());
    if (made.creation.committed() != null) {
      made.committed = committed(made.creation.committed(), edit.type());
      if (made.committed == null) {
        return false;
      }
    }
    List<Long> dims = edit.extent().dims();
    made.dims = dims == null ? null : Shapes.array(dims);
    made.most = edit.extent().most() == null ? dims : edit.extent().most();
    long count = Shapes.count(made.dims);
    made.values = new ArrayList<>(Collections.nCopies((int) count, made.unwritten()));
    if (edit.values() != null) {
      made.values = ElementValues.resolved(edit.type(), edit.values(), model::find);
      if (made.values == null || made.values.size() != count) {
        return false;
      }
    }
    return partsFit(made) && make(edit.path(), made);
  }

  private boolean partsFit(ModelDataset made) {
    if (!made.isVirtual()) {
      return true;
    }
    return made.creation.layout().parts().stream()
        .allMatch(part ->
            model.find(part.source()) instanceof ModelDataset source
                && source.type.equals(made.type)
                && part.sourceDims().equals(Shapes.list(source.dims)));
  }

  private ModelType committed(String path, TypeSpec type) {
    return model.find(path) instanceof ModelType node && node.type.equals(type) ? node : null;
  }

  private boolean write(Edit.Write edit) {
    if (!(model.find(edit.path()) instanceof ModelDataset dataset)
        || dataset.dims == null
        || !dataset.type.equals(edit.type())) {
      return false;
    }
    long[] chosen = edit.picks().within(dataset.dims);
    List<Object> values = ElementValues.resolved(edit.type(), edit.values(), model::find);
    if (chosen == null || values == null || chosen.length != values.size()) {
      return false;
    }
    if (dataset.isVirtual()) {
      return false;
    }
    for (int i = 0; i < chosen.length; i++) {
      dataset.values.set((int) chosen[i], values.get(i));
    }
    return true;
  }

  private boolean resize(Edit.Resize edit) {
    if (!(model.find(edit.path()) instanceof ModelDataset dataset)
        || dataset.dims == null
        || !"chunk".equals(dataset.creation.layout().kind())
        || dataset.dims.length != edit.dims().size()) {
      return false;
    }
    for (int d = 0; d < edit.dims().size(); d++) {
      long most = dataset.most.get(d);
      if (most >= 0 && edit.dims().get(d) > most) {
        return false;
      }
    }
    long[] dims = Shapes.array(edit.dims());
    List<Object> values =
        new ArrayList<>(Collections.nCopies((int) Shapes.count(dims), dataset.unwritten()));
    for (int i = 0; i < values.size(); i++) {
      long before = Shapes.number(dataset.dims, Shapes.coordinates(dims, i));
      if (before >= 0) {
        values.set(i, dataset.values.get((int) before));
      }
    }
    dataset.dims = dims;
    dataset.values = values;
    return true;
  }

  private boolean chunk(Edit.Chunk edit) {
    if (!(model.find(edit.path()) instanceof ModelDataset dataset)
        || dataset.dims == null
        || !"chunk".equals(dataset.creation.layout().kind())
        || Shapes.number(dataset.dims, edit.offset()) < 0) {
      return false;
    }
    long[] shape = Shapes.array(dataset.creation.layout().chunk());
    if (Shapes.count(shape) != edit.elements().size()) {
      return false;
    }
    dataset.masked = dataset.masked || edit.mask() != 0;
    for (int i = 0; i < edit.elements().size(); i++) {
      List<Long> inside = Shapes.coordinates(shape, i);
      List<Long> at = new ArrayList<>();
      for (int d = 0; d < shape.length; d++) {
        at.add(edit.offset().get(d) + inside.get(d));
      }
      long number = Shapes.number(dataset.dims, at);
      if (number >= 0) {
        dataset.values.set((int) number, edit.elements().get(i));
      }
    }
    return true;
  }

  private boolean attribute(Edit.Attribute edit) {
    ModelObject node = model.find(edit.path());
    if (node == null || node.attributes.containsKey(edit.name())) {
      return false;
    }
    ModelType committed =
        edit.committed() == null ? null : committed(edit.committed(), edit.type());
    List<Object> values = ElementValues.resolved(edit.type(), edit.values(), model::find);
    if (values == null || (committed == null) != (edit.committed() == null)) {
      return false;
    }
    long[] dims = edit.dims() == null ? null : Shapes.array(edit.dims());
    node.attributes.put(edit.name(), new AttributeState(edit.type(), committed, dims, values));
    return true;
  }

  private boolean rewrite(Edit.Rewrite edit) {
    ModelObject node = model.find(edit.path());
    AttributeState old = node == null ? null : node.attributes.get(edit.name());
    List<Object> values = ElementValues.resolved(edit.type(), edit.values(), model::find);
    if (old == null
        || values == null
        || !old.type().equals(edit.type())
        || old.values().size() != values.size()) {
      return false;
    }
    node.attributes.put(
        edit.name(), new AttributeState(old.type(), old.committed(), old.dims(), values));
    return true;
  }

  private boolean deleteAttribute(Edit.DeleteAttribute edit) {
    ModelObject node = model.find(edit.path());
    return node != null
        && !isReferred(node, edit.name())
        && node.attributes.remove(edit.name()) != null;
  }

  private boolean rename(Edit.RenameAttribute edit) {
    ModelObject node = model.find(edit.path());
    if (node == null
        || !node.attributes.containsKey(edit.from())
        || node.attributes.containsKey(edit.to())
        || isReferred(node, edit.from())) {
      return false;
    }
    Map<String, AttributeState> old = new LinkedHashMap<>(node.attributes);
    node.attributes.clear();
    old.forEach(
        (name, state) -> node.attributes.put(name.equals(edit.from()) ? edit.to() : name, state));
    return true;
  }

  /** Returns whether a reference to an attribute exists. */
  private boolean isReferred(ModelObject node, String attribute) {
    return references()
        .anyMatch(one ->
            one.node() == node && one.kind().equals("attr") && one.detail().contains(attribute));
  }

  private Stream<ElementValues.Reference> references() {
    return model.paths().keySet().stream().flatMap(ModelEdits::values).flatMap(ModelEdits::inside);
  }

  private static Stream<Object> values(ModelObject node) {
    Stream<Object> held = node.attributes.values().stream().map(AttributeState::values);
    return node instanceof ModelDataset dataset
        ? Stream.concat(held, Stream.of(dataset.values))
        : held;
  }

  private static Stream<ElementValues.Reference> inside(Object value) {
    return switch (value) {
      case ElementValues.Reference reference -> Stream.of(reference);
      case List<?> list -> list.stream().filter(Objects::nonNull).flatMap(ModelEdits::inside);
      default -> Stream.empty();
    };
  }

  private boolean delete(String path) {
    ModelGroup parent = model.parent(path);
    Map<String, Target> before = parent == null ? null : new LinkedHashMap<>(parent.links);
    if (parent == null || parent.links.remove(Model.name(path)) == null) {
      return false;
    }
    if (staysWhole()) {
      return true;
    }
    parent.links.clear();
    parent.links.putAll(before);
    return false;
  }

  /** Returns whether all references have targets and all virtual datasets have their sources. */
  private boolean staysWhole() {
    Set<ModelObject> there = Collections.newSetFromMap(new IdentityHashMap<>());
    there.addAll(model.paths().keySet());
    return references().allMatch(one -> there.contains(one.node()))
        && there.stream()
            .allMatch(node -> !(node instanceof ModelDataset dataset) || partsFit(dataset));
  }

  private boolean move(Edit.Move edit) {
    ModelGroup from = model.parent(edit.from());
    ModelGroup to = model.parent(edit.to());
    String name = Model.name(edit.from());
    if (from == null
        || to == null
        || !from.links.containsKey(name)
        || to.links.containsKey(Model.name(edit.to()))
        || isBelow(from.links.get(name), to)) {
      return false;
    }
    Map<String, Target> before = new LinkedHashMap<>(from.links);
    to.links.put(Model.name(edit.to()), from.links.remove(name));
    if (staysWhole()) {
      return true;
    }
    to.links.remove(Model.name(edit.to()));
    from.links.clear();
    from.links.putAll(before);
    return false;
  }

  private static boolean isBelow(Target target, ModelObject sought) {
    return target instanceof Target.Hard hard && reach(hard.node(), sought, new HashSet<>());
  }

  private static boolean reach(ModelObject at, ModelObject sought, Set<ModelObject> seen) {
    if (at == sought) {
      return true;
    }
    return seen.add(at)
        && at instanceof ModelGroup group
        && group.links.values().stream()
            .anyMatch(one -> one instanceof Target.Hard hard && reach(hard.node(), sought, seen));
  }

  private boolean hard(Edit.Hard edit) {
    ModelObject node = model.find(edit.from());
    return node != null && make(edit.to(), node);
  }

  private boolean comment(Edit.Comment edit) {
    ModelObject node = model.find(edit.path());
    if (node == null) {
      return false;
    }
    node.comment = edit.text();
    return true;
  }

  private boolean copy(Edit.Copy edit) {
    ModelObject node = model.find(edit.from());
    ModelGroup parent = model.parent(edit.to());
    if (node == null
        || parent == null
        || parent.links.containsKey(Model.name(edit.to()))
        || reach(node, parent, new HashSet<>())
        || holdsExternal(node, new HashSet<>())) {
      return false;
    }
    return make(edit.to(), new ModelCopy().of(node));
  }

  /**
   * Returns whether an object holds a dataset in external files; its copies share these files, so a
   * write to one changes both.
   */
  private static boolean holdsExternal(ModelObject node, Set<ModelObject> seen) {
    return seen.add(node)
        && switch (node) {
          case ModelDataset dataset -> dataset.creation.layout().kind().equals("external");
          case ModelGroup group ->
              group.links.values().stream()
                  .anyMatch(
                      one -> one instanceof Target.Hard hard && holdsExternal(hard.node(), seen));
          case ModelType ignored -> false;
        };
  }
}
