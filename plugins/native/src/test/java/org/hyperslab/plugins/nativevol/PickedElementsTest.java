package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Slice;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests lists of indices, masks, negative steps and repeated values against NumPy: what is read,
 * and what h5py finds after writing.
 */
final class PickedElementsTest {

  /**
   * Reads lines of: dataset, shape, what is picked, shape and elements that were read, shape and
   * elements that were written; fields are separated by bars.
   */
  private static final String JUDGE =
      """
      import h5py, sys, numpy as np
      def numbers(text): return [int(each) for each in text.split()]
      def pick(ids, text):
          if text.startswith('mask '):
              return ids.ravel()[np.array([c == '1' for c in text[5:]], bool)]
          if text.startswith('along '):
              axis, bits = text[6:].split(' ', 1)
              return np.compress([c == '1' for c in bits], ids, axis=int(axis))
          dropped = []
          for axis, part in enumerate(text.split(';')):
              if part.startswith('['):
                  ids = np.take(ids, np.array(numbers(part[1:-1].replace(',', ' ')), int), axis=axis)
              elif ':' in part:
                  limits = [int(each) if each else None for each in part.split(':')]
                  ids = ids[(slice(None),) * axis + (slice(*limits),)]
              else:
                  ids = np.take(ids, [int(part)], axis=axis)
                  dropped.append(axis)
          return ids.squeeze(tuple(dropped))
      wrong, count = [], 0
      with h5py.File(sys.argv[1]) as file:
          for line in open(sys.argv[2]):
              name, dims, text, shape, read, given, written = line.rstrip('\\n').split('|')
              count += 1
              all = np.arange(np.prod(numbers(dims), dtype=int)).reshape(numbers(dims))
              ids = pick(all, text)
              after = all.copy()
              values = np.array(numbers(written), int).reshape(numbers(given))
              after.flat[ids.ravel()] = np.broadcast_to(values, ids.shape).ravel()
              if list(ids.shape) != numbers(shape) or list(ids.ravel()) != numbers(read) \\
                      or not np.array_equal(after, file[name][...]):
                  wrong.append(line)
      print(*(wrong[:5] or ['equal', count]))
      """;

  @TempDir private Path folder;

  @Test
  void readsAndWritesWhatNumpyDoes() throws Exception {
    long seed = Seeds.draw();
    int count = Effort.times(300, 5000);
    Path path = folder.resolve("a.h5");
    List<String> lines = new ArrayList<>();
    try (H5File file = Hdf5.create(path)) {
      for (int i = 0; i < count; i++) {
        lines.add(tried(file, "c" + i, Seeds.random(seed, i)));
      }
    }
    Path told = Files.write(folder.resolve("cases"), lines);
    String judged = Oracle.h5py().run(JUDGE, path.toString(), told.toString()).orFail().output();
    assertThat(judged.strip()).as("seed " + seed).isEqualTo("equal " + count);
  }

  private static String tried(H5File file, String name, Random random) {
    long[] dims = random.longs(1 + random.nextInt(3), 1, 7).toArray();
    int size = (int) Arrays.stream(dims).reduce(1, (a, b) -> a * b);
    int[] content = IntStream.range(0, size).toArray();
    Dataset dataset =
        random.nextBoolean()
            ? file.createDataset(name, int.class, dims)
            : file.datasetBuilder(name)
                .type(int.class)
                .shape(dims)
                .options(
                    o -> o.chunked(Arrays.stream(dims).map(d -> (d + 1) / 2).toArray()).deflate(1))
                .create();
    dataset.write(content);
    String text = text(dims, random);
    Slice slice = slice(dataset, text);
    int[] read = slice.readInts();
    int[] given = shrunk(slice.shape(), random);
    int written = Arrays.stream(given).reduce(1, (a, b) -> a * b);
    int[] values = random.ints(written, 100, 1000).toArray();
    slice.write(nested(values, given));
    return String.join(
        "|",
        name,
        words(dims),
        text,
        words(slice.shape()),
        words(read),
        words(given),
        words(values));
  }

  private static String text(long[] dims, Random random) {
    int size = (int) Arrays.stream(dims).reduce(1, (a, b) -> a * b);
    int kind = random.nextInt(6);
    if (kind == 0) {
      return "mask " + bits(size, random);
    }
    if (kind == 1) {
      int along = random.nextInt(dims.length);
      return "along " + along + " " + bits((int) dims[along], random);
    }
    int listed = random.nextInt(dims.length + 1);
    return IntStream.range(0, dims.length)
        .mapToObj(i -> i == listed ? list((int) dims[i], random) : part((int) dims[i], random))
        .collect(Collectors.joining(";"));
  }

  private static String bits(int length, Random random) {
    return random.ints(length, 0, 2).mapToObj(Integer::toString).collect(Collectors.joining());
  }

  private static String list(int length, Random random) {
    List<Integer> all = new ArrayList<>(IntStream.range(0, length).boxed().toList());
    Collections.shuffle(all, random);
    List<Integer> some = all.subList(0, random.nextInt(length + 1));
    return some.stream()
        .map(each -> Integer.toString(random.nextInt(4) == 0 ? each - length : each))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String part(int length, Random random) {
    if (random.nextInt(4) == 0) {
      return Integer.toString(random.nextInt(2 * length) - length);
    }
    int step = random.nextInt(9) - 4;
    return bound(length, random) + ":" + bound(length, random) + (step == 0 ? "" : ":" + step);
  }

  private static String bound(int length, Random random) {
    return random.nextInt(3) == 0 ? "" : Integer.toString(random.nextInt(4 * length) - 2 * length);
  }

  private static Slice slice(Dataset dataset, String text) {
    if (text.startsWith("mask ")) {
      return dataset.mask(booleans(text.substring(5)));
    }
    if (text.startsWith("along ")) {
      String[] words = text.split(" ", 3);
      return dataset.mask(Integer.parseInt(words[1]), booleans(words[2]));
    }
    return dataset.slice(text.replace(';', ','));
  }

  private static boolean[] booleans(String bits) {
    boolean[] all = new boolean[bits.length()];
    for (int i = 0; i < all.length; i++) {
      all[i] = bits.charAt(i) == '1';
    }
    return all;
  }

  /** Returns a shape that is repeated to one: some lengths are 1, leading ones are left out. */
  private static int[] shrunk(long[] shape, Random random) {
    int[] given = Arrays.stream(shape).mapToInt(each -> (int) each).toArray();
    for (int i = 0; i < given.length; i++) {
      given[i] = random.nextInt(4) == 0 ? 1 : given[i];
    }
    int[] kept = Arrays.copyOfRange(given, random.nextInt(given.length + 1), given.length);
    boolean empty = Arrays.stream(kept).anyMatch(each -> each == 0);
    return empty ? new int[0] : kept; // an array without rows does not know how long they are
  }

  private static Object nested(int[] values, int[] shape) {
    if (shape.length == 0) {
      return values[0];
    }
    if (shape.length == 1) {
      return values;
    }
    Object all = Array.newInstance(int.class, shape);
    int part = values.length / Math.max(1, shape[0]);
    for (int i = 0; i < shape[0]; i++) {
      int[] below = Arrays.copyOfRange(values, i * part, (i + 1) * part);
      Array.set(all, i, nested(below, Arrays.copyOfRange(shape, 1, shape.length)));
    }
    return all;
  }

  private static String words(long[] numbers) {
    return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }

  private static String words(int[] numbers) {
    return Arrays.stream(numbers).mapToObj(Integer::toString).collect(Collectors.joining(" "));
  }

  @Test
  void everyDoorGivesTheElementsInTheOrderOfTheSlice() throws Exception {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset dataset = file.createDataset("x", new int[][] {{0, 1, 2}, {3, 4, 5}});
      Slice turned = dataset.slice("::-1, [2, 0]");
      int[][] expected = {{5, 3}, {2, 0}};
      assertThat(turned.read(int[][].class)).isDeepEqualTo(expected);
      assertThat(turned.read()).isEqualTo(expected);
      assertThat(turned.readAsync(int[][].class).join()).isDeepEqualTo(expected);
      int[][] target = new int[2][2];
      turned.readInto(target);
      assertThat(target).isDeepEqualTo(expected);
      byte[] narrow = new byte[4];
      turned.readIntoAsync(narrow).join();
      assertThat(narrow).containsExactly(5, 3, 2, 0);
      int[] together = new int[4];
      file.multiRead().read(turned, together).run();
      assertThat(together).containsExactly(5, 3, 2, 0);

      turned.writeAsync(new int[][] {{50, 30}, {20, 10}}).join();
      assertThat(dataset.readInts()).containsExactly(10, 1, 20, 30, 4, 50);
      file.multiWrite().write(turned, new int[] {5, 3, 2, 0}).run();
      assertThat(dataset.readInts()).containsExactly(0, 1, 2, 3, 4, 5);
    }
  }

  @Test
  void textsAndFieldsAreRepeatedAndReversed() {
    record Point(String name, int[] path) {}
    try (H5File file = Hdf5.createInMemory()) {
      Dataset texts = file.createDataset("texts", String.class, 2, 2);
      texts.write("a");
      texts.slice("1").write(new String[] {"b", "c"});
      assertThat(texts.slice("::-1, ::-1").readStrings()).containsExactly("c", "b", "a", "a");
      Dataset points =
          file.createDataset(
              "points",
              new Point[] {new Point("p", new int[] {1}), new Point("q", new int[] {2, 3})});
      assertThat(points.take(0, 1, 0).field("name").readStrings()).containsExactly("q", "p");
      points.take(0, 1, 0).field("name").write(new String[] {"r", "s"});
      assertThat(points.field("name").readStrings()).containsExactly("s", "r");
      points.slice("::-1").field("name").write("t");
      assertThat(points.field("name").readStrings()).containsExactly("t", "t");
    }
  }

  @Test
  void refusesWhatIsNoPick() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset dataset = file.createDataset("x", new int[2][3]);
      refused(() -> dataset.slice("[0, 0], :"), "index 0 twice");
      refused(() -> dataset.slice("[0], [1]"), "two lists");
      refused(() -> dataset.slice("[0, 1"), "brackets");
      refused(() -> dataset.slice("[5], :"), "index 5");
      refused(() -> dataset.slice("::0, :"), "step 0");
      refused(() -> dataset.take(2, 0), "dimension: actual=2");
      refused(() -> dataset.take(0, 2), "take: actual=index 2");
      refused(() -> dataset.take(0, 1, 1), "take: actual=index 1 twice, expected=each once");
      refused(() -> dataset.mask(new boolean[5]), "elements");
      refused(() -> dataset.mask(new boolean[3][2]), "shape [3, 2]");
      refused(() -> dataset.mask(new int[6]), "int[]");
      refused(() -> dataset.mask(1, new boolean[2]), "2 elements, expected=3");
      refused(() -> dataset.write(new int[2]), "");
      refused(() -> dataset.slice("0").write(new int[2]), "");
    }
  }

  private static void refused(Runnable call, String text) {
    assertThatThrownBy(call::run)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining(text)
        .hasMessageContaining("/x");
  }
}
