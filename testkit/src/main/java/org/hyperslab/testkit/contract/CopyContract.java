package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.CopyOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Capability;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests copies of objects within a file and to another. */
abstract class CopyContract extends ContractBase {

  CopyContract() {}

  @BeforeEach
  void requireCopies() {
    requires(Capability.COPY);
  }

  private void makeTree() {
    file().createDataset("tree/data", new int[] {1, 2, 3}).setAttribute("unit", "m");
    file().createDataset("tree/sub/more", new double[][] {{1, 2}, {3, 4}});
    file().group("tree").setAttribute("title", "a tree");
    file().root().createSoftLink("tree/soft", "/tree/data");
    file().root().createSoftLink("tree/nowhere", "/missing");
    file().root().createHardLink("tree/alias", "tree/data");
  }

  private static void assertTree(H5File file, String path) {
    Group tree = file.group(path);
    assertThat(tree.names()).containsExactly("alias", "data", "nowhere", "soft", "sub");
    assertThat(tree.attribute("title").readString()).isEqualTo("a tree");
    assertThat(tree.dataset("data").readInts()).containsExactly(1, 2, 3);
    assertThat(tree.dataset("data").attribute("unit").readString()).isEqualTo("m");
    assertThat(tree.dataset("sub/more").read(double[][].class))
        .isDeepEqualTo(new double[][] {{1, 2}, {3, 4}});
    assertThat(tree.link("soft").targetPath()).contains("/tree/data");
    assertThat(tree.link("nowhere").targetPath()).contains("/missing");
    assertThat(tree.dataset("alias").isSameAs(tree.dataset("data"))).isTrue();
  }

  @Test
  void treesAreCopiedWithinAFile() {
    makeTree();
    file().group("tree").copyTo(file().root(), "copies/tree");
    inBothLives(file -> {
      assertTree(file, "tree");
      assertTree(file, "copies/tree");
      assertThat(file.dataset("tree/data").isSameAs(file.dataset("copies/tree/data"))).isFalse();
    });
  }

  @Test
  void treesAreCopiedToAnotherFile() {
    makeTree();
    String name = otherName("other.h5");
    try (H5File other = session().create(name, createOptions())) {
      file().root().copy("tree", other.root(), "tree");
      assertTree(other, "tree");
    }
    try (H5File other = session().open(name, OpenOptions.READ)) {
      assertTree(other, "tree");
    }
  }

  @Test
  void copiesAreIndependent() {
    file().createDataset("d", new int[] {1, 2, 3});
    file().root().copy("d", file().root(), "e");
    file().dataset("e").write(new int[] {7, 8, 9});
    file().dataset("d").setAttribute("only", 1);
    inBothLives(file -> {
      assertThat(file.dataset("d").readInts()).containsExactly(1, 2, 3);
      assertThat(file.dataset("e").readInts()).containsExactly(7, 8, 9);
      assertThat(file.dataset("e").hasAttribute("only")).isFalse();
    });
  }

  @ParameterizedTest
  @EnumSource(Layouts.class)
  void datasetsOfEveryLayoutAreCopied(Layouts layout) {
    int[] values = IntStream.range(0, 35).toArray();
    file()
        .datasetBuilder("d")
        .type(Datatypes.I32BE)
        .space(layout.space(7, 5))
        .options(layout.options(7, 5))
        .create()
        .write(values);
    try (H5File other = createOther("other.h5")) {
      file().dataset("d").copyTo(other.root(), "d");
      file().dataset("d").copyTo(file().root(), "e");
      assertThat(other.dataset("d").readInts()).containsExactly(values);
      assertThat(other.dataset("d").options()).isEqualTo(file().dataset("d").options());
    }
    inBothLives(file -> assertThat(file.dataset("e").readInts()).containsExactly(values));
  }

  static List<TypeCase> types() {
    return TypeCase.all();
  }

  @ParameterizedTest
  @MethodSource("types")
  void elementsOfEveryTypeAreCopied(TypeCase type) {
    file()
        .datasetBuilder("d")
        .type(type.type())
        .shape(6)
        .options(DatasetOptions.chunked(4).build())
        .create()
        .write(type.values(6));
    file()
        .dataset("d")
        .createAttribute("a", type.type(), Dataspace.simple(2))
        .write(type.values(2));
    String name = otherName("other.h5");
    try (H5File other = session().create(name, createOptions())) {
      file().dataset("d").copyTo(other.root(), "d");
    }
    file().close();
    try (H5File other = session().open(name, OpenOptions.READ)) {
      Class<?> array = type.element().arrayType();
      assertThat(
              Arrays.deepEquals(
                  new Object[] {other.dataset("d").read(array)}, new Object[] {type.values(6)}))
          .isTrue();
      assertThat(
              Arrays.deepEquals(
                  new Object[] {other.dataset("d").attribute("a").read(array)},
                  new Object[] {type.values(2)}))
          .isTrue();
    }
  }

  @Test
  void copyOntoAnExistingNameIsRefused() {
    makeTree();
    file().createGroup("taken");
    fails(
        AlreadyExistsException.class,
        () -> file().root().copy("tree", file().root(), "taken"),
        "taken");
    assertThat(file().group("taken").size()).isZero();
  }

  @Test
  void copyOfNothingIsRefused() {
    fails(
        NotFoundException.class,
        () -> file().root().copy("missing", file().root(), "x"),
        "missing");
    assertThat(file().exists("x")).isFalse();
  }

  @Test
  void copyIntoItselfEnds() {
    makeTree();
    file().group("tree").copyTo(file().root(), "tree/inside");
    inBothLives(file -> assertThat(file.dataset("tree/inside/data").readInts()).hasSize(3));
  }

  @Test
  void cyclesAreCopiedOnce() {
    Group a = file().createGroup("a");
    a.createGroup("b").createHardLink("up", a);
    file().root().copy("a", file().root(), "c");
    inBothLives(file -> assertThat(file.group("c/b/up").isSameAs(file.group("c"))).isTrue());
  }

  @Test
  void shallowCopyStopsAtTheFirstLevel() {
    makeTree();
    CopyOptions shallow = CopyOptions.builder().shallow(true).build();
    file().root().copy("tree", file().root(), "copy", shallow);
    inBothLives(file -> {
      assertThat(file.dataset("copy/data").readInts()).containsExactly(1, 2, 3);
      assertThat(file.group("copy/sub").size()).isZero();
    });
  }

  @Test
  void attributesCanBeLeftOut() {
    makeTree();
    CopyOptions bare = CopyOptions.builder().withoutAttributes(true).build();
    file().root().copy("tree", file().root(), "copy", bare);
    inBothLives(file -> {
      assertThat(file.group("copy").attributeCount()).isZero();
      assertThat(file.dataset("copy/data").attributeCount()).isZero();
      assertThat(file.dataset("copy/data").readInts()).containsExactly(1, 2, 3);
    });
  }

  @Test
  void softLinksCanBeExpanded() {
    file().createDataset("elsewhere", new int[] {9});
    file().createGroup("g").createSoftLink("soft", "/elsewhere");
    file().group("g").createSoftLink("nowhere", "/missing");
    CopyOptions expand = CopyOptions.builder().expandSoftLinks(true).build();
    file().root().copy("g", file().root(), "copy", expand);
    inBothLives(file -> {
      assertThat(file.group("copy").link("soft").kind()).isEqualTo(LinkKind.HARD);
      assertThat(file.dataset("copy/soft").readInts()).containsExactly(9);
      assertThat(file.dataset("copy/soft").isSameAs(file.dataset("elsewhere"))).isFalse();
      assertThat(file.group("copy").exists("nowhere")).isTrue();
    });
  }

  @Test
  void externalLinksAreKeptAndCanBeExpanded() {
    requires(Capability.EXTERNAL_LINKS);
    try (H5File other = createOther("target.h5")) {
      other.createDataset("d", new int[] {5});
    }
    file().createGroup("g").createExternalLink("ext", otherName("target.h5"), "/d");
    file().root().copy("g", file().root(), "kept");
    CopyOptions expand = CopyOptions.builder().expandExternalLinks(true).build();
    file().root().copy("g", file().root(), "expanded", expand);
    inBothLives(file -> {
      assertThat(file.group("kept").link("ext").kind()).isEqualTo(LinkKind.EXTERNAL);
      assertThat(file.group("expanded").link("ext").kind()).isEqualTo(LinkKind.HARD);
      assertThat(file.dataset("expanded/ext").readInts()).containsExactly(5);
    });
  }

  @Test
  void whatAnExternalLinkNamesIsCopiedFromAFileThatNothingElseHasOpen() {
    requires(Capability.EXTERNAL_LINKS);
    try (H5File other = createOther("target.h5")) {
      other.createDataset("g/d", new int[] {5});
    }
    file().root().createExternalLink("ext", otherName("target.h5"), "/g");
    file().root().copy("ext", file().root(), "copy");
    file().root().copy("ext/d", file().root(), "d");
    inBothLives(file -> {
      assertThat(file.root().link("copy").kind()).isEqualTo(LinkKind.HARD);
      assertThat(file.dataset("copy/d").readInts()).containsExactly(5);
      assertThat(file.dataset("d").readInts()).containsExactly(5);
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 40})
  void creationOrderIsCopied(int count) {
    requires(Capability.CREATION_ORDER);
    GroupOptions options =
        GroupOptions.DEFAULT
            .withCreationOrder()
            .withAttributes(AttributeStorage.DEFAULT.withCreationOrder());
    Group group = file().root().createGroup("g", options);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = "n" + (i * 7919) % 10_007;
      group.createGroup(name);
      group.setAttribute(name, i);
      names.add(name);
    }
    group.copyTo(file().root(), "copy");
    inBothLives(file -> {
      assertThat(
              file.group("copy")
                  .links(IterationIndex.CREATION_ORDER, false)
                  .map(link -> link.name()))
          .containsExactlyElementsOf(names);
      assertThat(
              file.group("copy")
                  .attributes(IterationIndex.CREATION_ORDER, false)
                  .map(attribute -> attribute.name()))
          .containsExactlyElementsOf(names);
    });
  }

  @Test
  void committedTypesAreCopiedAsObjects() {
    file().root().commit("type", Datatypes.F16LE).setAttribute("a", 1);
    file().root().copy("type", file().root(), "copy");
    inBothLives(file -> {
      assertThat(file.root().committedType("copy").datatype()).isEqualTo(Datatypes.F16LE);
      assertThat(file.get("copy").attribute("a").readInt()).isEqualTo(1);
    });
  }

  @Test
  void sharedTypeStaysInTheCopiedTree() {
    Group group = file().createGroup("g");
    try (var type = group.commit("type", Datatypes.I64LE)) {
      group.datasetBuilder("d").type(type).shape(2).create().write(new int[] {1, 2});
    }
    try (H5File other = createOther("other.h5")) {
      group.copyTo(other.root(), "g");
      assertThat(other.dataset("g/d").readInts()).containsExactly(1, 2);
      assertThat(other.dataset("g/d").type()).isEqualTo(Datatypes.I64LE);
    }
  }

  @Test
  void unwrittenDatasetsAreCopiedWithTheirFill() {
    file()
        .datasetBuilder("d")
        .type(Datatypes.I32LE)
        .shape(5)
        .options(
            DatasetOptions.chunked(2)
                .fill(new FillValue.Value(Datatypes.NATIVE_INT, Memory.of(3).data()))
                .build())
        .create();
    file().root().copy("d", file().root(), "e");
    inBothLives(file -> assertThat(file.dataset("e").readInts()).containsOnly(3).hasSize(5));
  }
}
