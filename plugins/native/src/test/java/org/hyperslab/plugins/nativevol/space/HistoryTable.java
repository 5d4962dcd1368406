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
 * The final sizes of the files of all {@link History histories}, ours beside those of h5py.
 *
 * @param lines one for each history
 */
record HistoryTable(List<Line> lines) {

  /**
   * One history.
   *
   * @param ours bytes of our file
   * @param theirs bytes of the file of h5py
   */
  record Line(History history, long ours, long theirs) {

    /** Our size divided by theirs. */
    double ratio() {
      return (double) ours / theirs;
    }
  }

  /** Lives all histories in a folder, by both. */
  static HistoryTable measured(Path folder) throws IOException {
    Map<String, Long> theirs = theirs(folder);
    List<Line> lines = new ArrayList<>();
    for (History history : History.values()) {
      Path path = folder.resolve(history.title() + ".ours.h5");
      history.live(path);
      lines.add(new Line(history, Files.size(path), theirs.get(history.title())));
    }
    return new HistoryTable(List.copyOf(lines));
  }

  private static Map<String, Long> theirs(Path folder) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(script());
    arguments.add(folder.toString());
    for (History history : History.values()) {
      arguments.add(history.title());
    }
    String said = Oracle.h5py().run(arguments.toArray(String[]::new)).orFail().output();
    Map<String, Long> sizes = new HashMap<>();
    for (String line : said.lines().toList()) {
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

  /** The table as Markdown. */
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
