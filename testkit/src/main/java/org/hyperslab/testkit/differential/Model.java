package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.testkit.differential.ModelObject.AttributeState;
import org.hyperslab.testkit.differential.ModelObject.ModelDataset;
import org.hyperslab.testkit.differential.ModelObject.ModelGroup;
import org.hyperslab.testkit.differential.ModelObject.ModelType;
import org.hyperslab.testkit.differential.ModelObject.Target;

/**
 * The content that a file must have by the specification, computed without this project and without
 * the library.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Model {

  final ModelGroup root = new ModelGroup();

  private final boolean tracked;

  /** Creates the model of a new file. */
  Model(History.Creation creation) {
    root.ordered = creation.ordered();
    tracked = creation.sharesAttributes();
    root.tracked = tracked;
  }

  /**
   * Returns whether every object records the order of its attributes, as it does if they are
   * shared.
   */
  boolean isTracked() {
    return tracked;
  }

  /** Returns the object at a path, along hard links only; null if there is none. */
  ModelObject find(String path) {
    ModelObject at = root;
    for (String name : path.split("/")) {
      if (name.isEmpty()) {
        continue;
      }
      Target next = at instanceof ModelGroup group ? group.links.get(name) : null;
      if (!(next instanceof Target.Hard hard)) {
        return null;
      }
      at = hard.node();
    }
    return at;
  }

  /** Returns the group that contains or would contain a path's last name; null if there is none. */
  ModelGroup parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash >= 0 && find(path.substring(0, slash + 1)) instanceof ModelGroup group
        ? group
        : null;
  }

  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * Returns every object that is reachable by hard links, with its first path in order of names.
   */
  Map<ModelObject, String> paths() {
    Map<ModelObject, String> found = new IdentityHashMap<>();
    collect(root, "/", found, new ArrayList<>());
    return found;
  }

  private static void collect(
      ModelObject node, String path, Map<ModelObject, String> found, List<ModelObject> order) {
    found.put(node, path);
    order.add(node);
    if (node instanceof ModelGroup group) {
      for (Map.Entry<String, Target> link : new TreeMap<>(group.links).entrySet()) {
        if (link.getValue() instanceof Target.Hard hard && !found.containsKey(hard.node())) {
          String below = (path.equals("/") ? "" : path) + "/" + link.getKey();
          collect(hard.node(), below, found, order);
        }
      }
    }
  }

  /** Returns a line for each object, in the order of {@link #paths}. */
  List<String> lines() {
    Map<ModelObject, String> paths = new IdentityHashMap<>();
    List<ModelObject> order = new ArrayList<>();
    collect(root, "/", paths, order);
    return order.stream().map(node -> Json.text(line(node, paths))).toList();
  }

  private List<Object> line(ModelObject node, Map<ModelObject, String> paths) {
    List<Object> line = new ArrayList<>();
    line.add(paths.get(node));
    switch (node) {
      case ModelGroup group -> {
        line.add("group");
        line.add(links(group, paths));
        line.add(group.ordered ? List.copyOf(group.links.keySet()) : null);
      }
      case ModelDataset dataset -> line(dataset, paths, line);
      case ModelType type -> {
        line.add("type");
        line.add(type.type.tree());
      }
    }
    line.add(node.comment);
    line.add(attributes(node, paths));
    return line;
  }

  private void line(ModelDataset dataset, Map<ModelObject, String> paths, List<Object> line) {
    Edit.Creation creation = dataset.creation;
    line.add("dataset");
    line.add(dataset.type.tree());
    line.add(committed(dataset.committed, paths));
    line.add(Shapes.list(dataset.dims));
    line.add(dataset.dims == null ? null : dataset.most);
    line.add(
        "chunk".equals(creation.layout().kind())
            ? creation.layout().tree()
            : List.of(creation.layout().kind()));
    line.add(creation.filters().stream().map(Model::filterNumber).toList());
    line.add(
        creation.fill().isEmpty()
            ? "default"
            : ElementValues.shown(creation.fill().getFirst(), node -> pathOf(paths, node)));
    line.add(ElementValues.shown(valuesOf(dataset), node -> pathOf(paths, node)));
  }

  private static Object filterNumber(List<Object> filter) {
    return switch ((String) filter.getFirst()) {
      case "deflate" -> 1;
      case "shuffle" -> 2;
      case "fletcher32" -> 3;
      case "nbit" -> 5;
      case "scaleoffset" -> 6;
      default -> 32000;
    };
  }

  /** Returns the values that a reader gets; for a virtual dataset, those of its sources. */
  List<Object> valuesOf(ModelDataset dataset) {
    if (!dataset.isVirtual()) {
      return dataset.values;
    }
    List<Object> found = new ArrayList<>(dataset.values);
    for (Edit.Part part : dataset.creation.layout().parts()) {
      if (find(part.source()) instanceof ModelDataset source) {
        long[] to = part.target().within(dataset.dims);
        long[] from = part.picks().within(source.dims);
        for (int i = 0; i < to.length; i++) {
          found.set((int) to[i], source.values.get((int) from[i]));
        }
      }
    }
    return found;
  }

  private static String pathOf(Map<ModelObject, String> paths, ModelObject node) {
    return paths.getOrDefault(node, "nowhere");
  }

  private static Object committed(ModelType type, Map<ModelObject, String> paths) {
    return type == null ? null : pathOf(paths, type);
  }

  private static List<Object> links(ModelGroup group, Map<ModelObject, String> paths) {
    List<Object> result = new ArrayList<>();
    new TreeMap<>(group.links)
        .forEach((name, target) ->
            result.add(
                switch (target) {
                  case Target.Hard hard -> List.of(name, "hard", paths.get(hard.node()));
                  case Target.Soft soft -> List.of(name, "soft", soft.path());
                  case Target.External far -> List.of(name, "external", far.file(), far.path());
                }));
    return result;
  }

  private static List<Object> attributes(ModelObject node, Map<ModelObject, String> paths) {
    List<Object> result = new ArrayList<>();
    for (Map.Entry<String, AttributeState> each : new TreeMap<>(node.attributes).entrySet()) {
      AttributeState one = each.getValue();
      List<Object> line = new ArrayList<>(List.of(each.getKey(), one.type().tree()));
      line.add(committed(one.committed(), paths));
      line.add(Shapes.list(one.dims()));
      line.add(ElementValues.shown(one.values(), target -> pathOf(paths, target)));
      result.add(line);
    }
    if (node.tracked) {
      result.add(List.copyOf(node.attributes.keySet()));
    }
    return result;
  }
}
