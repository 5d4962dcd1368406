package org.hyperslab.plugins.nativevol.space;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.hyperslab.testkit.Oracle;

/**
 * A table of the final sizes of the files of {@link SpaceHistory histories}, by this library and by
 * h5py.
 *
 * @param lines one for each history
 */
record HistoryTable(List<Line> lines) {

  /**
   * The sizes of one history.
   *
   * @param ours the bytes of this library's file
   * @param theirs the bytes of h5py's file
   */
  record Line(SpaceHistory history, long ours, long theirs) {

    /** Returns this library's size divided by h5py's. */
    double ratio() {
      return (double) ours / theirs;
    }
  }

  /** Executes histories in a folder, by this library and by h5py. */
  static HistoryTable measured(Path folder, List<SpaceHistory> histories) throws IOException {
    Map<String, Long> theirs = theirs(folder, histories);
    List<Line> lines = new ArrayList<>();
    for (SpaceHistory history : histories) {
      Path path = folder.resolve(history.title() + ".ours.h5");
      history.execute(path);
      lines.add(new Line(history, Files.size(path), theirs.get(history.title())));
    }
    return new HistoryTable(List.copyOf(lines));
  }

  private static Map<String, Long> theirs(Path folder, List<SpaceHistory> histories)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(script());
    arguments.add(folder.toString());
    for (SpaceHistory history : histories) {
      arguments.add(history.title());
    }
    String output = Oracle.h5py().run(arguments.toArray(String[]::new)).orFail().output();
    Map<String, Long> sizes = new HashMap<>();
    for (String line : output.lines().toList()) {
      String[] parts = line.split(" ", -1);
      sizes.put(parts[0], Long.valueOf(parts[1]));
    }
    return sizes;
  }

  private static String script() throws IOException {
    try (InputStream script = HistoryTable.class.getResourceAsStream("histories.py")) {
      return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Formats the table as Markdown. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append("| history | Hyperslab, bytes | h5py, bytes | ratio |\n|---|---:|---:|---:|\n");
    for (Line line : lines) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %d | %d | %.2f |%n",
              line.history.title().replace('_', ' '),
              line.ours,
              line.theirs,
              line.ratio()));
    }
    return text.toString();
  }
}
