package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Link;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.vol.Capability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests links of every kind: creation, description, traversal, deletion, moves and copies. */
public abstract class LinkContract extends ContractBase {

  /** Called by subclasses only. */
  protected LinkContract() {}

  // --- hard links ---

  @Test
  void hardLinkIsAnotherNameOfTheObject() {
    Group group = file().createGroup("g");
    file().root().createHardLink("alias", group);
    inBothLives(file -> {
      assertThat(file.group("alias").isSameAs(file.group("g"))).isTrue();
      assertThat(file.group("g").info().referenceCount()).isEqualTo(2);
    });
  }

  @Test
  void hardLinkIsMadeByPaths() {
    file().createGroup("a/b");
    file().root().createHardLink("c", "a/b");
    file().root().createHardLink("x/y/z", "/a/b");
    inBothLives(file -> {
      assertThat(file.group("c").isSameAs(file.group("a/b"))).isTrue();
      assertThat(file.group("x/y/z").isSameAs(file.group("a/b"))).isTrue();
      assertThat(file.group("a/b").info().referenceCount()).isEqualTo(3);
    });
  }

  @Test
  void hardLinkDescribesItsTarget() {
    Group group = file().createGroup("g");
    Link link = file().root().link("g");
    assertThat(link.kind()).isEqualTo(LinkKind.HARD);
    assertThat(link.info().token()).isEqualTo(group.token());
    assertThat(link.targetPath()).isEmpty();
    assertThat(link.targetFile()).isEmpty();
    assertThat(link.open().isSameAs(group)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 10, 50})
  void objectsMayHaveManyNames(int names) {
    Group group = file().createGroup("name0");
    for (int i = 1; i < names; i++) {
      file().root().createHardLink("name" + i, group);
    }
    inBothLives(file -> {
      assertThat(file.group("name1").info().referenceCount()).isEqualTo(names);
      assertThat(file.group("name" + (names - 1)).isSameAs(file.group("name0"))).isTrue();
    });
  }

  @Test
  void hardLinkToAMissingObjectFails() {
    fails(
        NotFoundException.class, () -> file().root().createHardLink("alias", "missing"), "missing");
    assertThat(file().exists("alias")).isFalse();
  }

  @Test
  void hardLinkIntoAnotherFileIsRefused() {
    try (H5File other = createOther("other.h5")) {
      Group group = other.createGroup("g");
      fails(InvalidUseException.class, () -> file().root().createHardLink("alias", group), "file");
    }
    assertThat(file().exists("alias")).isFalse();
  }

  @Test
  void hardLinkToTheRootMakesACycle() {
    file().root().createHardLink("self", file().root());
    file().createGroup("g");
    inBothLives(file -> assertThat(file.group("self/self/g").path()).isEqualTo("/self/self/g"));
  }

  @Test
  void deletingOneOfTwoNamesKeepsTheObject() {
    file().createDataset("d", new int[] {1, 2, 3});
    file().root().createHardLink("alias", "d");
    file().root().delete("d");
    inBothLives(file -> {
      assertThat(file.exists("d")).isFalse();
      assertThat(file.dataset("alias").readInts()).containsExactly(1, 2, 3);
      assertThat(file.dataset("alias").info().referenceCount()).isEqualTo(1);
    });
  }

  @Test
  void hardLinkToADatasetThroughASoftLink() {
    file().createDataset("d", 5);
    file().root().createSoftLink("soft", "d");
    file().root().createHardLink("hard", "soft");
    inBothLives(file -> {
      assertThat(file.root().link("hard").kind()).isEqualTo(LinkKind.HARD);
      assertThat(file.dataset("hard").read(int.class)).isEqualTo(5);
    });
  }

  // --- soft links ---

  @ParameterizedTest
  @ValueSource(strings = {"/a/d", "a/d", "./a/d", "/a//d", "a/./d"})
  void softLinkIsFollowed(String target) {
    file().createDataset("a/d", 42);
    file().root().createSoftLink("soft", target);
    inBothLives(file -> {
      assertThat(file.dataset("soft").read(int.class)).isEqualTo(42);
      assertThat(file.root().link("soft").targetPath()).contains(target);
      assertThat(file.root().link("soft").kind()).isEqualTo(LinkKind.SOFT);
    });
  }

  @Test
  void relativeSoftLinkStartsAtTheGroupThatHoldsIt() {
    file().createDataset("a/d", 1);
    file().createDataset("d", 2);
    file().group("a").createSoftLink("soft", "d");
    file().group("a").createSoftLink("absolute", "/d");
    inBothLives(file -> {
      assertThat(file.dataset("a/soft").read(int.class)).isEqualTo(1);
      assertThat(file.dataset("a/absolute").read(int.class)).isEqualTo(2);
    });
  }

  @Test
  void softLinkMayLeadNowhere() {
    file().root().createSoftLink("soft", "/missing/thing");
    inBothLives(file -> {
      assertThat(file.exists("soft")).isTrue();
      assertThat(file.root().resolves("soft")).isFalse();
      assertThat(file.root().link("soft").targetPath()).contains("/missing/thing");
      fails(NotFoundException.class, () -> file.get("soft"), "missing");
    });
  }

  @Test
  void softLinkFindsObjectsCreatedLater() {
    file().root().createSoftLink("soft", "later");
    file().createDataset("later", 9);
    inBothLives(file -> assertThat(file.dataset("soft").read(int.class)).isEqualTo(9));
  }

  @Test
  void softLinksOnTheWayAreFollowed() {
    file().createDataset("real/deep/d", 3);
    file().root().createSoftLink("s1", "real");
    file().createGroup("x").createSoftLink("s2", "/s1/deep");
    inBothLives(file -> {
      assertThat(file.dataset("x/s2/d").read(int.class)).isEqualTo(3);
      assertThat(file.exists("x/s2/d")).isTrue();
      assertThat(file.exists("x/s2/missing")).isFalse();
    });
  }

  @Test
  void softLinkToSoftLinkIsFollowed() {
    file().createDataset("d", 4);
    file().root().createSoftLink("one", "d");
    file().root().createSoftLink("two", "one");
    file().root().createSoftLink("three", "/two");
    inBothLives(file -> assertThat(file.dataset("three").read(int.class)).isEqualTo(4));
  }

  @Test
  void softLinkToItselfEndsInAnError() {
    file().root().createSoftLink("loop", "loop");
    fails(InvalidUseException.class, () -> file().get("loop"), "links");
  }

  @Test
  void softLinksInACircleEndInAnError() {
    file().root().createSoftLink("ping", "pong/x");
    file().root().createSoftLink("pong", "ping/x");
    fails(InvalidUseException.class, () -> file().get("ping"), "links");
  }

  @Test
  void softLinkWithoutTargetIsRefused() {
    fails(InvalidUseException.class, () -> file().root().createSoftLink("soft", ""), "empty");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 255, 256, 5000})
  void softLinkTargetsMayBeLong(int length) {
    String target = "t".repeat(length);
    file().root().createSoftLink("soft", target);
    inBothLives(file -> assertThat(file.root().link("soft").targetPath()).contains(target));
  }

  @Test
  void objectsCanBeCreatedBelowASoftLink() {
    file().createGroup("real");
    file().root().createSoftLink("soft", "real");
    file().createGroup("soft/child");
    inBothLives(file -> assertThat(file.group("real").names()).containsExactly("child"));
  }

  @Test
  void deletingASoftLinkKeepsItsTarget() {
    file().createGroup("real");
    file().root().createSoftLink("soft", "real");
    file().root().delete("soft");
    inBothLives(file -> assertThat(file.root().names()).containsExactly("real"));
  }

  // --- external links ---

  @Test
  void externalLinkIsFollowed() {
    requires(Capability.EXTERNAL_LINKS);
    try (H5File other = createOther("target.h5")) {
      other.createDataset("a/d", new double[] {1.5, 2.5});
    }
    file().root().createExternalLink("ext", otherName("target.h5"), "/a/d");
    inBothLives(file -> {
      assertThat(file.dataset("ext").readDoubles()).containsExactly(1.5, 2.5);
      Link link = file.root().link("ext");
      assertThat(link.kind()).isEqualTo(LinkKind.EXTERNAL);
      assertThat(link.targetFile()).contains(otherName("target.h5"));
      assertThat(link.targetPath()).contains("/a/d");
    });
  }

  @Test
  void externalLinkBesideTheFileIsFound() {
    requires(Capability.EXTERNAL_LINKS);
    createOther("target.h5").close();
    file().root().createExternalLink("ext", "target.h5", "/");
    assertThat(file().group("ext").size()).isZero();
  }

  @Test
  void externalLinkOnTheWayIsFollowed() {
    requires(Capability.EXTERNAL_LINKS);
    try (H5File other = createOther("target.h5")) {
      other.createDataset("a/b/d", 8);
    }
    file().root().createExternalLink("ext", otherName("target.h5"), "a");
    inBothLives(file -> {
      assertThat(file.dataset("ext/b/d").read(int.class)).isEqualTo(8);
      assertThat(file.exists("ext/b/d")).isTrue();
    });
  }

  @Test
  void externalLinkToAMissingFileNamesIt() {
    requires(Capability.EXTERNAL_LINKS);
    file().root().createExternalLink("ext", "nowhere.h5", "/");
    inBothLives(file -> {
      assertThat(file.exists("ext")).isTrue();
      assertThat(file.root().resolves("ext")).isFalse();
      fails(NotFoundException.class, () -> file.get("ext"), "nowhere.h5");
    });
  }

  @Test
  void externalLinkToAMissingObjectFails() {
    requires(Capability.EXTERNAL_LINKS);
    createOther("target.h5").close();
    file().root().createExternalLink("ext", otherName("target.h5"), "/missing");
    fails(NotFoundException.class, () -> file().get("ext"), "missing");
  }

  @Test
  void objectsBehindExternalLinksHaveTheNumberOfTheirFile() {
    requires(Capability.EXTERNAL_LINKS);
    try (H5File other = createOther("target.h5")) {
      other.createGroup("g");
    }
    file().root().createExternalLink("ext", otherName("target.h5"), "g");
    assertThat(file().group("ext").info().fileNumber())
        .isNotEqualTo(file().root().info().fileNumber());
  }

  @Test
  void externalLinkWithoutTargetIsRefused() {
    requires(Capability.EXTERNAL_LINKS);
    fails(InvalidUseException.class, () -> file().root().createExternalLink("e", "", "/"), "empty");
    fails(InvalidUseException.class, () -> file().root().createExternalLink("e", "f", ""), "empty");
  }

  // --- user-defined links ---

  @ParameterizedTest
  @ValueSource(ints = {65, 100, 255})
  void userDefinedLinkKeepsClassAndData(int userClass) {
    requires(Capability.USER_DEFINED_LINKS);
    byte[] data = {0, 1, -1, 127, -128};
    file().root().createUserDefinedLink("ud", userClass, data);
    inBothLives(file -> {
      Link link = file.root().link("ud");
      assertThat(link.kind()).isEqualTo(LinkKind.USER_DEFINED);
      assertThat(link.info().userClass()).isEqualTo(userClass);
      assertThat(link.userData()).containsExactly(data);
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 64, 256})
  void userDefinedLinkOfAnotherClassIsRefused(int userClass) {
    requires(Capability.USER_DEFINED_LINKS);
    fails(
        InvalidUseException.class,
        () -> file().root().createUserDefinedLink("ud", userClass, new byte[1]),
        Integer.toString(userClass));
  }

  @Test
  void userDefinedLinkMayHoldNothing() {
    requires(Capability.USER_DEFINED_LINKS);
    file().root().createUserDefinedLink("ud", 70, new byte[0]);
    inBothLives(file -> assertThat(file.root().link("ud").userData()).isEmpty());
  }

  @Test
  void userDefinedLinkExistsAndLeadsNowhere() {
    requires(Capability.USER_DEFINED_LINKS);
    file().root().createUserDefinedLink("a/ud", 70, new byte[] {1});
    file().root().createSoftLink("a/soft", "ud");
    file().root().createSoftLink("other", "/a/soft/deeper");
    inBothLives(file -> {
      assertThat(file.root().exists("a/ud")).isTrue();
      assertThat(List.of("a/ud", "/a/ud", "a/ud/deeper", "a/soft", "other"))
          .noneMatch(file.root()::resolves);
    });
  }

  // --- all kinds ---

  private void makeLink(LinkKind kind, String path) {
    switch (kind) {
      case HARD -> file().root().createHardLink(path, file().root().requireGroup("target"));
      case SOFT -> file().root().createSoftLink(path, "/target");
      case EXTERNAL -> {
        requires(Capability.EXTERNAL_LINKS);
        file().root().createExternalLink(path, "some.h5", "/target");
      }
      case USER_DEFINED -> {
        requires(Capability.USER_DEFINED_LINKS);
        file().root().createUserDefinedLink(path, 80, new byte[] {1, 2});
      }
    }
  }

  @ParameterizedTest
  @EnumSource(LinkKind.class)
  void linksOfEveryKindExist(LinkKind kind) {
    makeLink(kind, "a/link");
    inBothLives(file -> {
      assertThat(file.exists("a/link")).isTrue();
      assertThat(file.exists("a/other")).isFalse();
      assertThat(file.group("a").link("link").kind()).isEqualTo(kind);
      assertThat(file.group("a").names()).containsExactly("link");
    });
  }

  @ParameterizedTest
  @EnumSource(LinkKind.class)
  void linksOfEveryKindAreDeleted(LinkKind kind) {
    makeLink(kind, "a/link");
    file().root().delete("a/link");
    inBothLives(file -> {
      assertThat(file.exists("a/link")).isFalse();
      assertThat(file.group("a").size()).isZero();
    });
    reopenForEdit();
    fails(NotFoundException.class, () -> file().root().delete("a/link"), "link");
  }

  @ParameterizedTest
  @EnumSource(LinkKind.class)
  void linksOfEveryKindAreRenamed(LinkKind kind) {
    makeLink(kind, "link");
    Link before = file().root().link("link");
    file().root().move("link", "renamed");
    inBothLives(file -> {
      assertThat(file.exists("link")).isFalse();
      Link after = file.root().link("renamed");
      assertThat(after.kind()).isEqualTo(kind);
      assertThat(after.targetPath()).isEqualTo(before.targetPath());
      assertThat(after.targetFile()).isEqualTo(before.targetFile());
      assertThat(after.userData()).isEqualTo(before.userData());
    });
  }

  @ParameterizedTest
  @EnumSource(LinkKind.class)
  void linksOfEveryKindMoveToAnotherGroup(LinkKind kind) {
    makeLink(kind, "a/link");
    Group b = file().createGroup("b");
    file().group("a").move("link", b, "moved");
    inBothLives(file -> {
      assertThat(file.exists("a/link")).isFalse();
      assertThat(file.root().link("b/moved").kind()).isEqualTo(kind);
    });
  }

  @ParameterizedTest
  @EnumSource(LinkKind.class)
  void linksOfEveryKindAreCopied(LinkKind kind) {
    makeLink(kind, "a/link");
    file().root().copyLink("a/link", "copies/copy");
    inBothLives(file -> {
      Link original = file.root().link("a/link");
      Link copy = file.root().link("copies/copy");
      assertThat(copy.kind()).isEqualTo(kind);
      assertThat(copy.targetPath()).isEqualTo(original.targetPath());
      assertThat(copy.targetFile()).isEqualTo(original.targetFile());
      assertThat(copy.info().token()).isEqualTo(original.info().token());
      assertThat(copy.userData()).isEqualTo(original.userData());
    });
  }

  static Stream<Arguments> pairsOfKinds() {
    return Stream.of(LinkKind.values())
        .flatMap(a -> Stream.of(LinkKind.values()).map(b -> Arguments.of(a, b)));
  }

  @ParameterizedTest
  @MethodSource("pairsOfKinds")
  void anExistingNameIsNeverReplaced(LinkKind existing, LinkKind wanted) {
    makeLink(existing, "link");
    Link before = file().root().link("link");
    fails(AlreadyExistsException.class, () -> makeLink(wanted, "link"), "link");
    assertThat(file().root().link("link").info()).isEqualTo(before.info());
  }

  @ParameterizedTest
  @EnumSource(LinkKind.class)
  void moveOntoAnExistingNameIsRefused(LinkKind kind) {
    makeLink(kind, "link");
    file().createGroup("taken");
    fails(AlreadyExistsException.class, () -> file().root().move("link", "taken"), "taken");
    inBothLives(file -> {
      assertThat(file.root().link("link").kind()).isEqualTo(kind);
      assertThat(file.root().link("taken").kind()).isEqualTo(LinkKind.HARD);
    });
  }

  @ParameterizedTest
  @EnumSource(LinkKind.class)
  void copyOntoAnExistingNameIsRefused(LinkKind kind) {
    makeLink(kind, "link");
    file().createGroup("taken");
    fails(AlreadyExistsException.class, () -> file().root().copyLink("link", "taken"), "taken");
  }

  @ParameterizedTest
  @EnumSource(LinkKind.class)
  void groupsOnTheWayAreCreated(LinkKind kind) {
    makeLink(kind, "p/q/r/link");
    inBothLives(file -> assertThat(file.group("p/q/r").names()).containsExactly("link"));
  }

  @ParameterizedTest
  @EnumSource(LinkKind.class)
  void namesOfLinksMayBeLong(LinkKind kind) {
    String name = "x".repeat(300);
    makeLink(kind, name);
    inBothLives(file -> assertThat(file.root().link(name).kind()).isEqualTo(kind));
  }

  @Test
  void softLinkWithoutParentGroupsIsRefusedOnRequest() {
    fails(
        NotFoundException.class,
        () -> file().root().createSoftLink("p/q", "/x", LinkOptions.DEFAULT),
        "p");
    assertThat(file().exists("p")).isFalse();
  }

  @Test
  void deleteOfAMissingLinkNamesIt() {
    fails(NotFoundException.class, () -> file().root().delete("missing"), "missing");
    fails(NotFoundException.class, () -> file().root().delete("a/missing"), "a");
  }

  @Test
  void moveOfAMissingLinkNamesIt() {
    fails(NotFoundException.class, () -> file().root().move("missing", "x"), "missing");
    assertThat(file().exists("x")).isFalse();
  }

  @Test
  void describeOfAMissingLinkNamesIt() {
    fails(NotFoundException.class, () -> file().root().link("missing"), "missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "."})
  void rootCannotBeDeleted(String path) {
    fails(InvalidUseException.class, () -> file().root().delete(path));
  }

  @Test
  void moveKeepsTheObjectAndItsOpenHandle() {
    Dataset dataset = file().createDataset("d", new int[] {1, 2});
    file().root().move("d", "deep/er/d");
    dataset.write(new int[] {3, 4});
    inBothLives(file -> {
      assertThat(file.dataset("deep/er/d").readInts()).containsExactly(3, 4);
      assertThat(file.dataset("deep/er/d").info().referenceCount()).isEqualTo(1);
    });
  }

  @Test
  void moveOfAGroupTakesItsTree() {
    file().createDataset("a/b/c/d", 6);
    file().root().move("a/b", "moved");
    inBothLives(file -> {
      assertThat(file.dataset("moved/c/d").read(int.class)).isEqualTo(6);
      assertThat(file.group("a").size()).isZero();
    });
  }

  @Test
  void copyOfAHardLinkCounts() {
    file().createDataset("d", 1);
    file().root().copyLink("d", "e");
    inBothLives(file -> assertThat(file.dataset("d").info().referenceCount()).isEqualTo(2));
  }

  @Test
  void characterSetOfNamesIsRecorded() {
    file().createGroup("ascii");
    file().createGroup("ünï");
    inBothLives(file -> {
      assertThat(file.root().link("ascii").info().charset()).isEqualTo(CharacterSet.ASCII);
      assertThat(file.root().link("ünï").name()).isEqualTo("ünï");
    });
  }

  @Test
  void creationOrderIsRecordedWhereTracked() {
    requires(Capability.CREATION_ORDER);
    Group group = file().root().createGroup("g", GroupOptions.DEFAULT.withCreationOrder());
    group.createGroup("b");
    group.createSoftLink("a", "/x");
    group.createGroup("c");
    inBothLives(file -> {
      Group again = file.group("g");
      assertThat(again.link("b").creationOrder()).hasValue(0);
      assertThat(again.link("a").creationOrder()).hasValue(1);
      assertThat(again.link("c").creationOrder()).hasValue(2);
      assertThat(again.groupInfo().maximumCreationOrder()).isEqualTo(3);
    });
  }

  @Test
  void creationOrderContinuesAfterDeletion() {
    requires(Capability.CREATION_ORDER);
    Group group = file().root().createGroup("g", GroupOptions.DEFAULT.withCreationOrder());
    group.createGroup("a");
    group.createGroup("b");
    group.delete("b");
    group.createGroup("c");
    inBothLives(file -> assertThat(file.group("g").link("c").creationOrder()).hasValue(2));
  }

  @Test
  void creationOrderIsEmptyWhereNotTracked() {
    file().createGroup("g/a");
    assertThat(file().group("g").link("a").creationOrder()).isEmpty();
  }

  @Test
  void existsIsFalseForEveryMissingPart() {
    file().createGroup("a/b");
    assertThat(file().exists("a/b")).isTrue();
    assertThat(file().exists("a/x")).isFalse();
    assertThat(file().exists("x/b")).isFalse();
    assertThat(file().exists("x/y/z")).isFalse();
    assertThat(file().exists("/")).isTrue();
  }
}
