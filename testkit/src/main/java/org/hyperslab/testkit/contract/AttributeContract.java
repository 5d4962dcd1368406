package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hyperslab.Attribute;
import org.hyperslab.CommittedType;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests attributes on every kind of object. */
abstract class AttributeContract extends ContractBase {

  /** Called by subclasses only. */
  protected AttributeContract() {}

  /** The kinds of objects that have attributes. */
  enum Host {
    ROOT,
    GROUP,
    DATASET,
    COMMITTED_TYPE
  }

  private H5Object make(Host host) {
    return switch (host) {
      case ROOT -> file().root();
      case GROUP -> file().createGroup("host");
      case DATASET -> file().createDataset("host", new int[] {1, 2, 3});
      case COMMITTED_TYPE -> file().root().commit("host", Datatypes.F64LE);
    };
  }

  private static H5Object open(H5File file, Host host) {
    return host == Host.ROOT ? file.root() : file.get("host");
  }

  @ParameterizedTest
  @EnumSource(Host.class)
  void numbersAreKept(Host host) {
    H5Object object = make(host);
    object.setAttribute("byte", (byte) -1);
    object.setAttribute("short", (short) 300);
    object.setAttribute("int", 100_000);
    object.setAttribute("long", 1L << 40);
    object.setAttribute("float", 1.5f);
    object.setAttribute("double", Math.PI);
    inBothLives(file -> {
      H5Object again = open(file, host);
      assertThat(again.attribute("byte").read()).isEqualTo((byte) -1);
      assertThat(again.attribute("short").read()).isEqualTo((short) 300);
      assertThat(again.attribute("int").read()).isEqualTo(100_000);
      assertThat(again.attribute("long").read()).isEqualTo(1L << 40);
      assertThat(again.attribute("float").read()).isEqualTo(1.5f);
      assertThat(again.attribute("double").read()).isEqualTo(Math.PI);
      assertThat(again.attributeCount()).isEqualTo(6);
    });
  }

  @ParameterizedTest
  @EnumSource(Host.class)
  void stringsAreKept(Host host) {
    H5Object object = make(host);
    object.setAttribute("plain", "metres per second");
    object.setAttribute("unicode", "größe 日本 😀");
    object.setAttribute("empty", "");
    object.setAttribute("many", new String[] {"a", "bb", "", "dddd"});
    inBothLives(file -> {
      H5Object again = open(file, host);
      assertThat(again.attribute("plain").readString()).isEqualTo("metres per second");
      assertThat(again.attribute("unicode").readString()).isEqualTo("größe 日本 😀");
      assertThat(again.attribute("empty").readString()).isEmpty();
      assertThat(again.attribute("many").readStrings()).containsExactly("a", "bb", "", "dddd");
    });
  }

  @ParameterizedTest
  @EnumSource(Host.class)
  void arraysAreKept(Host host) {
    H5Object object = make(host);
    object.setAttribute("flat", new int[] {3, 1, 2});
    object.setAttribute("nested", new double[][] {{1, 2, 3}, {4, 5, 6}});
    inBothLives(file -> {
      H5Object again = open(file, host);
      assertThat(again.attribute("flat").readInts()).containsExactly(3, 1, 2);
      assertThat(again.attribute("nested").shape()).containsExactly(2, 3);
      assertThat(again.attribute("nested").read(double[][].class))
          .isDeepEqualTo(new double[][] {{1, 2, 3}, {4, 5, 6}});
    });
  }

  @ParameterizedTest
  @EnumSource(Host.class)
  void attributeIsCreatedDescribedRenamedAndDeleted(Host host) {
    H5Object object = make(host);
    object.createAttribute("first", Datatypes.I32BE, Dataspace.simple(2, 3));
    object.renameAttribute("first", "second");
    assertThat(object.hasAttribute("first")).isFalse();
    inBothLives(file -> {
      Attribute attribute = open(file, host).attribute("second");
      assertThat(attribute.type()).isEqualTo(Datatypes.I32BE);
      assertThat(attribute.shape()).containsExactly(2, 3);
      assertThat(attribute.info().dataBytes()).isEqualTo(24);
    });
    reopenForEdit();
    open(file(), host).deleteAttribute("second");
    inBothLives(file -> assertThat(open(file, host).attributeCount()).isZero());
  }

  @ParameterizedTest
  @EnumSource(Host.class)
  void manyAttributesAreKept(Host host) {
    H5Object object = make(host);
    for (int i = 0; i < 30; i++) {
      object.setAttribute("attribute" + i, i);
    }
    inBothLives(file -> {
      H5Object again = open(file, host);
      assertThat(again.attributeCount()).isEqualTo(30);
      for (int i = 0; i < 30; i++) {
        assertThat(again.attribute("attribute" + i).readInt()).isEqualTo(i);
      }
    });
  }

  @ParameterizedTest
  @EnumSource(Host.class)
  void missingAttributeIsNamed(Host host) {
    H5Object object = make(host);
    fails(NotFoundException.class, () -> object.attribute("missing"), "missing");
    fails(NotFoundException.class, () -> object.deleteAttribute("missing"), "missing");
    fails(NotFoundException.class, () -> object.renameAttribute("missing", "x"), "missing");
  }

  @Test
  void unwrittenAttributeReadsAsZeros() {
    file().root().createAttribute("a", Datatypes.I32LE, Dataspace.simple(4));
    inBothLives(
        file -> assertThat(file.root().attribute("a").readInts()).containsExactly(0, 0, 0, 0));
  }

  @Test
  void createOfAnExistingNameIsRefused() {
    file().root().setAttribute("a", 1);
    fails(
        AlreadyExistsException.class,
        () -> file().root().createAttribute("a", Datatypes.I32LE, Dataspace.scalar()),
        "a");
    assertThat(file().root().attribute("a").readInt()).isEqualTo(1);
  }

  @Test
  void setReplacesTypeAndShape() {
    file().root().setAttribute("a", 1);
    file().root().setAttribute("a", new String[] {"x", "y"});
    inBothLives(file -> {
      assertThat(file.root().attribute("a").readStrings()).containsExactly("x", "y");
      assertThat(file.root().attributeCount()).isEqualTo(1);
    });
  }

  @Test
  void settingIsOneEdit() {
    List<Operation<?>> edits = new ArrayList<>();
    Connector counting =
        new PassThroughConnector("counting", connector()) {
          @Override
          public <R> CompletionStage<R> submit(Operation<R> operation) {
            if (operation.edits() && operation instanceof AttributeOperation<?>) {
              edits.add(operation);
            }
            return super.submit(operation);
          }

          @Override
          public void close() {}
        };
    try (H5File other = Hdf5.session(counting).create(otherName("one.h5"), createOptions())) {
      other.root().setAttribute("a", 1);
      other.root().setAttribute("a", "text");
      other.root().createAttributeAsync("b", new int[] {1, 2}).join();
      other.root().setAttributeAsync("b", 2.5).join();
      assertThat(edits).as("edits of which a crash or a reader could see half").hasSize(4);
      assertThat(other.root().attribute("b").readDouble()).isEqualTo(2.5);
    }
  }

  @Test
  void refusedSetKeepsTheOldAttribute() {
    file().root().setAttribute("a", new String[] {"x", "y"});
    Memory part = Memory.of(new int[] {1, 2, 3}).select(Selection.box(new long[1], new long[1]));
    fails(InvalidUseException.class, () -> file().root().setAttribute("a", part), "a");
    Memory numbers = Memory.of(new int[] {1, 2, 3});
    fails(
        InvalidUseException.class,
        () -> file().root().setAttribute("a", numbers, Datatypes.vlenString()),
        "conversion");
    inBothLives(file -> {
      assertThat(file.root().attribute("a").readStrings()).containsExactly("x", "y");
      assertThat(file.root().attributeCount()).isEqualTo(1);
    });
  }

  private static void awaited(CompletableFuture<Void> done) {
    try {
      done.join();
    } catch (CompletionException failed) {
      throw (HyperslabException) failed.getCause();
    }
  }

  @Test
  void creatingAnExistingNameWithAValueIsRefused() {
    file().root().setAttribute("a", 1);
    fails(
        AlreadyExistsException.class,
        () -> awaited(file().root().createAttributeAsync("a", 2)),
        "a");
    fails(InvalidUseException.class, () -> awaited(file().root().setAttributeAsync("", 2)), "name");
    assertThat(file().root().attribute("a").readInt()).isEqualTo(1);
  }

  @Test
  void attributesAreSetAgainAndAgain() {
    H5Object object = file().createGroup("g");
    for (int i = 0; i < 12; i++) {
      object.setAttribute("other" + i, i);
    }
    for (int length : new int[] {1, 20_000, 3, 9, 0, 70_000, 2}) {
      int[] values = IntStream.range(0, length).toArray();
      object.setAttribute("a", values);
      assertThat(object.attribute("a").readInts()).isEqualTo(values);
      object.setAttribute("a", "of " + length);
      assertThat(object.attribute("a").readString()).isEqualTo("of " + length);
    }
    inBothLives(file -> {
      assertThat(file.group("g").attribute("a").readString()).isEqualTo("of 2");
      assertThat(file.group("g").attribute("other11").readInt()).isEqualTo(11);
      assertThat(file.group("g").attributeCount()).isEqualTo(13);
    });
  }

  @Test
  void renameOntoAnExistingNameIsRefused() {
    file().root().setAttribute("a", 1);
    file().root().setAttribute("b", 2);
    fails(AlreadyExistsException.class, () -> file().root().renameAttribute("a", "b"), "b");
    assertThat(file().root().attribute("b").readInt()).isEqualTo(2);
  }

  @Test
  void emptyNameIsRefused() {
    fails(
        InvalidUseException.class,
        () -> file().root().createAttribute("", Datatypes.I32LE, Dataspace.scalar()),
        "name");
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "a/b", ".", "..", "/", "ünïcödé", "日本語", "new\nline", "😀"})
  void unusualNamesAreOrdinaryNames(String name) {
    file().root().setAttribute(name, 5);
    inBothLives(file -> {
      assertThat(file.root().attribute(name).readInt()).isEqualTo(5);
      assertThat(file.root().attributes().map(Attribute::name)).containsExactly(name);
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 255, 256, 4000, 60_000})
  void namesMayBeLong(int length) {
    String name = "n".repeat(length);
    file().root().setAttribute(name, 5);
    inBothLives(file -> assertThat(file.root().attribute(name).readInt()).isEqualTo(5));
  }

  @Test
  void nullSpaceHoldsNothing() {
    file().root().createAttribute("none", Datatypes.F32LE, Dataspace.nullSpace());
    inBothLives(file -> {
      Attribute none = file.root().attribute("none");
      assertThat(none.space().kind()).isEqualTo(Dataspace.Kind.NULL);
      assertThat(none.read()).isNull();
      assertThat(none.info().dataBytes()).isZero();
    });
  }

  @Test
  void zeroSizedAttributeHoldsNothing() {
    file().root().setAttribute("empty", new int[0]);
    inBothLives(file -> assertThat(file.root().attribute("empty").readInts()).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 8_000, 16_000, 200_000})
  void attributesMayBeLarge(int elements) {
    int[] values = new int[elements];
    for (int i = 0; i < elements; i++) {
      values[i] = i * 31;
    }
    file().createGroup("g").setAttribute("large", values);
    file().group("g").setAttribute("small", 1);
    inBothLives(file -> {
      assertThat(file.group("g").attribute("large").readInts()).isEqualTo(values);
      assertThat(file.group("g").attribute("small").readInt()).isEqualTo(1);
    });
  }

  @Test
  void valuesAreConverted() {
    Attribute attribute = file().root().createAttribute("a", Datatypes.I16BE, Dataspace.simple(3));
    attribute.clamped().write(new double[] {1.9, -2.9, 70_000});
    inBothLives(file -> {
      assertThat(file.root().attribute("a").readInts()).containsExactly(1, -2, 32_767);
      assertThat(file.root().attribute("a").readDoubles()).containsExactly(1, -2, 32_767);
      assertThat(file.root().attribute("a").read(short[].class))
          .containsExactly((short) 1, (short) -2, (short) 32_767);
    });
  }

  @Test
  void fixedStringsAreKept() {
    file().root().setAttribute("fixed", "abc", Datatypes.fixedString(8));
    inBothLives(file -> {
      assertThat(file.root().attribute("fixed").type().size()).isEqualTo(8);
      assertThat(file.root().attribute("fixed").readString()).isEqualTo("abc");
    });
  }

  @Test
  void writeOfAnotherCountIsRefused() {
    Attribute attribute = file().root().createAttribute("a", Datatypes.I32LE, Dataspace.simple(3));
    fails(InvalidUseException.class, () -> attribute.write(new int[2]), "3");
  }

  @Test
  void committedTypeIsShared() {
    CommittedType type = file().root().commit("type", Datatypes.I64LE);
    file().root().createAttribute("a", type, Dataspace.scalar()).write(12);
    inBothLives(file -> {
      Attribute attribute = file.root().attribute("a");
      assertThat(attribute.readInt()).isEqualTo(12);
      assertThat(attribute.info().committedType())
          .contains(file.root().committedType("type").token());
    });
  }

  @Test
  void attributesOfACommittedTypeAreListedInTheOrderOfTheirCreation() {
    requires(Capability.CREATION_ORDER);
    AttributeStorage storage = new AttributeStorage(true, true, 5, 4);
    CommittedType type =
        file().root().commit("type", Datatypes.I64LE, storage, LinkOptions.DEFAULT);
    List<String> names = List.of("d", "b", "a", "e", "h", "g", "c", "f");
    names.forEach(name -> type.setAttribute(name, 1));
    inBothLives(file -> {
      CommittedType again = file.root().committedType("type");
      assertThat(again.attributeStorage()).isEqualTo(storage);
      assertThat(again.attributes(IterationIndex.CREATION_ORDER, false).map(Attribute::name))
          .containsExactlyElementsOf(names);
    });
  }

  // --- listing ---

  static Stream<Arguments> listings() {
    return Stream.of(3, 8, 9, 40)
        .flatMap(count ->
            Stream.of(IterationIndex.values())
                .flatMap(index ->
                    Stream.of(false, true)
                        .map(descending -> Arguments.of(count, index, descending))));
  }

  @ParameterizedTest
  @MethodSource("listings")
  void attributesAreListedInTheRequestedOrder(int count, IterationIndex index, boolean descending) {
    requires(Capability.CREATION_ORDER);
    GroupOptions options =
        GroupOptions.DEFAULT.withAttributes(AttributeStorage.DEFAULT.withCreationOrder());
    H5Object object = file().root().createGroup("g", options);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = "n" + (i * 7919) % 10_007;
      object.setAttribute(name, i);
      expected.add(name);
    }
    if (index == IterationIndex.NAME) {
      Collections.sort(expected);
    }
    if (descending) {
      Collections.reverse(expected);
    }
    inBothLives(file ->
        assertThat(file.group("g").attributes(index, descending).map(Attribute::name))
            .containsExactlyElementsOf(expected));
  }

  @Test
  void creationOrderIsRefusedWhereNotTracked() {
    file().createGroup("g").setAttribute("a", 1);
    fails(
        InvalidUseException.class,
        () ->
            file()
                .group("g")
                .attributes(IterationIndex.CREATION_ORDER, false)
                .forEach(a -> assertThat(a).isNull()),
        "order");
  }

  /** libhdf5 lists attributes in this way, and so do its programs through the bridge. */
  @Test
  void attributesAreListedAsTheyAreStoredIfAsked() {
    Connector stored =
        new PassThroughConnector("stored", connector()) {
          @Override
          @SuppressWarnings("unchecked") // an operation of the same result
          public <R> CompletionStage<R> submit(Operation<R> operation) {
            return super.submit(
                operation instanceof AttributeOperation.ListAttributes list
                    ? (Operation<R>)
                        new AttributeOperation.ListAttributes(list.object(), list.page(), true)
                    : operation);
          }

          @Override
          public void close() {}
        };
    try (H5File other = Hdf5.session(stored).create(otherName("stored.h5"), createOptions())) {
      for (String name : List.of("z", "a", "m")) {
        other.root().setAttribute(name, 1);
      }
      assertThat(other.root().attributes(IterationIndex.CREATION_ORDER, false).map(Attribute::name))
          .containsExactly("z", "a", "m");
      assertThat(other.root().attributes(IterationIndex.CREATION_ORDER, true).map(Attribute::name))
          .containsExactly("m", "a", "z");
      assertThat(other.root().attributes(IterationIndex.NAME, false).map(Attribute::name))
          .containsExactly("a", "m", "z");
    }
  }

  @Test
  void creationOrderOfDatasetAttributesIsTracked() {
    requires(Capability.CREATION_ORDER);
    DatasetOptions options =
        DatasetOptions.builder().attributes(AttributeStorage.DEFAULT.withCreationOrder()).build();
    H5Object object = file().datasetBuilder("d").value(1).options(options).create();
    object.setAttribute("z", 1);
    object.setAttribute("a", 2);
    inBothLives(file -> {
      assertThat(file.dataset("d").attribute("z").creationOrder()).hasValue(0);
      assertThat(file.dataset("d").attribute("a").creationOrder()).hasValue(1);
      assertThat(file.dataset("d").info().creationOrderTracked()).isTrue();
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 20})
  void deletionLeavesTheOthers(int step) {
    H5Object object = file().createGroup("g");
    for (int i = 0; i < 25; i++) {
      object.setAttribute("a" + i, i);
    }
    for (int i = 0; i < 25; i += step) {
      object.deleteAttribute("a" + i);
    }
    inBothLives(file -> {
      for (int i = 0; i < 25; i++) {
        H5Object again = file.group("g");
        assertThat(again.hasAttribute("a" + i)).isEqualTo(i % step != 0);
        if (i % step != 0) {
          assertThat(again.attribute("a" + i).readInt()).isEqualTo(i);
        }
      }
    });
  }

  @Test
  void rewritingManyTimesKeepsTheLastValue() {
    H5Object object = file().createGroup("g");
    for (int i = 0; i < 50; i++) {
      object.setAttribute("a", "value " + "x".repeat(i));
      object.setAttribute("b", new int[i + 1]);
    }
    inBothLives(file -> {
      assertThat(file.group("g").attribute("a").readString()).isEqualTo("value " + "x".repeat(49));
      assertThat(file.group("g").attribute("b").shape()).containsExactly(50);
    });
  }

  @Test
  void attributeOfAClosedObjectIsRefused() {
    H5Object object = file().createGroup("g");
    Attribute attribute = object.setAttribute("a", 1);
    object.close();
    fails(InvalidUseException.class, attribute::readInt, "closed");
    fails(InvalidUseException.class, () -> object.setAttribute("b", 2), "closed");
  }
}
