package org.hyperslab.plugins.nativevol.crash;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.nativevol.crash.State.Node;

/**
 * Random edits of a file, with a model beside it that says what the file must hold: groups, links,
 * attributes (few and many), datasets of every layout, partial writes, extents, deletions.
 *
 * <p>An edit changes the model once the file has taken it, so that an edit that fails leaves the
 * model as it was.
 */
final class Workload {

  private static final int LARGE_ROWS = 400;

  private final Random random;
  final State model;
  private final int mostNodes;
  private int names;
  private Dataset open;
  private String openPath;

  /** Edits a file whose content is that of the model. */
  Workload(Random random, State model) {
    this.random = random;
    this.model = model;
    this.mostNodes = Math.min(model.nodes.size(), 30) + (random.nextInt(4) == 0 ? 40 : 12);
  }

  /** A workload of a new file. */
  static Workload ofNewFile(Random random) {
    State empty = new State();
    empty.nodes.put("/", new Node());
    return new Workload(random, empty);
  }

  /** Closes what is open; before the file is closed, and after a failure. */
  void closeObjects() {
    if (open != null) {
      Dataset closing = open;
      open = null;
      openPath = null;
      closing.close();
    }
  }

  /** One edit. */
  void step(H5File file) {
    int choice = random.nextInt(20);
    if (model.nodes.size() > mostNodes || (choice == 0 && model.nodes.size() > 4)) {
      delete(file);
    } else if (choice < 3) {
      createGroup(file);
    } else if (choice < 8) {
      createDataset(file);
    } else if (choice < 13) {
      write(file);
    } else if (choice < 15) {
      setExtent(file);
    } else if (choice < 18) {
      attribute(file);
    } else {
      link(file);
    }
  }

  // --- choosing ---

  private List<String> groups() {
    return paths(node -> !node.isData() && node.softTarget == null);
  }

  private List<String> paths(Predicate<Node> wanted) {
    List<String> found = new ArrayList<>();
    model.nodes.forEach((path, node) -> {
      if (wanted.test(node)) {
        found.add(path);
      }
    });
    return found;
  }

  private String newPath() {
    List<String> groups = groups();
    String group = groups.get(random.nextInt(groups.size()));
    String path;
    do {
      path = (group.equals("/") ? "" : group) + "/n" + names++;
    } while (model.nodes.containsKey(path));
    return path;
  }

  private String pick(List<String> paths) {
    return paths.isEmpty() ? null : paths.get(random.nextInt(paths.size()));
  }

  // --- edits ---

  private void createGroup(H5File file) {
    String path = newPath();
    file.createGroup(path).close();
    model.nodes.put(path, new Node());
  }

  private void createDataset(H5File file) {
    String path = newPath();
    if (random.nextInt(5) == 0) {
      createTexts(file, path);
      return;
    }
    Node node = new Node();
    long rows = random.nextInt(8) == 0 ? LARGE_ROWS : 1 + random.nextInt(30);
    node.dims = new long[] {rows, 1 + random.nextInt(10)};
    long[] chunk = {1 + rows / 3, 1 + node.dims[1] / 2};
    long[] max = node.dims.clone();
    DatasetOptions.Builder options = DatasetOptions.builder();
    node.inPlace = true;
    switch (random.nextInt(8)) {
      case 0 -> {
        options.layout(new Layout.Compact());
        node.inPlace = false;
      }
      case 1 -> options.layout(new Layout.Contiguous());
      case 2 -> options.layout(new Layout.Contiguous()).allocationTime(AllocationTime.EARLY);
      case 3 -> options.chunked(chunk);
      case 4 -> options.chunked(chunk).allocationTime(AllocationTime.EARLY);
      case 5 -> {
        options.chunked(chunk).shuffle().deflate(1);
        max[0] = Dataspace.UNLIMITED;
        node.growing = true;
        node.inPlace = false;
      }
      case 6 -> {
        options.chunked(chunk);
        Arrays.fill(max, Dataspace.UNLIMITED);
        node.growing = true;
      }
      default -> {
        options.chunked(chunk);
        max[0] = Dataspace.UNLIMITED;
        node.growing = true;
      }
    }
    if (random.nextInt(3) == 0) {
      node.fill = random.nextInt();
      options.fill(
          new FillValue.Value(
              Datatypes.NATIVE_INT, DataBuffer.of(MemorySegment.ofArray(new int[] {node.fill}))));
    }
    node.numbers = new int[Math.toIntExact(rows * node.dims[1])];
    Arrays.fill(node.numbers, node.fill);
    file.datasetBuilder(path)
        .type(Datatypes.I32LE)
        .shape(node.dims)
        .maxShape(max)
        .options(options.build())
        .create()
        .close();
    model.nodes.put(path, node);
  }

  private void createTexts(H5File file, String path) {
    Node node = new Node();
    node.dims = new long[] {1 + random.nextInt(6)};
    node.texts = new String[(int) node.dims[0]];
    Arrays.fill(node.texts, "");
    DatasetOptions options =
        random.nextBoolean() ? DatasetOptions.DEFAULT : DatasetOptions.chunked(2).build();
    if (random.nextBoolean() && node.dims[0] >= 2) {
      options = DatasetOptions.chunked(2).deflate(1).build();
    } else if (node.dims[0] < 2) {
      options = DatasetOptions.DEFAULT;
    }
    file.datasetBuilder(path)
        .type(Datatypes.vlenString())
        .shape(node.dims)
        .options(options)
        .create()
        .close();
    model.nodes.put(path, node);
  }

  /** Writes some elements; several writes may come to one dataset while it stays open. */
  void write(H5File file) {
    String path = pick(paths(Node::isData));
    if (open != null && random.nextInt(3) > 0) {
      path = openPath;
    }
    if (path == null) {
      return;
    }
    if (!path.equals(openPath)) {
      closeObjects();
      open = file.dataset(path);
      openPath = path;
    }
    Node node = model.nodes.get(path);
    if (node.texts != null) {
      writeTexts(node);
    } else if (node.numbers.length > 0) {
      writeNumbers(node);
    }
  }

  private void writeTexts(Node node) {
    int at = random.nextInt(node.texts.length);
    String text = "text " + random.nextInt() + "x".repeat(random.nextInt(60));
    open.write(Selection.box(new long[] {at}, new long[] {1}), new String[] {text});
    node.texts[at] = text;
  }

  private void writeNumbers(Node node) {
    long[] start = new long[2];
    long[] count = new long[2];
    for (int d = 0; d < 2; d++) {
      start[d] = random.nextLong(node.dims[d]);
      count[d] = 1 + random.nextLong(node.dims[d] - start[d]);
    }
    int[] values = random.ints(count[0] * count[1]).toArray();
    noteOverwritten(node, start, count, values);
    open.write(Selection.box(start, count), values);
    each(start, count, (i, row, column) -> node.numbers[index(node.dims, row, column)] = values[i]);
  }

  private static void noteOverwritten(Node node, long[] start, long[] count, int[] values) {
    if (node.inPlace && node.flushedDims != null) {
      long[] dims = node.flushedDims;
      each(
          start,
          count,
          (i, row, column) -> {
            if (row < dims[0] && column < dims[1]) {
              node.overwritten
                  .computeIfAbsent(index(dims, row, column), at -> new ArrayList<>())
                  .add(values[i]);
            }
          });
    }
  }

  private interface Element {
    void accept(int i, long row, long column);
  }

  private static void each(long[] start, long[] count, Element element) {
    int i = 0;
    for (long row = start[0]; row < start[0] + count[0]; row++) {
      for (long column = start[1]; column < start[1] + count[1]; column++) {
        element.accept(i++, row, column);
      }
    }
  }

  private static int index(long[] dims, long row, long column) {
    return Math.toIntExact(row * dims[1] + column);
  }

  private void setExtent(H5File file) {
    String path = pick(paths(node -> node.growing));
    if (path == null) {
      createDataset(file);
      return;
    }
    Node node = model.nodes.get(path);
    long[] dims = node.dims.clone();
    dims[0] = random.nextInt(40);
    try (Dataset dataset = file.dataset(path)) {
      dataset.setExtent(dims);
    }
    int[] now = new int[Math.toIntExact(dims[0] * dims[1])];
    Arrays.fill(now, node.fill);
    System.arraycopy(node.numbers, 0, now, 0, Math.min(now.length, node.numbers.length));
    node.dims = dims;
    node.numbers = now;
  }

  private void attribute(H5File file) {
    String path = pick(paths(node -> node.softTarget == null));
    Node node = model.nodes.get(path);
    try (H5Object object = path.equals("/") ? file.root() : file.get(path)) {
      if (!node.attributes.isEmpty() && random.nextInt(4) == 0) {
        String name = pick(List.copyOf(node.attributes.keySet()));
        object.deleteAttribute(name);
        node.attributes.remove(name);
        return;
      }
      for (int count = random.nextInt(4) == 0 ? 10 : 1; count > 0; count--) {
        setAttribute(object, node, "a" + random.nextInt(14));
      }
    }
  }

  private void setAttribute(H5Object object, Node node, String name) {
    if (random.nextInt(3) == 0) {
      String text = "t" + random.nextInt();
      object.setAttribute(name, text);
      node.attributes.put(name, "text " + text);
    } else {
      int[] values = random.ints(1 + random.nextInt(random.nextInt(8) == 0 ? 300 : 6)).toArray();
      object.setAttribute(name, values);
      node.attributes.put(name, State.numbers(values));
    }
  }

  private void link(H5File file) {
    String from = pick(paths(Node::isData));
    String to = newPath();
    if (from == null || random.nextInt(3) == 0) {
      Node soft = new Node();
      soft.softTarget = "/somewhere/n" + random.nextInt(100);
      file.root().createSoftLink(to, soft.softTarget);
      model.nodes.put(to, soft);
    } else if (random.nextBoolean()) {
      file.root().createHardLink(to, from);
      model.nodes.put(to, model.nodes.get(from));
    } else {
      closeObjects();
      file.root().move(from, to);
      model.nodes.put(to, model.nodes.remove(from));
    }
  }

  private void delete(H5File file) {
    closeObjects();
    String path = pick(paths(node -> true));
    if (path.equals("/")) {
      return;
    }
    file.root().delete(path);
    model.nodes.keySet().removeIf(each -> each.equals(path) || each.startsWith(path + "/"));
  }
}
