package org.hyperslab.testkit.differential;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.hyperslab.Session;
import org.hyperslab.testkit.Seeds;
import org.hyperslab.testkit.TemporaryFolder;

/**
 * Tests one side writing a file while the others read it (SWMR). The writer takes steps, each a few
 * edits and a flush; between two steps every reader refreshes its datasets and must match the
 * model. The order of requests is fixed, so a seed repeats a run.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class SwmrDifferential implements AutoCloseable {

  private final List<Side> sides = new ArrayList<>();
  private final TemporaryFolder folder = TemporaryFolder.create("swmr");

  /**
   * Creates a tester with three sides: this project's through a session, which is closed with the
   * tester, the machine's library, and the newest library if it is installed.
   *
   * @param session a session of the connector to test
   */
  public SwmrDifferential(Session session) {
    sides.add(new HyperslabSide(session));
    sides.add(LibrarySide.machine());
    LibrarySide.newest().ifPresent(sides::add);
  }

  /**
   * A history of one file.
   *
   * @param creator the side that makes the file
   * @param writer the side that edits it while the others read
   * @param creation the edits that make the file
   * @param steps the writer's edits
   */
  private record SwmrHistory(int creator, int writer, List<Edit> creation, List<List<Edit>> steps) {
    @Override
    public String toString() {
      return "creator "
          + creator
          + ", writer "
          + writer
          + "\n  "
          + text(creation)
          + steps.stream().map(step -> "\n  step " + text(step)).collect(Collectors.joining());
    }

    private static String text(List<Edit> edits) {
      return edits.stream()
          .map(edit -> Json.text(edit.tree()))
          .collect(Collectors.joining("\n    "));
    }
  }

  /**
   * Runs a number of histories.
   *
   * @param seed the seed of the random numbers
   * @param first the index of the first history
   * @param count the number of histories
   * @throws AssertionError with the seed and the history, if a reader differs
   */
  public void run(long seed, int first, int count) {
    for (int i = first; i < first + count; i++) {
      Random random = Seeds.random(seed, i);
      SwmrHistory history = history(random);
      Optional<String> failure = difference(history, i);
      if (failure.isPresent()) {
        throw new AssertionError(
            "SWMR case " + i + " of seed " + seed + ": " + failure.get() + "\n" + history);
      }
    }
  }

  private SwmrHistory history(Random random) {
    int writer = random.nextInt(sides.size());
    Model model = new Model(Generator.plain());
    ModelEdits applied = new ModelEdits(model);
    EditGenerator edits = new EditGenerator(random, false, model, "");
    List<Edit> creation = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Edit dataset = edits.growing("/d" + i);
      applied.apply(dataset);
      creation.add(dataset);
    }
    List<List<Edit>> steps = new ArrayList<>();
    for (int s = 0; s < 4; s++) {
      List<Edit> step = new ArrayList<>();
      for (int e = 1 + random.nextInt(3); e > 0; e--) {
        Edit edit = edits.whileRead();
        if (applied.apply(edit)) {
          step.add(edit);
        }
      }
      steps.add(step);
    }
    return new SwmrHistory(random.nextInt(sides.size()), writer, creation, steps);
  }

  private Optional<String> difference(SwmrHistory history, int number) {
    Path file = folder.file("case" + number + ".h5");
    Model model = new Model(Generator.plain());
    ModelEdits applied = new ModelEdits(model);
    history.creation.forEach(applied::apply);
    try {
      sides
          .get(history.creator)
          .edit(
              file,
              Generator.plain(),
              true,
              new Turn(history.creator, "v110", "v110", false, history.creation));
      Optional<String> found = concurrently(history, file, model, applied);
      return found.isPresent() ? found : afterwards(file, model);
    } catch (Side.Refusal | Side.Crash failure) {
      return Optional.of(failure.getMessage());
    }
  }

  private Optional<String> concurrently(
      SwmrHistory history, Path file, Model model, ModelEdits applied) {
    List<SwmrAccess> opened = new ArrayList<>();
    try {
      SwmrAccess writer = sides.get(history.writer).openForSwmr(file, true);
      opened.add(writer);
      for (int i = 0; i < sides.size(); i++) {
        if (i != history.writer) {
          opened.add(sides.get(i).openForSwmr(file, false));
        }
      }
      for (List<Edit> step : history.steps) {
        Optional<String> found = readers(history, opened, model, history.steps.indexOf(step));
        if (found.isPresent()) {
          return found;
        }
        writer.edit(step);
        step.forEach(applied::apply);
      }
      return readers(history, opened, model, history.steps.size());
    } finally {
      // Readers first: a file that its writer has closed can still be read, but nothing follows.
      opened.reversed().forEach(SwmrAccess::close);
    }
  }

  private Optional<String> readers(
      SwmrHistory history, List<SwmrAccess> opened, Model model, int step) {
    List<String> paths = List.of("/d0", "/d1");
    List<String> expected =
        paths.stream()
            .map(model::find)
            .map(ModelObject.ModelDataset.class::cast)
            .map(one ->
                List.of(
                    one == model.find("/d0") ? "/d0" : "/d1", Shapes.list(one.dims), one.values))
            .map(Json::text)
            .toList();
    for (int i = 1; i < opened.size(); i++) {
      String name = sides.get(i - 1 < history.writer ? i - 1 : i).name();
      List<String> actual = opened.get(i).read(paths);
      if (!actual.equals(expected)) {
        return Optional.of(
            "before step " + step + " " + name + " reads\n" + actual + "\n" + expected);
      }
    }
    return Optional.empty();
  }

  private Optional<String> afterwards(Path file, Model model) {
    for (Side side : sides) {
      List<String> actual = side.read(file, Generator.plain());
      if (!actual.equals(model.lines())) {
        return Optional.of(
            "afterwards " + side.name() + " reads\n" + actual + "\n" + model.lines());
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    sides.forEach(Side::close);
    folder.close();
  }
}
