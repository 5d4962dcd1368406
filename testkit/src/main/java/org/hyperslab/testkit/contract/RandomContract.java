package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.Test;

/**
 * Runs random operations on the connector and on the connector in memory: both must give the same
 * results, or fail with the same class of error, and end with the same trees.
 */
abstract class RandomContract extends ContractBase {

  private static final int RUNS = Effort.times(2, 4);
  private static final int STEPS = 150;
  private static final String[] NAMES = {"a", "b", "c", "d"};

  RandomContract() {}

  @Test
  void randomOperationsAgreeWithTheModel() {
    Seeds.runFixed(
        RUNS,
        random -> {
          recreate(createOptions());
          try (MemoryConnector connector = new MemoryConnector();
              Session model = Hdf5.session(connector)) {
            agree(random, model);
          }
        });
  }

  private void agree(Random random, Session session) {
    H5File model = session.create("model.h5", createOptions());
    for (int step = 0; step < STEPS; step++) {
      if (random.nextInt(40) == 0) {
        reopenForEdit();
        model.close();
        model = session.open("model.h5", OpenOptions.EDIT);
      }
      Step next = step(random);
      String expected = outcome(model, next);
      assertThat(outcome(file(), next)).as("step %d: %s", step, next.name).isEqualTo(expected);
    }
    String tree = describe(model.root());
    assertThat(describe(file().root())).isEqualTo(tree);
    assertThat(describe(reopen().root())).isEqualTo(tree);
    model.close();
  }

  /** One operation, with a result that can be compared. */
  private record Step(String name, Function<H5File, Object> run) {}

  private static String outcome(H5File file, Step step) {
    try {
      Object result = step.run.apply(file);
      return Arrays.deepToString(new Object[] {result});
    } catch (HyperslabException e) {
      return e.getClass().getSimpleName();
    }
  }

  private static String path(Random random) {
    StringBuilder path = new StringBuilder();
    for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
      path.append(path.isEmpty() ? "" : "/").append(NAMES[random.nextInt(NAMES.length)]);
    }
    return path.toString();
  }

  private static Step step(Random random) {
    String path = path(random);
    String other = path(random);
    String name = NAMES[random.nextInt(NAMES.length)];
    int number = random.nextInt(1000);
    return switch (random.nextInt(18)) {
      case 0, 1 ->
          new Step(
              "group " + path,
              file -> {
                file.createGroup(path).close();
                return "";
              });
      case 2, 3, 4 -> create(random, path);
      case 5, 6, 7 -> write(random, path);
      case 8, 9 -> read(random, path);
      case 10 -> extend(random, path);
      case 11 ->
          new Step(
              "attribute " + name + " of " + path,
              file -> with(file.get(path), o -> o.setAttribute(name, number).readInt()));
      case 12 ->
          new Step(
              "no attribute " + name + " of " + path,
              file ->
                  with(
                      file.get(path),
                      o -> {
                        o.deleteAttribute(name);
                        return o.attributeCount();
                      }));
      case 13 -> edit("delete " + path, root -> root.delete(path));
      case 14 -> edit("move " + path + " to " + other, root -> root.move(path, other));
      case 15 -> edit("hard " + path + " to " + other, root -> root.createHardLink(path, other));
      case 16 -> edit("copy " + path + " to " + other, root -> root.copy(path, root, other));
      default -> new Step("list " + path, file -> with(file.group(path), Group::names));
    };
  }

  private static Step edit(String name, Consumer<Group> edit) {
    return new Step(
        name,
        file -> {
          edit.accept(file.root());
          return "";
        });
  }

  private static <T extends H5Object> Object with(T object, Function<T, Object> use) {
    try (object) {
      return use.apply(object);
    }
  }

  private static Step create(Random random, String path) {
    Datatype[] types = {Datatypes.I32LE, Datatypes.F64BE, Datatypes.I16BE, Datatypes.U8LE};
    Datatype type = types[random.nextInt(types.length)];
    long[] dims = {1 + random.nextInt(9), 1 + random.nextInt(9)};
    List<Layouts> layouts = List.of(Layouts.values());
    Layouts layout = layouts.get(random.nextInt(layouts.size()));
    DatasetOptions options = layout.options(dims);
    Dataspace space = layout.space(dims);
    return new Step(
        "dataset " + path + " " + layout + " " + space,
        file -> {
          file.datasetBuilder(path).type(type).space(space).options(options).create().close();
          return "";
        });
  }

  private static Selection selection(Random random, long[] dims) {
    return switch (random.nextInt(4)) {
      case 0 -> Selection.all();
      case 1 -> Selection.points(2, random.nextLong(dims[0]), random.nextLong(dims[1]));
      case 2 -> box(random, dims);
      default -> box(random, dims).or(box(random, dims));
    };
  }

  private static Selection box(Random random, long[] dims) {
    long[] start = {random.nextLong(dims[0]), random.nextLong(dims[1])};
    long[] count = {
      1 + random.nextLong(dims[0] - start[0]), 1 + random.nextLong(dims[1] - start[1])
    };
    return Selection.box(start, count);
  }

  private static Step write(Random random, String path) {
    long seed = random.nextLong();
    return new Step(
        "write " + path,
        file ->
            with(
                file.dataset(path),
                dataset -> {
                  Selection selection = selection(new Random(seed), dataset.shape());
                  int count = (int) selection.elementCount(dataset.shape());
                  dataset.write(selection, new Random(seed).ints(count, 0, 256).toArray());
                  return count;
                }));
  }

  private static Step read(Random random, String path) {
    long seed = random.nextLong();
    return new Step(
        "read " + path,
        file ->
            with(
                file.dataset(path),
                dataset -> dataset.readInts(selection(new Random(seed), dataset.shape()))));
  }

  private static Step extend(Random random, String path) {
    long[] dims = {1 + random.nextInt(9), 1 + random.nextInt(9)};
    return new Step(
        "extend " + path + " to " + Arrays.toString(dims),
        file ->
            with(
                file.dataset(path),
                dataset -> {
                  dataset.setExtent(dims);
                  return dataset.shape();
                }));
  }

  /** Describes every object below a group, once, with its attributes and elements. */
  private static String describe(Group root) {
    List<String> lines = new ArrayList<>();
    root.visit((path, object) -> {
      StringBuilder line = new StringBuilder(path).append(' ').append(object.kind());
      object
          .attributes()
          .forEach(a -> line.append(' ').append(a.name()).append('=').append(a.readInt()));
      if (object instanceof Dataset dataset) {
        line.append(dataset.space()).append(Arrays.toString(dataset.readInts()));
      }
      lines.add(line.toString());
      return true;
    });
    return String.join("\n", lines);
  }
}
