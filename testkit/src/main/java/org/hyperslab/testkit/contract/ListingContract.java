package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.Group;
import org.hyperslab.Link;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.PageRequest;
import org.hyperslab.vol.Capability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests listings of links in order and in pages, and walks of trees. */
public abstract class ListingContract extends ContractBase {

  /** Called by subclasses only. */
  protected ListingContract() {}

  private static final List<String> MIXED =
      List.of("b", "a10", "a1", "B", "", "a2", "aa", "ä", "Z", "_", "é", "z").stream()
          .filter(name -> !name.isEmpty())
          .toList();

  static Stream<Arguments> listings() {
    return Stream.of(3, 12, 60)
        .flatMap(count ->
            Stream.of(IterationIndex.values())
                .flatMap(index ->
                    Stream.of(false, true)
                        .map(descending -> Arguments.of(count, index, descending))));
  }

  private Group make(int count, List<String> madeInOrder) {
    requires(Capability.CREATION_ORDER);
    Group group = file().root().createGroup("g", GroupOptions.DEFAULT.withCreationOrder());
    for (int i = 0; i < count; i++) {
      String name = "n" + (i * 7919) % 10_007;
      group.createSoftLink(name, "/x");
      madeInOrder.add(name);
    }
    return group;
  }

  @ParameterizedTest
  @MethodSource("listings")
  void linksAreListedInTheRequestedOrder(int count, IterationIndex index, boolean descending) {
    List<String> expected = new ArrayList<>();
    make(count, expected);
    if (index == IterationIndex.NAME) {
      Collections.sort(expected);
    }
    if (descending) {
      Collections.reverse(expected);
    }
    inBothLives(file ->
        assertThat(file.group("g").links(index, descending).map(Link::name))
            .containsExactlyElementsOf(expected));
  }

  @ParameterizedTest
  @MethodSource("listings")
  void pagesOfAnySizeGiveTheSame(int count, IterationIndex index, boolean descending) {
    make(count, new ArrayList<>());
    List<String> whole = file().group("g").links(index, descending).map(Link::name).toList();
    for (int limit : new int[] {1, 2, 7, count, count + 1}) {
      PageRequest first = new PageRequest(index, descending, 0, limit);
      assertThat(file().group("g").links(first).map(Link::name)).containsExactlyElementsOf(whole);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 5, 11, 12, 13, 1000})
  void listingsBeginAtAPosition(long position) {
    make(12, new ArrayList<>());
    List<String> whole = file().group("g").names();
    PageRequest from = new PageRequest(IterationIndex.NAME, false, position, 4);
    assertThat(file().group("g").links(from).map(Link::name))
        .containsExactlyElementsOf(whole.stream().skip(position).toList());
  }

  @Test
  void namesAreOrderedByTheirBytes() {
    Group group = file().createGroup("g");
    MIXED.forEach(name -> group.createSoftLink(name, "/x"));
    List<String> expected = new ArrayList<>(MIXED);
    expected.sort((a, b) ->
        Arrays.compareUnsigned(
            a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
    inBothLives(file -> assertThat(file.group("g").names()).containsExactlyElementsOf(expected));
  }

  @Test
  void creationOrderIsRefusedWhereNotTracked() {
    file().createGroup("g/a");
    fails(
        InvalidUseException.class,
        () ->
            file()
                .group("g")
                .links(IterationIndex.CREATION_ORDER, false)
                .forEach(a -> assertThat(a).isNull()),
        "order");
  }

  @Test
  void emptyGroupListsNothing() {
    assertThat(file().root().links()).isEmpty();
    assertThat(file().createGroup("g").links()).isEmpty();
  }

  @Test
  void listingIsLazy() {
    make(40, new ArrayList<>());
    Iterator<Link> links =
        file().group("g").links(new PageRequest(IterationIndex.NAME, false, 0, 10)).iterator();
    assertThat(links.next().name()).isEqualTo(file().group("g").names().getFirst());
  }

  @ParameterizedTest
  @MethodSource("listings")
  void linksAreListedOnceWhileOthersChange(int count, IterationIndex index, boolean descending) {
    Group group = make(count, new ArrayList<>());
    List<String> whole = group.links(index, descending).map(Link::name).toList();
    List<String> deletedAsListed = new ArrayList<>();
    group
        .links(new PageRequest(index, descending, 0, 7))
        .forEach(link -> {
          deletedAsListed.add(link.name());
          group.delete(link.name());
        });
    assertThat(deletedAsListed).containsExactlyElementsOf(whole);
    assertThat(group.links()).isEmpty();

    List<String> kept = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      group.createSoftLink("k" + i, "/x");
      kept.add("k" + i);
    }
    List<String> seen =
        group
            .links(new PageRequest(index, descending, 0, 7))
            .map(Link::name)
            .peek(name -> {
              if (name.startsWith("k")) {
                group.createSoftLink("a" + name, "/x"); // before all others by name
              }
            })
            .filter(name -> name.startsWith("k"))
            .toList();
    assertThat(seen).containsExactlyInAnyOrderElementsOf(kept);
  }

  @Test
  void pageRequestsAreChecked() {
    fails(InvalidUseException.class, () -> new PageRequest(IterationIndex.NAME, false, -1, 1));
    fails(InvalidUseException.class, () -> new PageRequest(IterationIndex.NAME, false, 0, 0));
  }

  @Test
  void everyKindOfLinkIsListed() {
    file().createGroup("hard");
    file().root().createSoftLink("soft", "/hard");
    if (session().can(Capability.EXTERNAL_LINKS)) {
      file().root().createExternalLink("external", "f.h5", "/");
    }
    inBothLives(file ->
        assertThat(file.root().links().map(Link::kind)).contains(LinkKind.HARD, LinkKind.SOFT));
  }

  @ParameterizedTest
  @ValueSource(ints = {2000})
  void largeGroupsAreListedWhole(int count) {
    for (int i = 0; i < count; i++) {
      file().root().createSoftLink("link" + i, "/x");
    }
    inBothLives(file -> {
      assertThat(file.root().size()).isEqualTo(count);
      assertThat(file.root().links().map(Link::name).distinct().count()).isEqualTo(count);
    });
  }

  @Test
  void listingOfAClosedGroupFails() {
    Group group = file().createGroup("g");
    group.close();
    fails(
        InvalidUseException.class,
        () -> group.links().forEach(a -> assertThat(a).isNull()),
        "closed");
  }

  // --- visiting ---

  private void makeTree() {
    file().createDataset("a/d1", 1);
    file().createDataset("a/b/d2", 2);
    file().createGroup("c");
    file().root().commit("t", Datatypes.I32LE);
    file().root().createSoftLink("soft", "/a");
    file().root().createHardLink("c/again", file().group("a"));
  }

  @Test
  void visitSeesEveryObjectOnceParentsFirst() {
    makeTree();
    inBothLives(file -> {
      List<String> seen = new ArrayList<>();
      assertThat(file.root().visit((path, object) -> seen.add(path))).isTrue();
      assertThat(seen).containsExactly(".", "a", "a/b", "a/b/d2", "a/d1", "c", "t");
    });
  }

  @Test
  void visitReportsTheKinds() {
    makeTree();
    List<ObjectKind> kinds = new ArrayList<>();
    file().root().visit((path, object) -> kinds.add(object.kind()));
    assertThat(kinds)
        .containsExactly(
            ObjectKind.GROUP,
            ObjectKind.GROUP,
            ObjectKind.GROUP,
            ObjectKind.DATASET,
            ObjectKind.DATASET,
            ObjectKind.GROUP,
            ObjectKind.COMMITTED_TYPE);
  }

  @Test
  void visitStopsOnRequest() {
    makeTree();
    List<String> seen = new ArrayList<>();
    boolean whole =
        file()
            .root()
            .visit((path, object) -> {
              seen.add(path);
              return !path.equals("a/b");
            });
    assertThat(whole).isFalse();
    assertThat(seen).containsExactly(".", "a", "a/b");
  }

  @Test
  void visitStartsAtTheGroup() {
    makeTree();
    List<String> seen = new ArrayList<>();
    file().group("a").visit((path, object) -> seen.add(path));
    assertThat(seen).containsExactly(".", "b", "b/d2", "d1");
  }

  @Test
  void visitOfACycleEnds() {
    Group a = file().createGroup("a");
    a.createGroup("b").createHardLink("up", a);
    a.createHardLink("root", file().root());
    List<String> seen = new ArrayList<>();
    file().root().visit((path, object) -> seen.add(path));
    assertThat(seen).containsExactly(".", "a", "a/b");
  }
}
