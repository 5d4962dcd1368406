package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests boundary cases of arguments: null, empty, without elements, of classes without a datatype.
 * An invalid call must fail with an error that names the place and the remedy, and must change
 * nothing.
 */
abstract class ArgumentContract extends ContractBase {

  ArgumentContract() {}

  // --- all or nothing ---

  @Test
  void aDatasetWhoseWriteFailsIsNotCreated() {
    Memory two =
        Memory.of(new int[] {1, 2, 3}).select(Selection.box(new long[] {0}, new long[] {2}));
    fails(InvalidUseException.class, () -> file().createDataset("a/b/d", two), "/a/b/d");
    assertThat(file().root().names()).isEmpty();
    file().createDataset("a/b/d", new int[] {4, 5}).close();
    inBothLives(file -> assertThat(file.dataset("a/b/d").readInts()).containsExactly(4, 5));
  }

  @Test
  void valuesAreCreatedBehindExternalLinks() {
    requires(Capability.EXTERNAL_LINKS);
    createOther("target.h5").close();
    file().root().createExternalLink("ext", otherName("target.h5"), "/");
    file().createDataset("ext/typed", int.class, 1).close();
    try (Dataset made = file().createDataset("ext/new/group/d", new int[] {1, 2})) {
      assertThat(made.path()).isEqualTo("/ext/new/group/d");
      assertThat(made.info().fileNumber()).isNotEqualTo(file().root().info().fileNumber());
    }
    file().group("ext").createDataset("e", "text").close();
    fails(AlreadyExistsException.class, () -> file().createDataset("ext/e", 1), "ext/e");
    inBothLives(file -> {
      assertThat(file.root().names()).containsExactly("ext");
      assertThat(file.group("ext").names()).containsExactly("e", "new", "typed");
      assertThat(file.dataset("ext/new/group/d").readInts()).containsExactly(1, 2);
      assertThat(file.dataset("ext/e").read(String.class)).isEqualTo("text");
    });
  }

  @Test
  void datasetIsNotCreatedAtAnExistingName() {
    file().createDataset("d", new int[] {1, 2}).close();
    file().root().createSoftLink("soft", "nowhere");
    for (String taken : List.of("d", "soft", "/d", ".")) {
      fails(
          AlreadyExistsException.class,
          () -> file().createDataset(taken, new String[] {"x"}),
          taken);
    }
    fails(InvalidUseException.class, () -> file().createDataset("d/below", 1), "d");
    inBothLives(file -> {
      assertThat(file.root().names()).containsExactly("d", "soft");
      assertThat(file.dataset("d").readInts()).containsExactly(1, 2);
    });
  }

  // --- arrays without elements ---

  @Test
  void nestedArraysWithoutElementsAreWrittenReadAndAppended() {
    Dataset rows =
        file()
            .datasetBuilder("rows")
            .type(double.class)
            .shape(0, 3)
            .maxShape(-1, 3)
            .options(o -> o.chunked(4, 3))
            .create();
    rows.write(new double[0][3]);
    rows.readInto(new double[0][]);
    rows.append(new double[0][3]);
    rows.rows(0, 0).write(new double[0][3]);
    Dataset words = file().createDataset("words", String.class, 2, 0, 3);
    words.write(new String[2][0][3]);
    file()
        .root()
        .createAttribute("none", Datatypes.I32LE, Dataspace.simple(0, 3))
        .write(new int[0][3]);
    file().createDataset("given", new int[4][0]);
    Selection nothing = Selection.box(new long[] {0, 0}, new long[] {0, 3});
    rows.write(nothing, new double[0][3]);
    assertThat(rows.read(nothing, double[][].class)).isEmpty();
    rows.readInto(nothing, new double[0][3]);
    fails(InvalidUseException.class, () -> rows.append(new double[1][0]), "[1, 0]", "[0, 3]");
    fails(InvalidUseException.class, () -> words.write(new String[1][0][3]), "[2, 0, 3]");
    inBothLives(file -> {
      assertThat(file.dataset("rows").shape()).containsExactly(0, 3);
      assertThat(file.dataset("rows").read()).isEqualTo(new double[0][]);
      assertThat(file.dataset("rows").read(long[][].class)).isEmpty();
      assertThat(file.dataset("words").read(String[][][].class)).isDeepEqualTo(new String[2][0][]);
      assertThat(file.root().attribute("none").read(int[][].class)).isEmpty();
      assertThat(file.dataset("given").read()).isEqualTo(new int[4][0]);
    });
    H5File edited = reopenForEdit();
    edited.dataset("rows").append(new double[][] {{1, 2, 3}});
    assertThat(edited.dataset("rows").readDoubles()).containsExactly(1, 2, 3);
  }

  // --- Java classes ---

  /** A record with a BigInteger. */
  record Counted(BigInteger count) {}

  @Test
  void bigIntegersAreUnsignedIntegersOfEightBytes() {
    BigInteger great = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    file().createDataset("many", new BigInteger[][] {{great, BigInteger.TWO}});
    file().createDataset("one", great);
    file().createDataset("records", new Counted[] {new Counted(great)});
    file().root().setAttribute("a", great);
    BigInteger negative = BigInteger.valueOf(-1);
    fails(InvalidUseException.class, () -> file().createDataset("less", negative), "-1", "uint64");
    BigInteger greater = great.add(BigInteger.ONE);
    fails(InvalidUseException.class, () -> file().createDataset("more", greater), "uint64");
    inBothLives(file -> {
      assertThat(file.dataset("many").read())
          .isEqualTo(new BigInteger[][] {{great, BigInteger.TWO}});
      assertThat(file.dataset("one").read()).isEqualTo(great);
      assertThat(file.dataset("records").read(Counted[].class)).containsExactly(new Counted(great));
      assertThat(file.root().attribute("a").read()).isEqualTo(great);
      assertThat(file.root().names()).containsExactly("many", "one", "records");
    });
    file().close();
    pathOf(fileName())
        .ifPresent(
            new PythonView()
                    .see("f['many'].dtype, f['many'][0, 0]", "uint64 " + great)
                    .see("f['records'][0][0]", great.toString())
                ::judge);
  }

  /** A record that contains itself. */
  record Chain(int value, Chain next) {}

  /** A record that contains itself through another record. */
  record Left(Right[] right) {}

  /** The other record of the cycle. */
  record Right(Left left) {}

  /** A class without a datatype, and the required parts of the error message. */
  @SuppressWarnings("ImmutableEnumChecker") // the values are not changed
  enum Untyped {
    RECORD_IN_ITSELF(new Chain(1, null), "itself", "Reference"),
    RECORDS_IN_EACH_OTHER(new Left[] {new Left(null)}, "itself", "Reference"),
    MAP(Map.of("a", 1), "record", "CompoundType"),
    MAPS(new Map<?, ?>[] {Map.of("a", 1)}, "record", "CompoundType"),
    LIST(List.of(1, 2), "array"),
    DECIMAL(BigDecimal.TEN, "double"),
    OBJECTS(new Object[] {1, "x"}, "datatype"),
    NULL_NUMBER(new Integer[] {1, null}, "index 1", "null"),
    NULL_IN_ROW(new Double[][] {{1.0}, {null}}, "index 0", "null"),
    NULL_RECORD(new Counted[] {new Counted(BigInteger.ONE), null}, "index 1", "null"),
    NULL_IN_RECORD(new Counted[] {new Counted(null)}, "member \"count\"", "index 0", "null"),
    NULL_FLAG(new Boolean[] {true, null}, "index 1", "null");

    final Object value;
    final String[] said;

    Untyped(Object value, String... said) {
      this.value = value;
      this.said = said;
    }
  }

  @ParameterizedTest
  @EnumSource(Untyped.class)
  void valuesWithoutADatatypeAreRefusedWithAdvice(Untyped what) {
    Class<InvalidUseException> refused = InvalidUseException.class;
    fails(refused, () -> file().createDataset("d", what.value), what.said);
    fails(refused, () -> file().createDataset("d", what.value), "dataset /d in " + fileName());
    fails(refused, () -> file().root().setAttribute("a", what.value), what.said);
    fails(refused, () -> file().root().setAttribute("a", what.value), "attribute \"a\" of group /");
    assertThat(file().root().names()).isEmpty();
    assertThat(file().root().attributeCount()).isZero();
  }

  // --- null and empty names ---

  /** Calls with null in place of a required value. */
  @SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
  enum WithNull {
    OPEN(file -> file.get(null)),
    EXISTS(file -> file.exists(null)),
    RESOLVES(file -> file.root().resolves(null)),
    GROUP(file -> file.createGroup(null)),
    GROUP_ASYNC(file -> file.root().createGroupAsync(null)),
    DATASET(file -> file.createDataset(null, 1)),
    DATASET_TYPE(file -> file.createDataset("new", (Datatype) null, Dataspace.scalar())),
    DATASET_SPACE(file -> file.createDataset("new", Datatypes.I8LE, (Dataspace) null)),
    DATASET_CLASS(file -> file.createDataset("new", (Class<?>) null, 1)),
    DATASET_OPTIONS(
        file -> file.datasetBuilder("new").value(1).options((DatasetOptions) null).create()),
    FILL(file -> file.datasetBuilder("new").value(1).options(o -> o.fill((Object) null)).create()),
    COMMIT(file -> file.root().commit("new", null)),
    SOFT_LINK(file -> file.root().createSoftLink(null, "x")),
    SOFT_TARGET(file -> file.root().createSoftLink("new", null)),
    HARD_LINK(file -> file.root().createHardLink("new", (String) null)),
    HARD_TARGET(file -> file.root().createHardLink("new", (H5Object) null)),
    EXTERNAL_FILE(file -> file.root().createExternalLink("new", null, "x")),
    EXTERNAL_TARGET(file -> file.root().createExternalLink("new", "x", null)),
    DELETE(file -> file.root().delete(null)),
    MOVE(file -> file.root().move("d", null)),
    MOVE_GROUP(file -> file.root().move("d", null, "e")),
    COPY(file -> file.root().copy("d", null, "e")),
    COPY_TO(file -> file.dataset("d").copyTo(null, "e")),
    COMMENT(file -> file.root().setComment(null)),
    ATTRIBUTE(file -> file.root().attribute(null)),
    ATTRIBUTE_OR(file -> file.root().attribute("none", (Object) null)),
    HAS_ATTRIBUTE(file -> file.root().hasAttribute(null)),
    SET_ATTRIBUTE(file -> file.root().setAttribute(null, 1)),
    SET_ATTRIBUTE_VALUE(file -> file.root().setAttribute("new", null)),
    SET_ATTRIBUTE_TYPE(file -> file.root().setAttribute("new", 1, null)),
    CREATE_ATTRIBUTE(file -> file.root().createAttribute(null, Datatypes.I8LE, Dataspace.scalar())),
    RENAME_ATTRIBUTE(file -> file.root().renameAttribute("a", null)),
    DELETE_ATTRIBUTE(file -> file.root().deleteAttribute(null)),
    WRITE(file -> file.dataset("d").write(null)),
    WRITE_SELECTION(file -> file.dataset("d").write(null, new int[2])),
    APPEND(file -> file.dataset("d").append(null)),
    READ(file -> file.dataset("d").read((Class<?>) null)),
    READ_SELECTION(file -> file.dataset("d").read(null, int[].class)),
    READ_INTO(file -> file.dataset("d").readInto(null)),
    SELECT(file -> file.dataset("d").select(null)),
    SLICE(file -> file.dataset("d").slice(null)),
    BOX(file -> file.dataset("d").box(null, null)),
    FIELD(file -> file.dataset("d").field(null)),
    EXTENT(file -> file.dataset("d").setExtent((long[]) null)),
    DEREFERENCE(file -> file.dereference(null));

    final Consumer<H5File> call;

    WithNull(Consumer<H5File> call) {
      this.call = call;
    }
  }

  @Test
  void fieldsWithoutANameAreRefused() {
    file().createDataset("d", new Pair(1, 2));
    fails(InvalidUseException.class, () -> file().dataset("d").fields(), "none", "at least one");
  }

  /** An element with two members. */
  record Pair(int a, int b) {}

  @ParameterizedTest
  @EnumSource(WithNull.class)
  void nullIsRefusedWithAMessageAndWithoutEffect(WithNull what) {
    file().createDataset("d", new int[] {1, 2}).close();
    file().root().setAttribute("a", 1);
    fails(InvalidUseException.class, () -> what.call.accept(file()), "null", "expected=");
    assertThat(file().root().names()).containsExactly("d");
    assertThat(file().root().attributeMap()).containsOnlyKeys("a");
    assertThat(file().dataset("d").readInts()).containsExactly(1, 2);
  }

  @Test
  void filesWithoutANameAreRefused() {
    fails(InvalidUseException.class, () -> Hdf5.open((String) null), "null", "expected=");
    fails(InvalidUseException.class, () -> Hdf5.create((Path) null), "null");
    fails(InvalidUseException.class, () -> Hdf5.session((String) null), "null", "expected=");
    fails(InvalidUseException.class, () -> session().open((String) null, null), "null");
  }

  @Test
  void objectsCreatedAtAPathHaveAName() {
    Class<InvalidUseException> refused = InvalidUseException.class;
    fails(refused, () -> file().createGroup(""), "name", "createAnonymousGroup");
    fails(refused, () -> file().createDataset("", 1), "name", "createAnonymousDataset");
    fails(
        refused,
        () -> file().createDataset("", Datatypes.I8LE, Dataspace.scalar()),
        "createAnonymousDataset");
    fails(refused, () -> file().root().commit("", Datatypes.I8LE), "name", "commitAnonymous");
    assertThat(file().root().names()).isEmpty();
  }

  // --- texts ---

  @Test
  void refusalsOfSlicesAndBoxesNameTheCorrection() {
    Dataset line = file().createDataset("line", new int[] {1, 2});
    Dataset one = file().createDataset("one", 5);
    String at = "dataset /line in " + fileName();
    Class<InvalidUseException> refused = InvalidUseException.class;
    fails(refused, () -> line.rows(10, 5), "10 to 5", "not before", at);
    fails(refused, () -> line.rows(-1, 1), "-1 to 1", at);
    fails(refused, () -> one.rows(0, 1), "scalar", "dataset /one in");
    fails(refused, () -> line.box(new long[] {0}, new long[] {-1}), "count [-1]", at);
    fails(refused, () -> line.box(new long[] {-1}, new long[] {1}), "start [-1]", at);
    fails(refused, () -> line.box(new long[] {0}, new long[] {1, 1}), "[1, 1]", at);
    fails(refused, () -> line.read(int[][].class), "expected=an array of 1 dimension,", at);
    fails(refused, () -> one.read(int[][].class), "expected=no array");
    fails(refused, () -> line.rows(0, 1).read(String.class), at);
    fails(refused, () -> line.rows(0, 1).readInto(new int[2][3]), at);
    fails(refused, () -> line.rows(0, 1).write(new String[] {"x"}), at);
    fails(refused, () -> line.rows(0, 1).write(new long[] {1L << 40}), at);
    fails(refused, () -> line.field("x"), at);
    fails(refused, () -> line.append(new int[2][2]), at);
    fails(
        refused,
        () ->
            file().datasetBuilder("c").type(int.class).shape(4).options(o -> o.chunked(0)).create(),
        "dataset /c in " + fileName());
  }

  @Test
  void failuresOfAsynchronousCallsNameFileAndPath() {
    Dataset line = file().createDataset("g/line", new int[] {1, 2});
    Selection outside = Selection.box(new long[] {0}, new long[] {5});
    String at = "dataset /g/line in " + fileName();
    failsLater(() -> line.readAsync(outside, int[].class), at);
    failsLater(() -> line.readIntoAsync(outside, new int[5]), at);
    failsLater(() -> line.writeAsync(new int[5]), at);
    failsLater(() -> line.writeAsync(outside, new int[5]), at);
    failsLater(() -> line.writeAsync(new String[] {"x"}), at);
    failsLater(() -> line.readAsync(String.class), at);
    failsLater(() -> line.slice("1:3").writeAsync(new int[5]), at);
    failsLater(() -> line.slice("1:3").readIntoAsync(new int[5]), at);
    failsLater(() -> line.slice("1:3").readAsync(int[][].class), at);
    failsLater(() -> line.setExtentAsync(5), at);
    line.setAttribute("a", 1);
    failsLater(() -> line.createAttributeAsync("a", 1), "attribute \"a\" of " + at);
    assertThat(line.readInts()).containsExactly(1, 2);
  }

  @Test
  void asynchronousCallsReportWrongArgumentsInTheirFutures() {
    Dataset line = file().createDataset("line", new int[] {1, 2});
    String at = "dataset /line in " + fileName();
    TransferOptions none = null;
    failsLater(() -> line.writeAsync(new long[] {1L << 40, 1}), at);
    failsLater(() -> line.writeAsync(new int[2][3]), "/line");
    failsLater(() -> line.writeAsync((Object) null), at);
    failsLater(() -> line.writeAsync(null, new int[2]), at);
    failsLater(() -> line.writeAsync(Selection.all(), new int[2], none), at);
    failsLater(() -> line.readAsync((Class<?>) null), at);
    failsLater(() -> line.readAsync(null, int[].class), at);
    failsLater(() -> line.readIntoAsync(Selection.all(), null), at);
    failsLater(() -> line.setExtentAsync((long[]) null), at);
    failsLater(() -> line.slice("0:1").writeAsync(new long[] {1L << 40}), at);
    failsLater(() -> line.slice("0:1").readIntoAsync(new int[2][3]), at);
    failsLater(() -> line.setAttributeAsync("a", new Object()), "attribute \"a\" of " + at);
    failsLater(() -> line.createAttributeAsync("a", null), "attribute \"a\" of " + at);
    failsLater(() -> line.setAttributeAsync(null, 1), at);
    failsLater(() -> file().multiWrite().write(line, new long[] {1L << 40, 1}).runAsync(), at);
    failsLater(() -> file().multiRead().read(line, new int[2][3]).runAsync(), at);
    line.close();
    failsLater(() -> line.writeAsync(new int[2]), "closed");
    failsLater(() -> line.readAsync(int[].class), "closed");
    failsLater(() -> line.flushAsync(), "closed");
    assertThat(file().dataset("line").readInts()).containsExactly(1, 2);
    assertThat(file().dataset("line").attributeMap()).isEmpty();
  }

  /** Expects the future of a call to fail, and the call itself not to throw. */
  private static void failsLater(Supplier<CompletableFuture<?>> call, String place) {
    CompletableFuture<?> future = call.get();
    assertThat(Connectors.causeOf(catchThrowable(future::join)))
        .isInstanceOf(HyperslabException.class)
        .hasMessageContaining(place);
  }
}
