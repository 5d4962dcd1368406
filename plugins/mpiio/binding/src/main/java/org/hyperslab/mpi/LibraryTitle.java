package org.hyperslab.mpi;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Extracts a library's name and version from its long version text. */
final class LibraryTitle {

  private static final Pattern OPEN_MPI = Pattern.compile("Open MPI v?([0-9][0-9a-z.]*)");
  private static final Pattern MPICH = Pattern.compile("MPICH Version:\\s*([0-9][0-9a-z.]*)");
  private static final int MAX_TEXT = 40;

  private LibraryTitle() {}

  static String of(Abi abi, String text) {
    Matcher openMpi = OPEN_MPI.matcher(text);
    if (openMpi.find()) {
      return "Open MPI " + openMpi.group(1);
    }
    Matcher mpich = MPICH.matcher(text);
    if (mpich.find()) {
      return "MPICH " + mpich.group(1);
    }
    String line = text.lines().findFirst().orElse(abi.title());
    return line.length() <= MAX_TEXT ? line : line.substring(0, MAX_TEXT);
  }
}
