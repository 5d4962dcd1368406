package org.hyperslab.tools.repack;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.tools.command.TerminalProgress;

/** Shows progress on a terminal and, if asked, the table that {@code h5repack -v} prints. */
final class RepackReport implements RepackListener {

  private static final String LINE = "-----------------------------------------";

  private final TerminalProgress progress;
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean verbose;
  private boolean begun;

  RepackReport(TerminalProgress progress, PrintWriter out, PrintWriter err, boolean verbose) {
    this.progress = progress;
    this.out = out;
    this.err = err;
    this.verbose = verbose;
  }

  @Override
  public boolean wantsObjects() {
    return verbose;
  }

  @Override
  public void copied(String path, long doneBytes, long totalBytes) {
    progress.advanced("repacking", doneBytes, totalBytes);
  }

  @Override
  public void finished(Kind kind, String path, List<FilterSpec> filters, double ratio) {
    if (!begun) {
      begun = true;
      out.println(LINE + "\n Type     Filter (Compression)     Name\n" + LINE);
    }
    String type =
        switch (kind) {
          case GROUP -> "group";
          case DATASET -> "dset";
          case TYPE -> "type";
          case LINK -> "link";
        };
    String compression =
        filters.isEmpty() ? "" : names(filters) + String.format(Locale.ROOT, "(%.3f:1)", ratio);
    out.printf(" %-8s %-18s %s%n", type, compression, path);
    out.flush();
  }

  private static String names(List<FilterSpec> filters) {
    StringBuilder names = new StringBuilder();
    for (FilterSpec filter : filters) {
      names.append(
          switch (filter.id()) {
            case 1 -> "GZIP ";
            case 2 -> "SHUF ";
            case 3 -> "FLET ";
            case 4 -> "SZIP ";
            case 5 -> "NBIT ";
            case 6 -> "SCALEOFFSET ";
            default -> "UD ";
          });
    }
    return names.append("  ").toString();
  }

  @Override
  public void keptAsStored(String path, String reason) {
    err.println("hyperslab repack: " + path + " is copied as stored: " + reason);
    err.flush();
  }

  @Override
  public void pruned(String path) {
    out.println("Pruned " + path + ".");
    out.flush();
  }
}
