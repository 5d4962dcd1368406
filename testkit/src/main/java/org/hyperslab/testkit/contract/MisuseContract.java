package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TypeOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests wrong use: a clear error, an unchanged file, and no exception from submit itself. */
abstract class MisuseContract extends ContractBase {

  MisuseContract() {}

  /** Edits that fail on a file opened for reading. */
  @SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
  enum Edit {
    CREATE_GROUP(file -> file.createGroup("new")),
    CREATE_DATASET(file -> file.createDataset("new", 1)),
    COMMIT(file -> file.root().commit("new", Datatypes.I8LE)),
    SOFT_LINK(file -> file.root().createSoftLink("new", "/g")),
    HARD_LINK(file -> file.root().createHardLink("new", "g")),
    DELETE_LINK(file -> file.root().delete("g")),
    MOVE_LINK(file -> file.root().move("g", "h")),
    COPY_LINK(file -> file.root().copyLink("g", "h")),
    COPY_OBJECT(file -> file.root().copy("g", file.root(), "h")),
    SET_ATTRIBUTE(file -> file.group("g").setAttribute("new", 1)),
    WRITE_ATTRIBUTE(file -> file.group("g").attribute("a").write(9)),
    RENAME_ATTRIBUTE(file -> file.group("g").renameAttribute("a", "b")),
    DELETE_ATTRIBUTE(file -> file.group("g").deleteAttribute("a")),
    WRITE_DATASET(file -> file.dataset("d").write(new int[] {4, 5, 6})),
    SET_EXTENT(file -> file.dataset("d").setExtent(5)),
    SET_COMMENT(file -> file.group("g").setComment("new"));

    final Consumer<H5File> edit;

    Edit(Consumer<H5File> edit) {
      this.edit = edit;
    }
  }

  @Test
  void referenceToADeletedObjectIsNotFound() {
    Dataset dataset = file().createDataset("d", new int[] {1, 2});
    Reference.ToObject reference = dataset.reference();
    dataset.close();
    file().root().delete("d");
    fails(NotFoundException.class, () -> file().dereference(reference));
    for (long address : new long[] {1, 7, 1L << 40, -1}) {
      fails(
          NotFoundException.class,
          () -> file().dereference(new Reference.ToObject(address)),
          Long.toString(address));
    }
    H5File file = reopen();
    fails(NotFoundException.class, () -> file.dereference(reference));
  }

  @Test
  void errorsNameTheirObject() {
    Dataset numbers = file().createDataset("g/numbers", new double[2][3]);
    Selection outside = Selection.box(new long[] {0, 0}, new long[] {3, 3});
    Class<InvalidUseException> refused = InvalidUseException.class;
    fails(refused, () -> numbers.readDoubles(outside), "dataset /g/numbers in");
    fails(refused, () -> numbers.write(outside, new double[9]), "dataset /g/numbers in");
    fails(refused, () -> numbers.readInto(outside, new double[9]), "dataset /g/numbers in");
    fails(refused, () -> numbers.rows(0, 9).readDoubles(), "dataset /g/numbers in");
    fails(refused, () -> numbers.slice("7"), "dataset /g/numbers in");
    fails(refused, () -> numbers.read(Integer.class), "dataset /g/numbers in");
    fails(refused, () -> numbers.write(new String[] {"x"}), "dataset /g/numbers in");
    fails(refused, () -> numbers.setExtent(1), "dataset /g/numbers in");
  }

  @Test
  void errorsOfAttributesNameThemAndTheirObject() {
    Group group = file().createGroup("g");
    group.setAttribute("pair", new int[] {1, 2});
    String pair = "attribute \"pair\" of group /g in";
    Class<InvalidUseException> refused = InvalidUseException.class;
    fails(NotFoundException.class, () -> group.attribute("none"), "attribute \"none\" of group /g");
    fails(NotFoundException.class, () -> group.deleteAttribute("none"), "\"none\" of group /g");
    fails(
        NotFoundException.class, () -> group.renameAttribute("none", "x"), "\"none\" of group /g");
    fails(refused, () -> group.attribute("pair").readInt(), pair);
    fails(refused, () -> group.attribute("pair").write(new int[3]), pair);
    fails(refused, () -> group.attribute("pair").read(Labelled.class), pair);
    fails(
        refused,
        () -> group.setAttribute("text", "abcdef", Datatypes.fixedString(3)),
        "attribute \"text\" of group /g in");
    assertThat(catchThrowable(() -> group.attribute("none")).getMessage()).doesNotContain("@");
  }

  @Test
  void errorsInRecordsNameTheField() {
    CompoundType type =
        CompoundType.builder()
            .member("id", Datatypes.I32LE)
            .member("name", Datatypes.fixedString(3))
            .build();
    Dataset records = file().createDataset("records", type, Dataspace.simple(1));
    fails(
        InvalidUseException.class,
        () -> records.write(new Labelled[] {new Labelled(1, "abcdef")}),
        "member \"name\"",
        "dataset /records in");
  }

  /** A record whose name may hold a NUL. */
  record Labelled(int id, String name) {}

  /**
   * The calls by which a text with a NUL could get into a file, where readers would truncate it.
   */
  @SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
  enum WithNul {
    VARIABLE_STRING(file -> file.createDataset("new", "a\0b")),
    VARIABLE_STRINGS(file -> file.dataset("strings").write(new String[] {"x", "a\0"})),
    FIXED_STRINGS(file -> file.dataset("fixed").write(new String[] {"x", "\0b"})),
    SLICE(file -> file.dataset("strings").rows(0, 1).write(new String[] {"a\0b"})),
    RECORD(file -> file.createDataset("new", new Labelled[] {new Labelled(1, "a\0b")})),
    ATTRIBUTE(file -> file.root().setAttribute("new", "a\0b")),
    FIXED_ATTRIBUTE(file -> file.root().setAttribute("new", "a\0b", Datatypes.fixedString(9))),
    ATTRIBUTE_NAME(file -> file.root().setAttribute("a\0b", 1)),
    GROUP_NAME(file -> file.createGroup("a\0b")),
    DATASET_NAME(file -> file.createDataset("a\0b", 1)),
    SOFT_LINK_NAME(file -> file.root().createSoftLink("a\0b", "/x")),
    SOFT_LINK_TARGET(file -> file.root().createSoftLink("new", "/x\0y")),
    EXTERNAL_FILE(file -> file.root().createExternalLink("new", "f\0.h5", "/x")),
    EXTERNAL_TARGET(file -> file.root().createExternalLink("new", "f.h5", "/x\0")),
    COMMENT(file -> file.root().setComment("a\0b"));

    final Consumer<H5File> edit;

    WithNul(Consumer<H5File> edit) {
      this.edit = edit;
    }
  }

  @ParameterizedTest
  @EnumSource(WithNul.class)
  void textWithNulIsRefused(WithNul where) {
    file().createDataset("strings", new String[] {"s", "t"}).close();
    file().createDataset("fixed", Datatypes.fixedString(3), Dataspace.simple(2)).close();
    fails(InvalidUseException.class, () -> where.edit.accept(file()), "NUL");
    assertThat(file().root().names()).containsExactly("fixed", "strings");
    assertThat(file().root().attributeCount()).isZero();
    assertThat(file().dataset("strings").readStrings()).containsExactly("s", "t");
    assertThat(file().dataset("fixed").readStrings()).containsExactly("", "");
  }

  @Test
  void unpairedSurrogatesAreRefused() {
    String half = "a\uD83D"; // half of an emoji, which String.substring may leave
    List<Consumer<H5File>> edits =
        List.of(
            file -> file.createDataset("new", new String[] {half}),
            file ->
                file.createDataset("fixed", Datatypes.fixedString(9), Dataspace.scalar())
                    .write(half),
            file -> file.createDataset("row", new Labelled(1, half)),
            file -> file.root().setAttribute("new", half),
            file -> file.root().setAttribute(half, 1),
            file -> file.createGroup(half),
            file -> file.root().createSoftLink("new", half),
            file -> file.root().setComment(half),
            file -> file.root().commit("new", Datatypes.opaque(2, half)));
    for (Consumer<H5File> edit : edits) {
      fails(InvalidUseException.class, () -> edit.accept(file()), "surrogate U+D83D");
    }
    assertThat(file().root().names()).containsExactly("fixed");
    assertThat(file().root().attributeCount()).isZero();
    file().createDataset("whole", "\uD83D\uDE00").close();
    inBothLives(
        file -> assertThat(file.dataset("whole").read(String.class)).isEqualTo("\uD83D\uDE00"));
  }

  @ParameterizedTest
  @EnumSource(Edit.class)
  void editsOfAFileOpenedForReadingAreRefused(Edit edit) {
    file().createGroup("g").setAttribute("a", 1);
    file()
        .datasetBuilder("d")
        .value(new int[] {1, 2, 3})
        .options(DatasetOptions.chunked(2).build())
        .create();
    H5File file = reopen();
    fails(InvalidUseException.class, () -> edit.edit.accept(file), "read");
    assertThat(file.root().names()).containsExactly("d", "g");
    assertThat(file.group("g").attribute("a").readInt()).isEqualTo(1);
    assertThat(file.dataset("d").readInts()).containsExactly(1, 2, 3);
  }

  @Test
  void arraysOfAnotherShapeAreRefused() {
    Dataset dataset = file().createDataset("d", new int[3][4]);
    fails(InvalidUseException.class, () -> dataset.write(new int[4][3]), "[4, 3]", "[3, 4]");
    fails(InvalidUseException.class, () -> dataset.write(new int[13]), "13", "12");
    MemorySegment parts = MemorySegment.ofArray(new byte[50]); // 12 elements and a half
    fails(InvalidUseException.class, () -> dataset.write(parts), "50", "multiple of 4");
    fails(InvalidUseException.class, () -> dataset.readInto(parts), "50", "multiple of 4");
    dataset.write(new int[12]);
  }

  @Test
  void raggedArraysAreRefused() {
    fails(
        InvalidUseException.class,
        () -> file().createDataset("d", new int[][] {{1, 2}, {3}}),
        "1",
        "2");
    assertThat(file().exists("d")).isFalse();
  }

  @Test
  void classesWithoutADatatypeAreRefused() {
    fails(InvalidUseException.class, () -> file().createDataset("d", new Object()), "object");
    fails(InvalidUseException.class, () -> file().root().setAttribute("a", Thread.currentThread()));
  }

  @Test
  void typesThatDoNotConvertAreRefused() {
    Dataset strings = file().createDataset("s", new String[] {"a"});
    fails(InvalidUseException.class, () -> strings.readInts());
    Dataset numbers = file().createDataset("n", new int[] {1});
    fails(InvalidUseException.class, () -> numbers.read(String[].class));
    fails(InvalidUseException.class, () -> numbers.write(new String[] {"x"}));
    assertThat(numbers.readInts()).containsExactly(1);
  }

  @Test
  void scalarsOfArraysAreRefused() {
    Dataset dataset = file().createDataset("d", new int[3]);
    fails(InvalidUseException.class, () -> dataset.read(int.class), "3");
    fails(InvalidUseException.class, () -> dataset.read(int[][].class), "3");
  }

  @Test
  void nullIsRefused() {
    fails(InvalidUseException.class, () -> file().createDataset("d", (Object) null), "null");
  }

  @Test
  void pathsAreNamedByTheMissingPart() {
    file().createGroup("a/b");
    Throwable failure = catchThrowable(() -> file().get("a/b/missing/deeper"));
    assertThat(failure).isInstanceOf(NotFoundException.class);
    assertThat(failure.getMessage()).contains("missing").contains(fileName());
  }

  @Test
  void failuresPointToTheCaller() {
    Throwable failure = catchThrowable(() -> file().get("missing"));
    assertThat(Arrays.stream(failure.getStackTrace()).map(StackTraceElement::getMethodName))
        .contains("failuresPointToTheCaller");
  }

  @Test
  void failedCreationLeavesNothingBehind() {
    fails(
        InvalidUseException.class,
        () ->
            file()
                .datasetBuilder("a/b/d")
                .type(Datatypes.I32LE)
                .shape(4)
                .options(DatasetOptions.chunked(1, 1).build())
                .create());
    inBothLives(file -> assertThat(file.exists("a/b/d")).isFalse());
  }

  // --- operations on handles that are not open ---

  private void refused(Operation<?> operation) {
    Throwable failure =
        catchThrowable(() -> connector().submit(operation).toCompletableFuture().join());
    assertThat(Connectors.causeOf(failure))
        .as(operation.toString())
        .isInstanceOf(InvalidUseException.class);
  }

  @Test
  void unknownHandlesAreRefusedByEveryOperation() {
    Handle no = new Handle(Long.MAX_VALUE);
    Location at = new Location(no, "x");
    DataBuffer buffer = DataBuffer.allocate(Datatypes.NATIVE_INT, 1);
    DatasetOperation.Transfer transfer =
        new DatasetOperation.Transfer(
            Datatypes.NATIVE_INT,
            Dataspace.simple(1),
            Selection.all(),
            Selection.all(),
            TransferOptions.DEFAULT);
    refused(new FileOperation.Flush(no));
    refused(new FileOperation.Describe(no));
    refused(new GroupOperation.Describe(at));
    refused(
        new GroupOperation.Create(Handle.fresh(), at, GroupOptions.DEFAULT, LinkOptions.DEFAULT));
    refused(new LinkOperation.Exists(at));
    refused(new LinkOperation.Describe(at));
    refused(new LinkOperation.Delete(at));
    refused(new LinkOperation.CreateSoft("t", at, LinkOptions.DEFAULT));
    refused(new LinkOperation.CreateHard(at, at, LinkOptions.DEFAULT));
    refused(new LinkOperation.Move(at, at, LinkOptions.DEFAULT));
    refused(new ObjectOperation.Open(Handle.fresh(), at));
    refused(new ObjectOperation.OpenToken(Handle.fresh(), no, new ObjectToken(96)));
    refused(new ObjectOperation.Describe(at));
    refused(new ObjectOperation.SetComment(at, Optional.empty()));
    refused(new ObjectOperation.Flush(no));
    refused(new DatasetOperation.Describe(no));
    refused(new DatasetOperation.Read(no, transfer, buffer));
    refused(new DatasetOperation.Write(no, transfer, buffer));
    refused(new DatasetOperation.SetExtent(no, List.of(1L)));
    refused(new AttributeOperation.Exists(at, "a"));
    refused(new AttributeOperation.Read(at, "a", Datatypes.NATIVE_INT, buffer));
    refused(new TypeOperation.Describe(no));
  }

  @Test
  void closingAnUnopenedHandleDoesNothing() {
    connector()
        .submit(new ObjectOperation.Close(new Handle(Long.MAX_VALUE)))
        .toCompletableFuture()
        .join();
    connector()
        .submit(new FileOperation.Close(new Handle(Long.MAX_VALUE)))
        .toCompletableFuture()
        .join();
  }

  @Test
  void operationsAfterAFailedOpeningFailWithTheSameCause() {
    Handle file = Handle.fresh();
    var opening =
        connector()
            .submit(new FileOperation.Open(file, otherName("no.h5"), createOptions().access()));
    var use = connector().submit(new GroupOperation.Describe(Location.of(file)));
    Throwable first = catchThrowable(() -> opening.toCompletableFuture().join());
    Throwable second = catchThrowable(() -> use.toCompletableFuture().join());
    assertThat(Connectors.causeOf(first)).isInstanceOf(NotFoundException.class);
    assertThat(Connectors.causeOf(second)).isInstanceOf(NotFoundException.class);
  }

  @Test
  void operationsAfterAFailedCreationFailWithTheSameCause() {
    file().createGroup("taken");
    Group group = file().root().createGroupAsync("taken");
    Throwable failure = catchThrowable(() -> group.createGroup("child"));
    assertThat(failure).isInstanceOf(AlreadyExistsException.class);
    assertThat(catchThrowable(() -> group.opened().join())).isNotNull();
    assertThat(file().group("taken").size()).isZero();
  }

  @Test
  void sessionsRefuseWorkAfterTheirEnd() {
    var session = Hdf5.session(connector());
    session.close();
    session.close();
    fails(InvalidUseException.class, () -> session.exists(fileName()), "closed");
  }

  @Test
  void memoryThatCannotBeAccessedIsRefused() throws Exception {
    Dataset dataset =
        file()
            .datasetBuilder("d")
            .value(new int[] {1, 2})
            .maxShape(Hdf5.UNLIMITED)
            .options(o -> o.chunked(2))
            .create();
    Attribute attribute = dataset.setAttribute("a", new int[] {1, 2});
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(8, 8);
    }
    Memory memory = Memory.of(closed, Datatypes.NATIVE_INT, 2);
    Object[] forms = {closed, memory, closed.asByteBuffer()};
    for (Object form : forms) {
      fails(InvalidUseException.class, () -> dataset.readInto(form), "a closed arena");
      fails(InvalidUseException.class, () -> dataset.write(form), "a closed arena");
      fails(InvalidUseException.class, () -> dataset.slice("0:2").write(form), "a closed arena");
      fails(InvalidUseException.class, () -> dataset.append(form), "a closed arena");
    }
    MemorySegment apart =
        CompletableFuture.supplyAsync(() -> Arena.ofConfined().allocate(8, 8)).get();
    fails(InvalidUseException.class, () -> dataset.readInto(apart), "an arena of another thread");
    fails(InvalidUseException.class, () -> dataset.write(apart), "an arena of another thread");
    fails(InvalidUseException.class, () -> attribute.read(memory), "a closed arena");
    fails(InvalidUseException.class, () -> attribute.write(memory), "a closed arena");
    fails(InvalidUseException.class, () -> file().createDataset("e", memory), "a closed arena");
    assertThat(dataset.readInts()).containsExactly(1, 2);
    assertThat(file().exists("e")).isFalse();
  }
}
