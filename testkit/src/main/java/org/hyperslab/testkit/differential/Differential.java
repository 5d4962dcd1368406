package org.hyperslab.testkit.differential;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.hyperslab.Session;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;

/**
 * Runs random histories in turns and, after each turn, compares what every side reads with the
 * model.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class Differential implements AutoCloseable {

  private static final int SHRINKING_RUNS = 1000;

  /**
   * The failure of HDF5 1.10 to close files whose messages are shared, which is rare and also
   * occurs in files of its own. It depends on what its metadata cache holds, so that other
   * histories of the same edits do not fail.
   */
  private static final String NOT_CLOSED = "Pinned entry count not decreasing";

  /**
   * The failure of HDF5 to read what it has just written, which occurs in files of its own with
   * shared messages, too. When it divides free space of a header, {@code H5O_alloc_null} sets the
   * type of the second part, but not its flags, which are those of a message that had its place in
   * the table of messages before. If that message could be shared, the library refuses the header.
   */
  private static final Pattern STALE_FLAGS =
      Pattern.compile(
          "after turn \\d+ of (?:machine|newest):.*message of unshareable class flagged as shareable",
          Pattern.DOTALL);

  private static final String ONLY_HERE = " and by all others";

  private final List<Side> sides = new ArrayList<>();
  private final TemporaryFolder folder = TemporaryFolder.create("differential");
  private final boolean newest;
  private final DumpReader dump = new DumpReader();
  private final DatasetReader another;

  /**
   * Creates a tester with three sides: this project's through a session, which is closed with the
   * tester, the machine's library, and the newest library if it is installed.
   *
   * @param session the session to test
   */
  public Differential(Session session) {
    this(session, null);
  }

  /**
   * Creates a tester as {@link #Differential(Session)} does, with one more reader of the resulting
   * files.
   *
   * @param session the session to test
   * @param another reads datasets; those that it refuses are skipped. The caller closes it
   */
  public Differential(Session session, Session another) {
    this(_ -> session, UnaryOperator.identity(), another);
  }

  private Differential(
      Function<Path, Session> sessions, UnaryOperator<Path> names, Session another) {
    this.another = another == null ? null : new DatasetReader(another);
    sides.add(new HyperslabSide(sessions.apply(folder.path()), names));
    sides.add(LibrarySide.machine());
    Optional<LibrarySide> third = LibrarySide.newest();
    third.ifPresent(sides::add);
    newest = third.isPresent();
  }

  /**
   * {@return a tester as {@link #Differential(Session)} makes it, of sessions whose names of files
   * are relative to a folder, as those of a server are}
   *
   * @param sessions given the folder, returns a session whose names are relative to it
   */
  public static Differential below(Function<Path, Session> sessions) {
    return new Differential(sessions, Path::getFileName, null);
  }

  /**
   * Runs a number of histories.
   *
   * @param seed the seed of the random numbers
   * @param first the index of the first history
   * @param count the number of histories
   * @throws AssertionError with the seed and the shortest history found, if a side differs
   */
  public void run(long seed, int first, int count) {
    for (int i = first; i < first + count; i++) {
      Optional<String> failure = check(seed, i);
      if (failure.isPresent()) {
        throw new AssertionError(failure.get());
      }
    }
  }

  /**
   * Returns the number of datasets that the other reader has read.
   *
   * @return the number; 0 without such a reader
   */
  public int readByAnother() {
    return another == null ? 0 : another.readCount();
  }

  /**
   * Runs one history. A difference that the library makes alone, without this project, is printed
   * and does not count: long histories find defects of the library, too.
   *
   * @param seed the seed of all histories
   * @param index the index of the history, from 0
   * @return the difference; empty if there is none
   */
  public Optional<String> check(long seed, int index) {
    History history = history(seed, index);
    Optional<String> result = difference(history);
    if (result.isEmpty()
        || result.get().contains(NOT_CLOSED)
        || STALE_FLAGS.matcher(result.get()).find()) {
      return Optional.empty();
    }
    History shortest = shrink(history, result.get());
    String found = difference(shortest).orElse(result.get());
    String place = "case " + index + " of seed " + seed;
    if (isOfLibrary(shortest, found)) {
      System.out.println(place + " differs without this project, too: " + kind(found));
      return Optional.empty();
    }
    return Optional.of(
        place
            + " (run it again with -D"
            + Seeds.PROPERTY
            + "="
            + seed
            + ")\n"
            + shortest
            + "\n"
            + found);
  }

  /**
   * Returns whether a difference remains if the library makes this project's turns. It never does
   * if only this project reads wrongly.
   */
  private boolean isOfLibrary(History history, String result) {
    int other = history.creation().kind().editors(newest).contains(1) ? 1 : 2;
    Optional<String> alone = difference(history.with(0, other));
    return !result.contains(ONLY_HERE)
        && alone.isPresent()
        && kind(alone.get()).equals(kind(result));
  }

  private History history(long seed, int index) {
    String external = folder.file("raw-").toString();
    return new Generator(Seeds.random(seed, index), newest, external)
        .history(HistoryKind.of(index));
  }

  private Optional<String> difference(History history) {
    empty();
    Path file = folder.file(history.creation().kind().fileName());
    Model model = new Model(history.creation());
    ModelEdits applied = new ModelEdits(model);
    boolean first = true;
    int number = 0;
    for (Turn turn : history.turns()) {
      List<Edit> suiting = turn.edits().stream().filter(applied::apply).toList();
      if (suiting.isEmpty() && !first) {
        continue;
      }
      Side side = sides.get(turn.side());
      try {
        side.edit(file, history.creation(), first, turn.with(suiting));
      } catch (Side.Refusal refusal) {
        return Optional.of("turn " + number + ": " + side.name() + ": " + refusal.getMessage());
      } catch (Side.Crash crash) {
        return Optional.of("turn " + number + ": " + crash.getMessage());
      } catch (RuntimeException unexpected) {
        return Optional.of(
            "turn " + number + ": " + side.name() + " unexpected: " + trace(unexpected));
      }
      first = false;
      Optional<String> result = compare(model.lines(), file, history.creation());
      if (result.isPresent()) {
        int at = number;
        return result.map(text -> "after turn " + at + " of " + side.name() + ": " + text);
      }
      number++;
    }
    Optional<String> found =
        isDumped(history) ? dump.problem(file, history.creation(), model) : Optional.empty();
    boolean isPlain = history.creation().kind() == HistoryKind.PLAIN;
    return found.isPresent() || another == null || !isPlain ? found : another.problem(file, model);
  }

  /**
   * Returns whether h5dump reads the file: one in eight, because a process for each doubles the
   * time.
   */
  private static boolean isDumped(History history) {
    return history.turns().getFirst().edits().size() % 8 == 1;
  }

  private static String trace(Throwable failure) {
    StringBuilder text = new StringBuilder(failure.toString());
    for (int i = 0; i < Math.min(8, failure.getStackTrace().length); i++) {
      text.append("\n    at ").append(failure.getStackTrace()[i]);
    }
    return text.toString();
  }

  /**
   * Returns the sides that read the file. HDF5 2.2 refuses continuation messages that are flagged
   * as shared, which HDF5 writes.
   */
  private List<Side> readers(History.Creation creation) {
    return creation.kind().readers(newest && creation.shared().isEmpty()).stream()
        .map(sides::get)
        .toList();
  }

  private Optional<String> compare(List<String> expected, Path file, History.Creation creation) {
    StringBuilder result = new StringBuilder();
    StringBuilder right = new StringBuilder();
    boolean onlyHere = true;
    for (Side reader : readers(creation)) {
      Optional<String> one = compare(expected, () -> reader.read(file, creation));
      one.ifPresent(text -> result.append(reader.name()).append(text).append('\n'));
      onlyHere = onlyHere && one.isPresent() == (reader == sides.getFirst());
      right.append(one.isPresent() ? "" : " " + reader.name());
    }
    return result.isEmpty()
        ? Optional.empty()
        : Optional.of(result + "and is read correctly by" + right + (onlyHere ? ONLY_HERE : ""));
  }

  private static Optional<String> compare(List<String> expected, Supplier<List<String>> reading) {
    try {
      List<String> actual = reading.get();
      return actual.equals(expected)
          ? Optional.empty()
          : Optional.of(" reads\n" + firstDifference(expected, actual));
    } catch (Side.Refusal refusal) {
      return Optional.of(" cannot read: " + refusal.getMessage());
    } catch (Side.Crash crash) {
      return Optional.of(" cannot read: " + crash.getMessage());
    } catch (RuntimeException unexpected) {
      return Optional.of(" cannot read, unexpected: " + trace(unexpected));
    }
  }

  private static String firstDifference(List<String> expected, List<String> actual) {
    for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
      String wanted = i < expected.size() ? expected.get(i) : "nothing";
      String found = i < actual.size() ? actual.get(i) : "nothing";
      if (!wanted.equals(found)) {
        return "  actual=" + found + "\nexpected=" + wanted;
      }
    }
    return "";
  }

  /** Returns the shortest history found with the same kind of difference. */
  private History shrink(History history, String result) {
    History best = history;
    int runs = 0;
    boolean shorter = true;
    while (shorter && runs < SHRINKING_RUNS) {
      shorter = false;
      for (History candidate : shorter(best)) {
        if (runs++ >= SHRINKING_RUNS) {
          break;
        }
        Optional<String> again = difference(candidate);
        if (again.isPresent() && kind(again.get()).equals(kind(result))) {
          best = candidate;
          shorter = true;
          break;
        }
      }
    }
    return best;
  }

  /** Returns the kind of a difference: its text without numbers and names. */
  private static String kind(String result) {
    int end = Math.min(result.length(), 400);
    return result
        .substring(0, end)
        .replaceAll("turn \\d+ of \\w+", "")
        .replaceAll("turn \\d+", "")
        .replaceAll("edit \\d+ \\[.*?\\]+:", "")
        .replaceAll("(?s)reads.*", "reads")
        .replaceAll("/[^ :]*", "")
        .replaceAll("\\d+", "");
  }

  private static List<History> shorter(History history) {
    List<History> found = new ArrayList<>();
    for (int r = history.turns().size() - 1; r > 0; r--) {
      List<Turn> fewer = new ArrayList<>(history.turns());
      fewer.remove(r);
      found.add(new History(history.creation(), fewer));
    }
    for (int r = 0; r < history.turns().size(); r++) {
      List<Edit> edits = history.turns().get(r).edits();
      for (int step = edits.size(); step >= 1; step = step / 2) {
        for (int i = 0; i + step <= edits.size(); i += step) {
          List<Edit> rest = new ArrayList<>(edits);
          rest.subList(i, i + step).clear();
          List<Turn> turns = new ArrayList<>(history.turns());
          turns.set(r, turns.get(r).with(rest));
          found.add(new History(history.creation(), turns));
        }
      }
    }
    return found;
  }

  private void empty() {
    try (var files = Files.list(folder.path())) {
      for (Path each : files.filter(Files::isRegularFile).toList()) { // a server has a folder
        Files.delete(each);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() {
    sides.forEach(Side::close);
    folder.close();
  }
}
