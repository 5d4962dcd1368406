package org.hyperslab.testkit.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows that the faults of the HDF5 library which histories avoid are the library's own: each
 * occurs in a file that the library alone has made and edited. If a newer library is right, the
 * entry must not exclude its edits.
 */
class KnownTest {

  private static final History.Creation PLAIN =
      new History.Creation(HistoryKind.PLAIN, false, 0, 8, 8, 0, false, History.Shared.NONE);
  private static final History.Creation SHARED_SPACES =
      new History.Creation(
          HistoryKind.PLAIN,
          false,
          0,
          8,
          8,
          0,
          false,
          new History.Shared(List.of(List.of(2, 1)), 50, 40));
  private static final History.Creation SHORT =
      new History.Creation(HistoryKind.PLAIN, false, 0, 4, 4, 0, false, History.Shared.NONE);
  private static final TypeSpec INT = new TypeSpec.Int(4, false, true, 32, 0);
  private static final int TRIES = 40;

  @TempDir Path folder;
  private final List<Side> sides = new ArrayList<>();

  @AfterEach
  void closeSides() {
    sides.forEach(Side::close);
  }

  @Test
  void version110LosesTheLastAttributeOfItsObjectsOwnType() {
    assertThat(faults(machine(), this::ownType, 1)).isPresent();
    assertKeptOut(ownType(new Random(0), 1), Known.LIBRARY_DELETES_ATTRIBUTES_OF_OWN_TYPE);
  }

  @Test
  void version2DeletesAttributesOfTheirObjectsOwnType() {
    assertThat(faults(newest(), this::ownType, 1)).isEmpty();
    assertNotKeptOut(ownType(new Random(0), 2));
  }

  @Test
  void version110CrashesWhenItCopiesDenseAttributesOfVariableLength() {
    assertThat(faults(machine(), this::copyOfText, 1)).isPresent();
    assertKeptOut(copyOfText(new Random(0), 1), Known.LIBRARY_COPIES_SEQUENCES);
  }

  @Test
  void version110LeavesLinksToGroupsThatLeadBack() {
    assertThat(faults(machine(), this::cycle, TRIES)).isPresent();
    assertKeptOut(cycle(new Random(0), 1), Known.LIBRARY_DELETES_CYCLES);
  }

  @Test
  void version2DeletesGroupsThatLeadBack() {
    assertThat(faults(newest(), this::cycle, TRIES)).isEmpty();
    assertNotKeptOut(cycle(new Random(0), 2));
  }

  @Test
  void bothVersionsFailToResizeWhereDataspacesAreShared() {
    assertThat(faults(machine(), this::sharedSpaces, TRIES)).isPresent();
    assertThat(faults(newest(), this::sharedSpaces, TRIES)).isPresent();
    assertKeptOut(sharedSpaces(new Random(0), 1), Known.LIBRARY_RESIZES_SHARED_SPACES);
    assertKeptOut(sharedSpaces(new Random(0), 2), Known.LIBRARY_RESIZES_SHARED_SPACES);
  }

  @Test
  void version2FailsToEmptyDatasetsOfOneChunk() {
    assertThat(faults(newest(), this::emptied, 1)).isPresent();
    assertKeptOut(emptied(new Random(0), 2), Known.LIBRARY_COPIES_EMPTY_EXTENTS);
  }

  @Test
  void version2FailsToCopyEmptiedDatasets() {
    assertThat(faults(newest(), this::copyOfEmptied, 1)).isPresent();
    assertKeptOut(copyOfEmptied(new Random(0), 2), Known.LIBRARY_COPIES_EMPTY_EXTENTS);
  }

  @Test
  void version110CannotOpenUnlimitedDatasetsWhereLengthsAreShort() {
    assertThat(faults(machine(), this::unlimitedInShortLengths, 1)).isPresent();
    assertKeptOut(unlimitedInShortLengths(new Random(0), 1), Known.LIBRARY_LIMITS_SHORT_LENGTHS);
  }

  @Test
  void bothVersionsWriteMetadataOverElementsWrittenAfterFlush() {
    assertThat(faults(machine(), this::writeAfterFlush, TRIES)).isPresent();
    assertThat(faults(newest(), this::writeAfterFlush, TRIES)).isPresent();
    assertKeptOut(writeAfterFlush(new Random(0), 1), Known.LIBRARY_WRITES_OVER_ELEMENTS);
    assertKeptOut(writeAfterFlush(new Random(0), 2), Known.LIBRARY_WRITES_OVER_ELEMENTS);
  }

  @Test
  void bothVersionsKeepElementsWrittenBeforeFlush() {
    assertThat(faults(machine(), this::writeBeforeFlush, TRIES)).isEmpty();
    assertThat(faults(newest(), this::writeBeforeFlush, TRIES)).isEmpty();
    assertNotKeptOut(writeBeforeFlush(new Random(0), 1));
    assertNotKeptOut(writeBeforeFlush(new Random(0), 2));
  }

  private LibrarySide machine() {
    return added(LibrarySide.machine());
  }

  private LibrarySide newest() {
    Optional<LibrarySide> side = LibrarySide.newest();
    assumeTrue(side.isPresent(), "the newest HDF5 is not unpacked on this machine");
    return added(side.orElseThrow());
  }

  private LibrarySide added(LibrarySide side) {
    sides.add(side);
    return side;
  }

  /** Histories of one side, drawn from random numbers. */
  @FunctionalInterface
  private interface Histories {
    History of(Random random, int side);
  }

  /** Returns the first fault of a library in histories that it alone has made. */
  private Optional<String> faults(LibrarySide side, Histories histories, int tries) {
    return IntStream.range(0, tries)
        .mapToObj(seed -> fault(side, histories.of(new Random(seed), 1), seed))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<String> fault(LibrarySide side, History history, int number) {
    Path file = folder.resolve(side.name() + number + ".h5");
    Model model = new Model(history.creation());
    ModelEdits applied = new ModelEdits(model);
    boolean first = true;
    try {
      for (Turn turn : history.turns()) {
        turn.edits().forEach(edit -> assertThat(applied.apply(edit)).as("%s", edit).isTrue());
        side.edit(file, history.creation(), first, turn);
        first = false;
      }
      List<String> result = side.read(file, history.creation());
      return result.equals(model.lines()) ? Optional.empty() : Optional.of("reads " + result);
    } catch (Side.Crash | Side.Refusal failure) {
      return Optional.of(failure.getMessage());
    }
  }

  private static List<Known> keptOut(History history) {
    Model model = new Model(history.creation());
    ModelEdits applied = new ModelEdits(model);
    List<Known> found = new ArrayList<>();
    for (Turn turn : history.turns()) {
      List<Edit> before = new ArrayList<>();
      for (Edit edit : turn.edits()) {
        Known.of(new Known.Place(history.creation(), model, turn.side(), before, edit))
            .ifPresent(found::add);
        applied.apply(edit);
        before.add(edit);
      }
    }
    return found;
  }

  private static void assertKeptOut(History history, Known entry) {
    assertThat(keptOut(history)).contains(entry);
  }

  private static void assertNotKeptOut(History history) {
    assertThat(keptOut(history)).isEmpty();
  }

  private static History history(History.Creation creation, int side, String low, Edit[]... turns) {
    return new History(
        creation,
        Arrays.stream(turns)
            .map(edits -> new Turn(side, low, "v110", false, List.of(edits)))
            .toList());
  }

  private static Edit[] turn(Edit... edits) {
    return edits;
  }

  private static Edit group(String path) {
    return new Edit.Group(path, false, 8, 6, null);
  }

  private static Edit chunked(String path, List<Long> dims, long most, long chunk) {
    List<Long> mosts = Collections.nCopies(dims.size(), most);
    Edit.Place place = new Edit.Place("chunk", Collections.nCopies(dims.size(), chunk), null, null);
    int count = (int) Shapes.count(Shapes.array(dims));
    return new Edit.Dataset(
        path,
        INT,
        new Edit.Extent(dims, mosts),
        new Edit.Creation(place, List.of(), List.of(), 0, 0, null, null),
        Collections.nCopies(count, "05000000"));
  }

  private static Edit contiguous(String path, int count) {
    return new Edit.Dataset(
        path,
        INT,
        new Edit.Extent(List.of((long) count), null),
        new Edit.Creation(
            Edit.Place.of("contiguous"),
            List.of(),
            List.of(),
            0,
            0,
            new Edit.Storage(false, 0, 0),
            null),
        Collections.nCopies(count, "05000000"));
  }

  /**
   * Returns a history with an attribute of its own type. While it deletes the attribute, the
   * library decrements the object's link count; that removes the message that counts links, and the
   * messages behind it in the header move, the attribute too.
   */
  private History ownType(Random random, int side) {
    return history(
        PLAIN,
        side,
        "v18",
        turn(new Edit.Commit("/t", INT), group("/after")),
        turn(ownAttribute("an-attribute-of"), group("/g")),
        turn(ownAttribute("a"), group("/h")),
        turn(new Edit.DeleteAttribute("/t", "an-attribute-of")),
        turn(new Edit.DeleteAttribute("/t", "a")));
  }

  private static Edit ownAttribute(String name) {
    return new Edit.Attribute("/t", name, INT, List.of(2L), "/t", List.of("01000000", "02000000"));
  }

  private History unlimitedInShortLengths(Random random, int side) {
    return history(SHORT, side, "v18", turn(chunked("/d", List.of(2L), -1, 2)), turn(group("/g")));
  }

  private History copyOfText(Random random, int side) {
    TypeSpec text = new TypeSpec.LongText("nullterm", "utf8");
    Edit dataset = contiguous("/d", 1);
    Edit attribute = new Edit.Attribute("/d", "a", text, List.of(2L), null, List.of("one", "two"));
    return history(PLAIN, side, "v18", turn(dataset, attribute), turn(new Edit.Copy("/d", "/e")));
  }

  /**
   * Returns a history with a cycle. The library edits the header of the group twice at once: its
   * link, and its link count.
   */
  private History cycle(Random random, int side) {
    List<Edit[]> turns = new ArrayList<>();
    List<String> names = new ArrayList<>();
    turns.add(turn(group("/g"), group("/g/h"), new Edit.Hard("/g", "/g/h/back")));
    for (int i = 0; i < 8; i++) {
      if (names.size() < 6 && random.nextInt(3) > 0) {
        names.add("/g/" + i + "x".repeat(random.nextInt(30)));
        turns.add(turn(group(names.getLast()), group("/other" + i)));
      } else if (!names.isEmpty()) {
        turns.add(turn(new Edit.Delete(names.removeLast())));
      }
    }
    turns.add(turn(new Edit.Delete("/g/h")));
    return history(PLAIN, side, "v18", turns.toArray(Edit[][]::new));
  }

  private History sharedSpaces(Random random, int side) {
    List<Edit[]> turns = new ArrayList<>();
    turns.add(turn(chunked("/d", List.of(3L, 4L), -1, 2), chunked("/e", List.of(3L, 4L), -1, 2)));
    for (int i = 0; i < 4; i++) {
      String path = random.nextBoolean() ? "/d" : "/e";
      List<Long> dims = List.of(1 + random.nextLong(7), 1 + random.nextLong(7));
      turns.add(turn(new Edit.Resize(path, dims)));
    }
    return history(SHARED_SPACES, side, "v110", turns.toArray(Edit[][]::new));
  }

  private History emptied(Random random, int side) {
    return history(
        PLAIN,
        side,
        "v110",
        turn(chunked("/d", List.of(2L), 2, 2)),
        turn(new Edit.Resize("/d", List.of(0L))),
        turn(new Edit.Resize("/d", List.of(1L))));
  }

  private History copyOfEmptied(Random random, int side) {
    return history(
        PLAIN,
        side,
        "v110",
        turn(chunked("/d", List.of(4L), 4, 2)),
        turn(new Edit.Resize("/d", List.of(0L))),
        turn(new Edit.Copy("/d", "/e")));
  }

  private History writeAfterFlush(Random random, int side) {
    return writeAndFlush(random, side, true);
  }

  private History writeBeforeFlush(Random random, int side) {
    return writeAndFlush(random, side, false);
  }

  /**
   * Returns a history with a dataset whose elements lie between the headers of two groups that
   * change after the flush. The number of groups before them varies: the elements lie close behind
   * the dataset's header where the block that the library sets aside for metadata is nearly full.
   */
  private History writeAndFlush(Random random, int side, boolean flushedFirst) {
    List<Edit> first = new ArrayList<>();
    String path = "";
    for (int i = random.nextInt(16); i >= 0; i--) {
      path += "/a";
      first.add(group(path));
    }
    first.add(contiguous(path + "/d", 12));
    Edit write =
        new Edit.Write(
            path + "/d", INT, new SelectionSpec.All(), Collections.nCopies(12, "07000000"));
    Edit flush = new Edit.Flush();
    return history(
        PLAIN,
        side,
        "v110",
        first.toArray(Edit[]::new),
        turn(group("/g")),
        turn(
            new Edit.Soft("/q", path + "/x"),
            flushedFirst ? flush : write,
            flushedFirst ? write : flush,
            new Edit.Soft("/q", path + "/y"),
            new Edit.Soft("/q", "/g/y")));
  }
}
