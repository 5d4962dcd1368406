package org.hyperslab.convert.parts;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.bytes.ZipInput;
import org.hyperslab.error.CorruptFileException;

/**
 * A text file that lists the files written by the ranks of a job:
 *
 * <pre>
 * hyperslab parts 1
 * axis 0                 the dimension along which datasets are put together; 0 if not said
 * same /time /params     datasets that every file has whole
 * flash                  the same, too, are those that do not have an element for each block
 * rank0.h5               the files, in order; names with slashes lead into folders beside the text
 * rank1.h5
 * </pre>
 *
 * <p>Empty lines, and lines that begin with "#", are ignored.
 *
 * @param axis the dimension along which datasets are joined, from 0
 * @param same the paths of datasets that are the same in every file
 * @param flash whether FLASH's layout determines which datasets are the same: those whose first
 *     dimension differs in length from that of {@code /gid}
 * @param files the files
 */
public record PartsList(int axis, Set<String> same, boolean flash, List<Path> files) {

  private static final String FIRST = "hyperslab parts 1";

  /** The first line of the text. */
  public static final byte[] MAGIC = FIRST.getBytes(StandardCharsets.US_ASCII);

  private static final long MAX_BYTES = 16 << 20;
  private static final int MAX_FILES = 20_000;

  /**
   * Reads a list.
   *
   * @throws CorruptFileException if it is malformed, or names a file outside its folder
   */
  static PartsList read(Path path) {
    String text;
    try (FileBytes file = FileBytes.open(path)) {
      if (file.size() > MAX_BYTES) {
        throw corrupt(path, "actual=" + file.size() + " bytes, expected<=" + MAX_BYTES);
      }
      text = new String(file.read(0, (int) file.size()), StandardCharsets.UTF_8);
    }
    List<String> lines =
        text.lines().map(String::strip).filter(l -> !l.isEmpty() && !l.startsWith("#")).toList();
    if (lines.isEmpty() || !lines.getFirst().equals(FIRST)) {
      throw corrupt(path, "actual=another first line, expected=" + FIRST);
    }
    int axis = 0;
    boolean flash = false;
    Set<String> same = new HashSet<>();
    List<Path> files = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (line.matches("axis [0-9]{1,2}")) {
        axis = Integer.parseInt(line.substring(5));
      } else if (line.equals("flash")) {
        flash = true;
      } else if (line.startsWith("same ")) {
        same.addAll(List.of(line.substring(5).strip().split("\\s+")));
      } else if (ZipInput.isConfined(line)) {
        files.add(path.toAbsolutePath().resolveSibling(line));
      } else {
        throw corrupt(
            path,
            "actual=\"" + line + "\", expected=a file in the folder of the list, " + "or below it");
      }
    }
    if (files.isEmpty() || files.size() > MAX_FILES) {
      throw corrupt(path, "actual=" + files.size() + " files, expected=1 to " + MAX_FILES);
    }
    return new PartsList(axis, Set.copyOf(same), flash, List.copyOf(files));
  }

  private static CorruptFileException corrupt(Path path, String problem) {
    return new CorruptFileException(
        path.toString(), "list of parts", CorruptFileException.NO_OFFSET, problem);
  }
}
