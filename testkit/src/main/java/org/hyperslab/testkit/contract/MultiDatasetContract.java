package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.MultiRead;
import org.hyperslab.MultiWrite;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Tests parts of several datasets written and read together: equal to one by one, and all or
 * nothing.
 */
abstract class MultiDatasetContract extends ContractBase {

  MultiDatasetContract() {}

  private Dataset ints(String name, long... shape) {
    return file().createDataset(name, Datatypes.I32LE, Dataspace.simple(shape));
  }

  @Test
  void partsOfSeveralDatasetsAreWrittenAsH5pySeesThem() {
    Dataset whole = file().createDataset("whole", Datatypes.F64LE, Dataspace.simple(2, 3));
    Dataset part = file().createDataset("g/part", Datatypes.F32BE, Dataspace.simple(4));
    Dataset names = file().createDataset("names", Datatypes.vlenString(), Dataspace.simple(2));
    Dataset one = file().createDataset("one", Datatypes.I16BE, Dataspace.scalar());
    file()
        .multiWrite()
        .write(whole, new double[][] {{1, 2, 3}, {4, 5, 6}})
        .write(part.slice("1:3"), new double[] {7.5, 8.5})
        .write(names, new String[] {"a", "größer"})
        .write(one, 300)
        .run();
    inBothLives(file -> {
      assertThat(file.dataset("whole").readDoubles()).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(file.dataset("g/part").readDoubles()).containsExactly(0, 7.5, 8.5, 0);
      assertThat(file.dataset("names").readStrings()).containsExactly("a", "größer");
      assertThat(file.dataset("one").read(int.class)).isEqualTo(300);
    });
    file().close();
    pathOf(fileName())
        .ifPresent(path ->
            new PythonView()
                .see("f['whole'][:].tolist()", "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]")
                .see("f['g/part'][:].tolist()", "[0.0, 7.5, 8.5, 0.0]")
                .see("[s.decode() for s in f['names'][:]]", "['a', 'größer']")
                .see("f['one'][()]", "300")
                .judge(path));
  }

  @Test
  void partsOfSeveralDatasetsAreReadIntoMemoryOfEveryKind() {
    file().createDataset("a", new long[][] {{1, 2}, {3, 4}});
    file().createDataset("b", new double[] {1.5, 2.5, 3.5});
    file().createDataset("c", new String[] {"x", "y"});
    inBothLives(file -> {
      int[][] a = new int[2][2];
      double[] b = new double[2];
      String[] c = new String[2];
      Memory last = Memory.allocate(Datatypes.NATIVE_LONG, 4).select(Selection.points(1, 3));
      file.multiRead()
          .read(file.dataset("a"), a)
          .read(file.dataset("b").slice("1:"), b)
          .read(file.dataset("c"), c)
          .read(file.dataset("a"), Selection.points(2, 1, 1), last)
          .run();
      assertThat(a).isDeepEqualTo(new int[][] {{1, 2}, {3, 4}});
      assertThat(b).containsExactly(2.5, 3.5);
      assertThat(c).containsExactly("x", "y");
      assertThat(
              last.data()
                  .elements()
                  .asByteBuffer()
                  .order(ByteOrder.nativeOrder())
                  .asLongBuffer()
                  .get(3))
          .isEqualTo(4);
    });
  }

  @Test
  void partOfWrongSizeIsRefusedByNameBeforeWriting() {
    Dataset good = ints("good", 4);
    Dataset bad = ints("group/bad", 2, 3);
    int[] ones = {1, 1, 1, 1};
    List<MultiWrite> wrong =
        List.of(
            file().multiWrite().write(good, ones).write(bad, new int[3][2]),
            file().multiWrite().write(good, ones).write(bad, new int[5]),
            file().multiWrite().write(good, ones).write(bad, new long[] {1L << 40, 1, 2, 3, 4, 5}),
            file()
                .multiWrite()
                .write(good, ones)
                .write(bad, Selection.box(new long[] {1, 1}, new long[] {2, 2}), new int[4]),
            file()
                .multiWrite()
                .write(good, ones)
                .write(bad, new String[] {"a", "b", "c", "d", "e", "f"}));
    for (MultiWrite each : wrong) {
      fails(InvalidUseException.class, each::run, "group/bad");
      assertThatThrownBy(() -> each.runAsync().join())
          .satisfies(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            assertThat(cause)
                .isInstanceOf(InvalidUseException.class)
                .hasMessageContaining("group/bad");
          });
    }
    inBothLives(file -> assertThat(file.dataset("good").readInts()).containsOnly(0));
  }

  @Test
  void readOfWrongSizeIsRefusedByName() {
    file().createDataset("good", new int[] {1, 2});
    file().createDataset("group/bad", new long[] {1, 1L << 40});
    inBothLives(file -> {
      Dataset good = file.dataset("good");
      Dataset bad = file.dataset("group/bad");
      fails(
          InvalidUseException.class,
          () -> file.multiRead().read(good, new int[2]).read(bad, new long[3]).run(),
          "group/bad");
      fails(
          InvalidUseException.class,
          () -> file.multiRead().read(good, new int[2]).read(bad, new int[2]).run(),
          "out of range",
          "group/bad");
      fails(
          InvalidUseException.class,
          () -> file.multiRead().read(bad.slice(":"), new short[2]).run(),
          "out of range",
          "group/bad");
      int[] clamped = new int[2];
      file.multiRead().read(good, new int[2]).read(bad.clamped(), clamped).run();
      assertThat(clamped).containsExactly(1, Integer.MAX_VALUE);
    });
  }

  @Test
  void laterOverlappingPartWins() {
    Dataset first = ints("a", 6);
    Dataset again = file().dataset("a");
    Dataset other = ints("b", 2);
    file()
        .multiWrite()
        .write(first, new int[] {1, 1, 1, 1, 1, 1})
        .write(other, new int[] {9, 9})
        .write(again.slice("2:5"), new int[] {2, 2, 2})
        .write(first.slice("4:"), new int[] {3, 3})
        .run();
    inBothLives(file -> {
      assertThat(file.dataset("a").readInts()).containsExactly(1, 1, 2, 2, 3, 3);
      assertThat(file.dataset("b").readInts()).containsExactly(9, 9);
    });
  }

  @Test
  void fieldsOfRecordsKeepTheOthers() {
    CompoundType type =
        CompoundType.builder()
            .member("x", Datatypes.F64LE)
            .member("n", Datatypes.I32LE)
            .build()
            .packed();
    Dataset points = file().createDataset("points", type, Dataspace.simple(2));
    Dataset count = ints("count", 1);
    file().multiWrite().write(points.field("x"), new double[] {1.5, 2.5}).write(count, 2).run();
    file().multiWrite().write(points.field("n"), new int[] {7, 8}).write(count, 3).run();
    inBothLives(file -> {
      double[] x = new double[2];
      int[] n = new int[1];
      file.multiRead()
          .read(file.dataset("points").field("x"), x)
          .read(file.dataset("points").slice("1:").field("n"), n)
          .run();
      assertThat(x).containsExactly(1.5, 2.5);
      assertThat(n).containsExactly(8);
      assertThat(file.dataset("count").readInts()).containsExactly(3);
    });
  }

  @Test
  void transferCanBeRunAgainWithTheNextValues() {
    int[] a = {1, 2};
    int[] b = {3};
    MultiWrite step = file().multiWrite().write(ints("a", 2), a).write(ints("b", 1), b);
    step.run();
    a[1] = 5;
    b[0] = 6;
    step.runAsync().join();
    int[] readA = new int[2];
    int[] readB = new int[1];
    MultiRead back =
        file().multiRead().read(file().dataset("a"), readA).read(file().dataset("b"), readB);
    back.runAsync().join();
    assertThat(readA).containsExactly(1, 5);
    assertThat(readB).containsExactly(6);
    inBothLives(file -> assertThat(file.dataset("a").readInts()).containsExactly(1, 5));
  }

  @Test
  void emptyTransfersHaveNoEffectAndPartsOfOtherFilesAreRefused() {
    file().multiWrite().run();
    file().multiRead().runAsync().join();
    fails(
        InvalidUseException.class,
        () -> file().multiWrite().options(TransferOptions.COLLECTIVE).run(),
        "the same datasets on every rank");
    Dataset closed = ints("closed", 1);
    closed.close();
    Dataset open = ints("open", 1);
    fails(
        InvalidUseException.class,
        () -> file().multiWrite().write(open, 1).write(closed, 1).run(),
        "closed");
    assertThat(open.readInts()).containsExactly(0);
    try (H5File other = createOther("other.h5")) {
      Dataset there = other.createDataset("there", 1);
      fails(
          InvalidUseException.class,
          () -> file().multiWrite().write(there, 1),
          "there",
          "this H5File");
    }
    fails(InvalidUseException.class, () -> file().multiWrite().write(open, (Object) null), "open");
  }

  @Test
  void aFileOpenedForReadingIsNotWritten() {
    ints("a", 2).write(new int[] {1, 2});
    H5File file = reopen();
    fails(
        InvalidUseException.class,
        () -> file.multiWrite().write(file.dataset("a"), new int[] {3, 4}).run(),
        "reading");
    assertThat(file.dataset("a").readInts()).containsExactly(1, 2);
  }

  @Test
  void randomPartsTogetherAreAsOneByOne() {
    Seeds.runFixed(
        Effort.times(4, 12),
        random -> {
          recreate(createOptions());
          List<Dataset> together = new ArrayList<>();
          List<Dataset> single = new ArrayList<>();
          for (int i = 2 + random.nextInt(5); i > 0; i--) {
            long[] shape = {1 + random.nextInt(8), 1 + random.nextInt(8)};
            Layouts layout = Layouts.values()[random.nextInt(Layouts.values().length)];
            Datatype type = TYPES[random.nextInt(TYPES.length)];
            together.add(create("together/" + i, type, layout, shape));
            single.add(create("single/" + i, type, layout, shape));
          }
          for (int round = 0; round < 4; round++) {
            write(random, together, single);
            compare(random, together, single);
          }
          H5File file = reopen();
          for (Dataset dataset : together) {
            String path = dataset.path();
            assertThat(file.dataset(path).readDoubles())
                .as(path)
                .isEqualTo(file.dataset(path.replace("together", "single")).readDoubles());
          }
        });
  }

  private static final Datatype[] TYPES = {
    Datatypes.I32LE, Datatypes.F64BE, Datatypes.I16BE, Datatypes.F32LE
  };

  private Dataset create(String name, Datatype type, Layouts layout, long... shape) {
    DatasetOptions options = layout.options(shape);
    return file()
        .datasetBuilder(name)
        .type(type)
        .space(layout.space(shape))
        .options(options)
        .create();
  }

  private void write(Random random, List<Dataset> together, List<Dataset> single) {
    MultiWrite all = file().multiWrite();
    for (int k = random.nextInt(2 * together.size()); k >= 0; k--) {
      int i = random.nextInt(together.size());
      Selection selection = selection(random, together.get(i).shape());
      int count = (int) selection.elementCount(together.get(i).shape());
      short[] values = new short[count];
      double[] wide = new double[count];
      for (int v = 0; v < count; v++) {
        values[v] = (short) random.nextInt();
        wide[v] = values[v];
      }
      Object source = random.nextBoolean() ? values : wide;
      all.write(together.get(i), selection, source);
      single.get(i).write(selection, source);
    }
    all.run();
  }

  private void compare(Random random, List<Dataset> together, List<Dataset> single) {
    MultiRead all = file().multiRead();
    List<double[]> targets = new ArrayList<>();
    List<double[]> expected = new ArrayList<>();
    for (int i = 0; i < together.size(); i++) {
      Selection selection = selection(random, together.get(i).shape());
      double[] target = new double[(int) selection.elementCount(together.get(i).shape())];
      targets.add(target);
      expected.add(single.get(i).readDoubles(selection));
      all.read(together.get(i), selection, target);
    }
    all.run();
    for (int i = 0; i < targets.size(); i++) {
      assertThat(targets.get(i))
          .as(Arrays.toString(together.get(i).shape()))
          .isEqualTo(expected.get(i));
    }
  }

  private static Selection selection(Random random, long[] dims) {
    return switch (random.nextInt(5)) {
      case 0 -> Selection.all();
      case 1 -> Selection.points(2, random.nextLong(dims[0]), random.nextLong(dims[1]));
      case 2 -> Selection.none();
      case 3 -> box(random, dims);
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
}
