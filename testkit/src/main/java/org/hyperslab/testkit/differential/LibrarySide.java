package org.hyperslab.testkit.differential;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.testkit.Dialogue;
import org.hyperslab.testkit.Oracle;

/**
 * The side of the HDF5 C library, in another process that serves many requests and is restarted
 * after a crash.
 *
 * <p>Thread rule: confined to one thread.
 */
final class LibrarySide implements Side {

  private static final Map<String, String> ENVIRONMENT =
      Map.of("HDF5_USE_FILE_LOCKING", "FALSE", "MALLOC_PERTURB_", "85");

  /** The prefix of the line that the script prints before each edit; the edit's number follows. */
  private static final String PROGRESS = "edit ";

  private final String name;
  private final Oracle program;
  private final List<String> words;
  private Dialogue dialogue;

  private LibrarySide(String name, Oracle program, List<String> words) {
    this.name = name;
    this.program = program;
    this.words = words;
  }

  /** Returns the library that h5py uses; skips the test if there is none. */
  static LibrarySide machine() {
    return new LibrarySide("machine", Oracle.h5py(), List.of(script(), "machine"));
  }

  /** Returns the newest library; empty if it is not installed. */
  static Optional<LibrarySide> newest() {
    return Oracle.newest("h5run")
        .map(run ->
            new LibrarySide(
                "newest", run, List.of("/usr/bin/python3", "-S", "-c", script(), "newest")));
  }

  private static String script() {
    try (InputStream in = LibrarySide.class.getResourceAsStream("library.py")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void edit(Path file, History.Creation creation, boolean isNew, Turn turn) {
    List<Object> request = new ArrayList<>(List.of("do", "edit", "file", file.toString()));
    request.addAll(List.of("low", turn.low(), "high", turn.high()));
    request.addAll(List.of("swmr", turn.swmr() ? 1 : 0));
    addDriver(request, creation.kind());
    if (isNew) {
      request.addAll(List.of("create", creation.tree()));
    }
    request.addAll(List.of("edits", turn.edits().stream().map(Edit::tree).toList()));
    ask(request);
  }

  @Override
  public List<String> read(Path file, History.Creation creation) {
    String high = creation.kind() == HistoryKind.NEWER_BOUNDS ? "v200" : "v110";
    List<Object> request = new ArrayList<>(List.of("do", "tell", "file", file.toString()));
    request.addAll(List.of("low", "earliest", "high", high));
    addDriver(request, creation.kind());
    return ask(request);
  }

  private static void addDriver(List<Object> request, HistoryKind kind) {
    if (kind.driver() != null) {
      request.addAll(List.of("driver", List.of(kind.driver(), HistoryKind.MEMBER_BYTES)));
    }
  }

  /**
   * Converts the bytes of elements from one type to another.
   *
   * @param cases lists of the two types' trees, the bytes in hexadecimal, and the number of
   *     elements
   * @return the bytes of each case, or {@code refused}
   */
  List<String> convert(List<List<Object>> cases) {
    return ask(List.of("do", "convert", "cases", cases));
  }

  @Override
  public SwmrAccess openForSwmr(Path file, boolean writes) {
    ask(List.of("do", "open", "file", file.toString(), "write", writes ? 1 : 0));
    return new SwmrAccess() {
      @Override
      public void edit(List<Edit> edits) {
        ask(List.of("do", "step", "edits", edits.stream().map(Edit::tree).toList()));
      }

      @Override
      public List<String> read(List<String> paths) {
        return ask(List.of("do", "look", "paths", paths));
      }

      @Override
      public void close() {
        ask(List.of("do", "shut"));
      }
    };
  }

  private List<String> ask(List<Object> request) {
    if (dialogue == null) {
      dialogue = Dialogue.with(program, ENVIRONMENT, words);
    }
    dialogue.say(Json.text(new Json.Fields(request)));
    int edit = -1;
    String answer = dialogue.listen().orElse("");
    while (answer.startsWith(PROGRESS)) {
      edit = Integer.parseInt(answer.substring(PROGRESS.length()));
      answer = dialogue.listen().orElse("");
    }
    if (answer.startsWith("ok ")) {
      int count = Integer.parseInt(answer.substring(3));
      List<String> lines = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        lines.add(dialogue.hear());
      }
      return lines;
    }
    if (!answer.startsWith("error ")) {
      close();
      throw answer.isEmpty() ? new Crash(name, edit) : new Refusal("crashed: " + answer, null);
    }
    throw new Refusal(answer.substring(6), null);
  }

  @Override
  public void close() {
    if (dialogue != null) {
      dialogue.close();
      dialogue = null;
    }
  }
}
