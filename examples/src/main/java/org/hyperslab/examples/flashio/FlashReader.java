package org.hyperslab.examples.flashio;

import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.format.space.Selection;

/** Reads one file back, rank by rank, and compares every value with what was written. */
final class FlashReader {

  private final FlashMesh mesh;
  private final FlashPart part;
  private final FlashFile kind;
  private final FlashProgress progress;

  FlashReader(FlashPart part, FlashFile kind, FlashProgress progress) {
    this.mesh = part.mesh();
    this.part = part;
    this.kind = kind;
    this.progress = progress;
  }

  /**
   * Reads and compares everything.
   *
   * @throws IllegalStateException if a value differs; the message names the first
   */
  void verify(H5File file) {
    long done = 0;
    long edge = kind.edge();
    long total = part.blocks() * edge * edge * edge * kind.variables().size() * 8;
    int most = mesh.unknownsLength() / FlashMesh.VARIABLES.size();
    double[] values = new double[most];
    for (int rank = part.first(); rank < part.end(); rank++) {
      verifyTree(file, rank);
      int count = Math.toIntExact(mesh.blocks(rank) * edge * edge * edge);
      double[] elements = values.length == count ? values : new double[count];
      values = elements;
      Selection rows =
          Selection.box(
              new long[] {mesh.firstBlock(rank), 0, 0, 0},
              new long[] {mesh.blocks(rank), edge, edge, edge});
      for (String name : kind.variables()) {
        try (Dataset dataset = file.dataset(name)) {
          dataset.readInto(rows, elements, part.transfer());
        }
        compare(name, rank, elements, FlashMesh.VARIABLES.indexOf(name) + 1);
        done += 8L * count;
        progress.advanced("reading " + kind.fileName(), done, total);
      }
    }
  }

  private void verifyTree(H5File file, int rank) {
    for (FlashField field : FlashField.tree(kind)) {
      try (Dataset dataset = file.dataset(field.name())) {
        double[] elements = dataset.readDoubles(field.rows(mesh, rank));
        compare(field.name(), rank, elements, field.value());
      }
    }
  }

  private void compare(String name, int rank, double[] actual, double expected) {
    int at = 0;
    while (at < actual.length && actual[at] == expected) {
      at++;
    }
    if (at < actual.length) {
      throw new IllegalStateException(
          "read back: actual="
              + actual[at]
              + ", expected="
              + expected
              + ", at=element "
              + at
              + " of rank "
              + rank
              + " in \""
              + name
              + "\" of "
              + kind.fileName()
              + " ("
              + Arrays.toString(Arrays.copyOfRange(actual, at, Math.min(at + 4, actual.length)))
              + " …)");
    }
  }
}
