package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.Group;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.vol.Capability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests groups: creation, opening, description, and every form of name. */
public abstract class GroupContract extends ContractBase {

  /** Called by subclasses only. */
  protected GroupContract() {}

  @Test
  void createdGroupIsEmptyAndOpen() {
    Group group = file().createGroup("g");
    assertThat(group.kind()).isEqualTo(ObjectKind.GROUP);
    assertThat(group.size()).isZero();
    assertThat(group.path()).isEqualTo("/g");
  }

  @Test
  void createdGroupCanBeOpened() {
    file().createGroup("g");
    inBothLives(file -> assertThat(file.group("g").kind()).isEqualTo(ObjectKind.GROUP));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b/c",
        "/a/b/c",
        "a//b/c",
        "a/b/c/",
        "./a/b/c",
        "a/./b/./c",
        "//a///b//c//",
        "/./a/b/c/."
      })
  void pathsCanBeSpelledInManyWays(String path) {
    file().createGroup("a/b/c").setAttribute("mark", 7);
    inBothLives(file -> {
      assertThat(file.exists(path)).isTrue();
      assertThat(file.group(path).attribute("mark").readInt()).isEqualTo(7);
    });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        "...",
        "with space",
        "tab\there",
        "ünïcödé",
        "日本語",
        "emoji😀",
        "a.b",
        "-",
        "0",
        "UPPER",
        "quote\"s",
        "back\\slash",
        "new\nline",
        "%20"
      })
  void unusualNamesAreOrdinaryNames(String name) {
    file().createGroup(name);
    inBothLives(file -> {
      assertThat(file.root().names()).containsExactly(name);
      assertThat(file.group(name).size()).isZero();
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 63, 64, 255, 256, 1000, 20_000})
  void namesMayBeLong(int length) {
    String name = "n".repeat(length);
    file().createGroup(name);
    file().createGroup("other");
    inBothLives(file -> assertThat(file.root().names()).contains(name, "other"));
  }

  @Test
  void namesDifferByCase() {
    file().createGroup("g");
    file().createGroup("G");
    assertThat(file().root().names()).containsExactly("G", "g");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 9, 33, 100, 700})
  void manyGroupsAreFoundAgain(int count) {
    for (int i = 0; i < count; i++) {
      file().createGroup("group" + i).close();
    }
    inBothLives(file -> {
      assertThat(file.root().size()).isEqualTo(count);
      for (int i = 0; i < count; i += Math.max(1, count / 10)) {
        try (Group group = file.group("group" + i)) {
          assertThat(group.size()).isZero();
        }
      }
    });
  }

  @Test
  void deepTreesAreFollowed() {
    String path = String.join("/", IntStream.range(0, 120).mapToObj(i -> "d" + i).toList());
    file().createGroup(path).setAttribute("depth", 120);
    inBothLives(file -> assertThat(file.group(path).attribute("depth").readInt()).isEqualTo(120));
  }

  @Test
  void groupsOnTheWayAreCreatedUnlessRefused() {
    fails(
        NotFoundException.class,
        () -> file().root().createGroup("x/y/z", GroupOptions.DEFAULT, LinkOptions.DEFAULT),
        "x");
    assertThat(file().exists("x")).isFalse();
    file().createGroup("x/y/z");
    assertThat(file().exists("x/y/z")).isTrue();
  }

  @Test
  void existingNameIsRefused() {
    file().createGroup("g").setAttribute("mark", 1);
    fails(AlreadyExistsException.class, () -> file().createGroup("g"), "g");
    assertThat(file().group("g").attribute("mark").readInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", ".", "//", "/."})
  void rootCannotBeCreated(String path) {
    fails(HyperslabException.class, () -> file().createGroup(path));
  }

  @Test
  void relativePathsStartAtTheGroup() {
    Group a = file().createGroup("a");
    a.createGroup("b/c");
    assertThat(a.group("b").group("c").path()).isEqualTo("/a/b/c");
    assertThat(a.exists("b/c")).isTrue();
    assertThat(a.exists("a")).isFalse();
    inBothLives(file -> assertThat(file.exists("a/b/c")).isTrue());
  }

  @Test
  void absolutePathsStartAtTheRootFromEveryGroup() {
    Group a = file().createGroup("a");
    a.createGroup("/top");
    assertThat(file().exists("top")).isTrue();
    assertThat(a.exists("/a")).isTrue();
    assertThat(a.group("/").names()).containsExactly("a", "top");
  }

  @Test
  void groupsAreNotMovedIntoThemselves() {
    Group a = file().createGroup("a");
    file().createGroup("a/b");
    a.createDataset("d", 7);
    Group root = file().root();
    fails(InvalidUseException.class, () -> root.move("a", "a/new"), "inside the moved group");
    fails(InvalidUseException.class, () -> root.move("a", "a/b/new"), "inside the moved group");
    fails(InvalidUseException.class, () -> root.move("a", a, "new"), "inside the moved group");
    fails(InvalidUseException.class, () -> a.move("b", "b/new"), "inside the moved group");
    Group c = file().createGroup("a/b/c");
    fails(InvalidUseException.class, () -> root.move("a", c, "new"), "inside the moved group");
    fails(InvalidUseException.class, () -> c.move("/a", "new"), "inside the moved group");
    assertThat(c.names()).isEmpty();
    c.move("/a/b/c", "/a/b/d");
    root.delete("a/b/d");
    root.createSoftLink("soft", "/a/b");
    fails(InvalidUseException.class, () -> root.move("a", "soft/new"), "inside the moved group");
    root.move("soft", "a/b/soft");
    root.createHardLink("other", "a");
    root.move("a", "other/a"); // still found by its other name
    inBothLives(file -> {
      assertThat(file.root().names()).containsExactly("other");
      assertThat(file.group("other/a/a").names()).containsExactly("a", "b", "d");
      assertThat(file.group("other/b").names()).containsExactly("soft");
    });
  }

  @Test
  void groupsInCirclesAreNotMovedIntoThemselves() {
    Group a = file().createGroup("a");
    Group b = file().createGroup("a/b");
    a.createHardLink("b/back", a);
    Group root = file().root();
    fails(InvalidUseException.class, () -> root.move("a", "a/b/new"), "inside the moved group");
    fails(InvalidUseException.class, () -> root.move("a", b, "new"), "inside the moved group");
    fails(InvalidUseException.class, () -> b.move("/a", "new"), "inside the moved group");
    b.move("back", "again");
    a.move("b/again/b", "/b");
    inBothLives(file -> assertThat(file.group("b/again").isSameAs(file.group("a"))).isTrue());
  }

  @Test
  void dotIsTheGroupItself() {
    Group a = file().createGroup("a");
    assertThat(a.group(".").isSameAs(a)).isTrue();
    assertThat(a.exists(".")).isTrue();
  }

  @Test
  void openOfAMissingGroupNamesThePart() {
    file().createGroup("a");
    fails(NotFoundException.class, () -> file().group("a/b/c"), "b");
    fails(NotFoundException.class, () -> file().group("nothing"), "nothing");
  }

  @Test
  void pathThroughADatasetIsRefused() {
    file().createDataset("d", 1);
    fails(InvalidUseException.class, () -> file().group("d/x"), "group");
    assertThat(file().exists("d/x")).isFalse();
    assertThat(file().root().resolves("d/x")).isFalse();
  }

  @Test
  void openAsAnotherKindIsRefused() {
    file().createGroup("g");
    fails(InvalidUseException.class, () -> file().dataset("g"), "group", "dataset");
    fails(InvalidUseException.class, () -> file().root().committedType("g"), "group");
  }

  @Test
  void closedGroupIsRefused() {
    Group group = file().createGroup("g");
    group.close();
    group.close();
    fails(InvalidUseException.class, group::size, "closed", "g");
    fails(InvalidUseException.class, () -> group.createGroup("x"), "closed");
    assertThat(file().exists("g")).isTrue();
  }

  @Test
  void closingTheRootGroupDoesNothing() {
    file().root().close();
    assertThat(file().root().size()).isZero();
  }

  @Test
  void requireGroupOpensOrCreates() {
    Group made = file().root().requireGroup("a/b");
    assertThat(file().root().requireGroup("a/b").isSameAs(made)).isTrue();
  }

  @Test
  void groupWithoutALinkLivesWhileItIsOpen() {
    Group loose = file().root().createAnonymousGroup();
    loose.createGroup("child");
    assertThat(loose.names()).containsExactly("child");
    assertThat(file().root().size()).isZero();
  }

  @Test
  void groupWithoutALinkCanBeLinkedLater() {
    Group loose = file().root().createAnonymousGroup();
    loose.setAttribute("mark", 3);
    file().root().createHardLink("found", loose);
    inBothLives(file -> assertThat(file.group("found").attribute("mark").readInt()).isEqualTo(3));
  }

  @Test
  void optionsAreKept() {
    requires(Capability.CREATION_ORDER);
    file().root().createGroup("g", GroupOptions.DEFAULT.withCreationOrder());
    file().createGroup("plain");
    inBothLives(file -> {
      assertThat(file.group("g").groupInfo().options().creationOrderTracked()).isTrue();
      assertThat(file.group("plain").groupInfo().options().creationOrderTracked()).isFalse();
    });
  }

  @Test
  void sizeFollowsCreationAndDeletion() {
    Group group = file().createGroup("g");
    for (String name : List.of("a", "b", "c")) {
      group.createGroup(name);
    }
    assertThat(group.size()).isEqualTo(3);
    group.delete("b");
    assertThat(group.size()).isEqualTo(2);
    inBothLives(file -> assertThat(file.group("g").names()).containsExactly("a", "c"));
  }

  @Test
  void linkToItsAncestorMakesACycleThatPathsCanFollow() {
    Group a = file().createGroup("a");
    Group b = a.createGroup("b");
    b.createHardLink("up", a);
    inBothLives(
        file -> assertThat(file.group("a/b/up/b/up/b").isSameAs(file.group("a/b"))).isTrue());
  }
}
