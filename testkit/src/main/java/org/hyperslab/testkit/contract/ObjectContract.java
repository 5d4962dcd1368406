package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CompletionException;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.vol.Capability;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the common properties of objects: identity, handles, comments, references; and committed
 * types.
 */
abstract class ObjectContract extends ContractBase {

  ObjectContract() {}

  private H5Object make(ObjectKind kind, String path) {
    return switch (kind) {
      case GROUP -> file().createGroup(path);
      case DATASET -> file().createDataset(path, new int[] {1, 2, 3, 4});
      case COMMITTED_TYPE -> file().root().commit(path, Datatypes.I32BE);
    };
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void getReturnsTheKind(ObjectKind kind) {
    make(kind, "a/o");
    inBothLives(file -> {
      assertThat(file.get("a/o").kind()).isEqualTo(kind);
      assertThat(file.get("a/o").info().kind()).isEqualTo(kind);
      assertThat(file.get("a/o").path()).isEqualTo("/a/o");
    });
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void freshObjectHasOneLinkAndNoAttributes(ObjectKind kind) {
    make(kind, "o");
    inBothLives(file -> {
      assertThat(file.get("o").info().referenceCount()).isEqualTo(1);
      assertThat(file.get("o").attributeCount()).isZero();
      assertThat(file.get("o").comment()).isEmpty();
    });
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void tokenIdentifiesTheObject(ObjectKind kind) {
    ObjectToken token = make(kind, "o").token();
    ObjectToken other = make(kind, "p").token();
    assertThat(token).isNotEqualTo(other);
    inBothLives(file -> {
      assertThat(file.get("o").token()).isEqualTo(token);
      assertThat(file.objectOf(token).isSameAs(file.get("o"))).isTrue();
      assertThat(file.objectOf(token).kind()).isEqualTo(kind);
      assertThat(file.get("p").isSameAs(file.get("o"))).isFalse();
    });
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void pathOfATokenIsFound(ObjectKind kind) {
    ObjectToken token = make(kind, "a/b/o").token();
    inBothLives(file -> {
      assertThat(file.pathOf(token)).contains("/a/b/o");
      assertThat(file.get("a/b/o").findPath()).contains("/a/b/o");
      assertThat(file.pathOf(file.root().token())).contains("/");
    });
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void objectsOutliveTheirLastLinkWhileOpen(ObjectKind kind) {
    H5Object object = make(kind, "o");
    file().root().delete("o");
    assertThat(object.info().kind()).isEqualTo(kind);
    object.setAttribute("still", 1);
    assertThat(object.attribute("still").readInt()).isEqualTo(1);
    object.close();
    assertThat(file().exists("o")).isFalse();
    inBothLives(file -> assertThat(file.root().size()).isZero());
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void unlinkedObjectCanBeLinkedAgain(ObjectKind kind) {
    H5Object object = make(kind, "o");
    object.setAttribute("mark", 5);
    file().root().delete("o");
    file().root().createHardLink("again", object);
    inBothLives(file -> {
      assertThat(file.get("again").kind()).isEqualTo(kind);
      assertThat(file.get("again").attribute("mark").readInt()).isEqualTo(5);
    });
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void closedObjectIsRefused(ObjectKind kind) {
    H5Object object = make(kind, "o");
    object.close();
    object.close();
    assertThat(object.isClosed()).isTrue();
    fails(InvalidUseException.class, object::info, "closed", "/o");
    fails(InvalidUseException.class, () -> object.setAttribute("a", 1), "closed");
    fails(InvalidUseException.class, object::flush, "closed");
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void twoHandlesOfOneObjectAreIndependent(ObjectKind kind) {
    H5Object one = make(kind, "o");
    H5Object two = file().get("o");
    one.close();
    two.setAttribute("a", 1);
    assertThat(two.attribute("a").readInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void commentsAreKept(ObjectKind kind) {
    requires(Capability.COMMENTS);
    H5Object object = make(kind, "o");
    object.setComment("first");
    object.setComment("a comment — größer");
    make(kind, "p").setComment("gone");
    file().get("p").removeComment();
    inBothLives(file -> {
      assertThat(file.get("o").comment()).contains("a comment — größer");
      assertThat(file.get("p").comment()).isEmpty();
    });
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void flushAndRefreshKeepTheObject(ObjectKind kind) {
    H5Object object = make(kind, "o");
    object.setAttribute("a", 1);
    object.flush();
    object.refresh();
    assertThat(object.attribute("a").readInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void missingObjectIsNamed(ObjectKind kind) {
    make(kind, "o");
    fails(NotFoundException.class, () -> file().get("missing"), "missing");
    fails(HyperslabException.class, () -> file().objectOf(new ObjectToken(999_999_937)));
  }

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void objectsWithoutALinkAreDeletedWhenClosed(ObjectKind kind) {
    switch (kind) {
      case GROUP -> file().root().createAnonymousGroup().close();
      case DATASET ->
          file()
              .root()
              .createAnonymousDataset(Datatypes.I8LE, Dataspace.scalar(), DatasetOptions.DEFAULT)
              .close();
      case COMMITTED_TYPE -> file().root().commitAnonymous(Datatypes.I8LE).close();
    }
    inBothLives(file -> assertThat(file.root().size()).isZero());
  }

  // --- references ---

  @ParameterizedTest
  @EnumSource(ObjectKind.class)
  void objectReferencesLeadBack(ObjectKind kind) {
    requires(Capability.REFERENCES);
    H5Object object = make(kind, "a/o");
    file().createDataset("refs", new Reference.ToObject[] {object.reference()});
    file().root().setAttribute("ref", object.reference());
    inBothLives(file -> {
      Reference[] references = file.dataset("refs").read(Reference[].class);
      assertThat(file.dereference(references[0]).isSameAs(file.get("a/o"))).isTrue();
      Reference one = file.root().attribute("ref").read(Reference.class);
      assertThat(file.dereference(one).kind()).isEqualTo(kind);
    });
  }

  @Test
  void unwrittenReferencesAreNull() {
    requires(Capability.REFERENCES);
    file().createDataset("refs", Datatypes.OBJECT_REFERENCE, Dataspace.simple(3));
    inBothLives(
        file -> assertThat(file.dataset("refs").read(Reference[].class)).containsOnlyNulls());
  }

  @Test
  void regionReferencesSelect() {
    requires(Capability.REFERENCES);
    Dataset dataset = file().createDataset("d", new int[][] {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
    Reference.ToRegion box =
        dataset.regionReference(Selection.box(new long[] {1, 1}, new long[] {2, 2}));
    Reference.ToRegion points = dataset.regionReference(Selection.points(2, 2, 0, 0, 2));
    file().createDataset("refs", new Reference.ToRegion[] {box, points});
    inBothLives(file -> {
      Reference[] references = file.dataset("refs").read(Reference[].class);
      Dataset again = (Dataset) file.dereference(references[0]);
      assertThat(again.region((Reference.ToRegion) references[0]).readInts())
          .containsExactly(5, 6, 8, 9);
      assertThat(again.region((Reference.ToRegion) references[1]).readInts()).containsExactly(7, 3);
    });
  }

  @Test
  void regionReferencesInAttributesSelect() {
    requires(Capability.REFERENCES);
    Dataset dataset = file().createDataset("d", new int[] {1, 2, 3, 4});
    Reference.ToRegion first =
        dataset.regionReference(Selection.box(new long[] {0}, new long[] {2}));
    Reference.ToRegion last =
        dataset.regionReference(Selection.box(new long[] {3}, new long[] {1}));
    dataset.setAttribute("regions", new Reference.ToRegion[] {first, last});
    inBothLives(file -> {
      Reference[] references = file.dataset("d").attribute("regions").read(Reference[].class);
      assertThat(references).hasSize(2);
      assertThat(file.dataset("d").region((Reference.ToRegion) references[0]).readInts())
          .containsExactly(1, 2);
      assertThat(file.dataset("d").region((Reference.ToRegion) references[1]).readInts())
          .containsExactly(4);
    });
  }

  @Test
  void compoundsOfReferencesAndNumbersInAttributesAreRead() {
    requires(Capability.REFERENCES);
    Dataset dataset = file().createDataset("d", new int[] {1, 2, 3, 4});
    CompoundType type =
        CompoundType.builder()
            .member("where", Datatypes.REGION_REFERENCE)
            .member("index", Datatypes.I32LE)
            .build();
    Reference region = dataset.regionReference(Selection.box(new long[] {1}, new long[] {2}));
    Map<String, Object> element = Map.of("where", region, "index", 7);
    dataset.setAttribute("scale", element, type);
    inBothLives(file -> {
      Map<?, ?> again = (Map<?, ?>) file.dataset("d").attribute("scale").read();
      assertThat(again.get("index")).isEqualTo(7);
      assertThat(file.dataset("d").region((Reference.ToRegion) again.get("where")).readInts())
          .containsExactly(2, 3);
    });
  }

  @Test
  void regionReferenceOutsideTheExtentIsRefused() {
    Dataset dataset = file().createDataset("d", new int[] {1, 2, 3});
    fails(
        InvalidUseException.class,
        () -> dataset.regionReference(Selection.box(new long[] {2}, new long[] {2})),
        "3");
  }

  @Test
  void regionOfAnotherObjectIsRefused() {
    Dataset one = file().createDataset("one", new int[] {1, 2, 3});
    Dataset two = file().createDataset("two", new int[] {1, 2, 3});
    Reference.ToRegion region = one.regionReference(Selection.all());
    fails(InvalidUseException.class, () -> two.region(region), "object");
  }

  @Test
  void expectedSizesOfAGroupAreHints() {
    GroupOptions great =
        GroupOptions.builder()
            .maxCompact(65_535)
            .minDense(65_535)
            .estimatedLinks(32_767)
            .estimatedNameBytes(65_535)
            .build();
    file().root().createGroup("great", great).createGroup("in it").close();
    inBothLives(file -> {
      assertThat(file.group("great").links()).hasSize(1);
      assertThat(file.info().sizeBytes()).isLessThan(4L << 20);
    });
  }

  // --- counted references ---

  @Test
  void objectExistsWhileItsReferenceCountIsPositive() {
    file().close();
    Handle opened = Handle.fresh();
    run(new FileOperation.Open(opened, fileName(), createOptions().access()));
    Location link = new Location(opened, "counted");
    Handle made = Handle.fresh();
    ObjectToken token =
        run(new GroupOperation.Create(made, link, GroupOptions.DEFAULT, LinkOptions.DEFAULT))
            .token();
    run(new ObjectOperation.Close(made));
    run(new ObjectOperation.CountReference(link, true));
    run(new LinkOperation.Delete(link));

    Handle object = Handle.fresh();
    assertThat(run(new ObjectOperation.OpenToken(object, opened, token)).referenceCount())
        .isEqualTo(1);
    Location itself = Location.of(object);
    run(new ObjectOperation.CountReference(itself, false));
    assertThat(run(new ObjectOperation.Describe(itself)).referenceCount()).isZero();
    fails(
        InvalidUseException.class,
        () -> run(new ObjectOperation.CountReference(itself, false)),
        "reference");
    run(new ObjectOperation.Close(object));

    fails(
        NotFoundException.class,
        () -> run(new ObjectOperation.OpenToken(Handle.fresh(), opened, token)),
        "object");
    fails(
        InvalidUseException.class,
        () -> run(new ObjectOperation.CountReference(Location.of(opened), true)),
        "root");
    run(new FileOperation.Close(opened));
  }

  private <R> R run(Operation<R> operation) {
    try {
      return connector().submit(operation).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw Connectors.causeOf(e) instanceof HyperslabException cause ? cause : e;
    }
  }

  // --- committed types ---

  @Test
  void committedTypeIsFoundAgain() {
    file().root().commit("types/number", Datatypes.F32BE);
    inBothLives(file -> {
      CommittedType type = file.root().committedType("types/number");
      assertThat(type.datatype()).isEqualTo(Datatypes.F32BE);
      assertThat(type.kind()).isEqualTo(ObjectKind.COMMITTED_TYPE);
    });
  }

  @Test
  void commitOnAnExistingNameIsRefused() {
    file().createGroup("taken");
    fails(
        AlreadyExistsException.class, () -> file().root().commit("taken", Datatypes.I8LE), "taken");
  }

  @Test
  void commitWithoutParentGroupsIsRefusedOnRequest() {
    fails(
        NotFoundException.class,
        () -> file().root().commit("no/such", Datatypes.I8LE, LinkOptions.DEFAULT),
        "no");
  }

  @Test
  void committedTypeMayBeDeletedWhileItIsShared() {
    CommittedType type = file().root().commit("type", Datatypes.I16LE);
    file().root().datasetBuilder("d").type(type).shape(2).create().write(new int[] {1, 2});
    type.close();
    file().root().delete("type");
    inBothLives(file -> {
      assertThat(file.dataset("d").type()).isEqualTo(Datatypes.I16LE);
      assertThat(file.dataset("d").readInts()).containsExactly(1, 2);
    });
  }

  @Test
  void committedTypeCountsItsUsers() {
    CommittedType type = file().root().commit("type", Datatypes.I16LE);
    for (int i = 0; i < 3; i++) {
      file().root().datasetBuilder("d" + i).type(type).shape(2).create();
    }
    inBothLives(file ->
        assertThat(file.root().committedType("type").info().referenceCount())
            .isGreaterThanOrEqualTo(1));
  }

  @Test
  void datasetsOfOrdinaryTypesShareNone() {
    file().createDataset("d", 1);
    assertThat(file().dataset("d").committedType()).isEmpty();
  }

  @Test
  void typesOfOtherFilesAreRefused() {
    try (var other = createOther("other.h5");
        CommittedType type = other.root().commit("type", Datatypes.I16LE)) {
      Group root = file().root();
      fails(
          HyperslabException.class,
          () -> root.datasetBuilder("d").type(type).shape(2).create(),
          "type");
    }
  }
}
