package org.hyperslab.machine.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;

/**
 * Reads and writes application matrices as text, in compressed rows. The first line is {@code ranks
 * N}; a line follows for each rank that has entries: {@code rank: partner=amount partner=amount …},
 * with partners above the rank, because the matrix is symmetric; {@code #} begins a comment. A
 * second form lists the ranks in the order of the offsets of their pieces: {@code order R R R …},
 * in any number of lines. A third form lists the pieces, one in each line: {@code piece RANK OFFSET
 * BYTES}.
 */
public final class MatrixText {

  private static final int MAX_CHARACTERS = 1 << 28;
  private static final int MAX_ORDER = 1 << 24;
  private static final Pattern ENTRY = Pattern.compile("\\d{1,9}=\\d{1,18}");

  private MatrixText() {}

  /**
   * Writes a matrix.
   *
   * @param matrix the matrix
   * @return its text
   */
  public static String write(ApplicationMatrix matrix) {
    StringBuilder text = new StringBuilder("ranks " + matrix.ranks() + "\n");
    for (int rank = 0; rank < matrix.ranks(); rank++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < matrix.partners(rank).length; i++) {
        if (matrix.partners(rank)[i] > rank) {
          line.append(' ').append(matrix.partners(rank)[i]);
          line.append('=').append(matrix.amounts(rank)[i]);
        }
      }
      if (!line.isEmpty()) {
        text.append(rank).append(':').append(line).append('\n');
      }
    }
    return text.toString();
  }

  /**
   * Reads a matrix.
   *
   * @param source the origin of the text, for messages
   * @param text a matrix in any of the forms
   * @return the matrix
   * @throws InvalidUseException if the text is not a matrix; it names line and field
   */
  public static ApplicationMatrix read(String source, String text) {
    if (text.length() > MAX_CHARACTERS) {
      throw refuse(source, 1, "text", text.length() + " characters", "at most " + MAX_CHARACTERS);
    }
    String[] lines = text.split("\\R", -1);
    ApplicationMatrix.Collector collector = null;
    int ranks = 0;
    IntStream.Builder order = IntStream.builder();
    List<ApplicationMatrix.Piece> pieces = new ArrayList<>();
    int ordered = 0;
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].replaceFirst("#.*", "").strip();
      if (line.isEmpty()) {
        continue;
      }
      String[] words = line.split("\\s+", -1);
      if (collector == null) {
        ranks = header(source, i + 1, words);
        collector = new ApplicationMatrix.Collector(ranks);
      } else if (words[0].equals("order")) {
        ordered += words.length - 1;
        if (ordered > MAX_ORDER) {
          throw refuse(source, i + 1, "order", ordered + " pieces", "at most " + MAX_ORDER);
        }
        for (int k = 1; k < words.length; k++) {
          order.add(number(source, i + 1, "piece " + k, words[k], ranks));
        }
      } else if (words[0].equals("piece")) {
        pieces.add(piece(source, i + 1, words, ranks));
      } else {
        row(source, i + 1, words, ranks, collector);
      }
    }
    if (collector == null) {
      throw refuse(source, lines.length, "ranks", "nothing", "a line ranks N");
    }
    if (!pieces.isEmpty()) {
      return ApplicationMatrix.ofPieces(ranks, pieces);
    }
    return ordered > 0
        ? ApplicationMatrix.ofOrder(ranks, order.build().toArray())
        : collector.build();
  }

  private static ApplicationMatrix.Piece piece(String source, int line, String[] words, int ranks) {
    if (words.length != 4) {
      throw refuse(source, line, "piece", words.length - 1 + " numbers", "RANK OFFSET BYTES");
    }
    for (int k = 2; k < 4; k++) {
      if (!words[k].matches("\\d{1,18}")) {
        throw refuse(source, line, k == 2 ? "offset" : "bytes", words[k], "a whole number");
      }
    }
    return new ApplicationMatrix.Piece(
        number(source, line, "rank", words[1], ranks),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]));
  }

  private static int header(String source, int line, String[] words) {
    if (words.length != 2 || !words[0].equals("ranks")) {
      throw refuse(source, line, "ranks", words[0], "ranks N");
    }
    return number(source, line, "ranks", words[1], ApplicationMatrix.MAX_RANKS + 1);
  }

  private static void row(
      String source, int line, String[] words, int ranks, ApplicationMatrix.Collector collector) {
    if (!words[0].endsWith(":")) {
      throw refuse(source, line, "rank", words[0], "a rank and a colon, or order");
    }
    int rank = number(source, line, "rank", words[0].substring(0, words[0].length() - 1), ranks);
    for (int k = 1; k < words.length; k++) {
      if (!ENTRY.matcher(words[k]).matches()) {
        throw refuse(source, line, "entry " + k, words[k], "partner=amount");
      }
      int equals = words[k].indexOf('=');
      int partner = number(source, line, "entry " + k, words[k].substring(0, equals), ranks);
      if (partner <= rank) {
        throw refuse(source, line, "entry " + k, words[k], "a partner above rank " + rank);
      }
      collector.add(rank, partner, Long.parseLong(words[k].substring(equals + 1)));
    }
  }

  private static int number(String source, int line, String field, String word, int below) {
    if (!word.matches("\\d{1,9}") || Integer.parseInt(word) >= below) {
      throw refuse(source, line, field, word, "a whole number below " + below);
    }
    return Integer.parseInt(word);
  }

  private static InvalidUseException refuse(
      String source, int line, String field, String actual, String expected) {
    String brief = actual.length() > 40 ? actual.substring(0, 40) + "…" : actual;
    return new InvalidUseException(
        "application matrix: actual="
            + brief
            + ", expected="
            + expected
            + ", at="
            + source
            + ", line "
            + line
            + ", field "
            + field);
  }
}
