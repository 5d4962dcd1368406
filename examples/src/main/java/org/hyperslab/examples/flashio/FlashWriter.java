package org.hyperslab.examples.flashio;

import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;

/**
 * Writes one file: all datasets are created first, by all ranks together as in the original; then
 * each rank writes its rows of blocks, all at once or in turn.
 */
final class FlashWriter {

  private final FlashMesh mesh;
  private final FlashPart part;
  private final FlashBlocks blocks;
  private final FlashFile kind;
  private final FlashProgress progress;
  private final String task;
  private long doneBytes;

  FlashWriter(FlashPart part, FlashBlocks blocks, FlashFile kind, FlashProgress progress) {
    this.mesh = part.mesh();
    this.part = part;
    this.blocks = blocks;
    this.kind = kind;
    this.progress = progress;
    this.task = "writing " + kind.fileName();
  }

  /** Writes everything into a file just created. */
  void write(H5File file) {
    for (FlashHeader.Entry entry : FlashHeader.of(kind, mesh)) {
      try (Dataset dataset = file.createDataset(entry.name(), entry.type(), entry.space())) {
        if (part.first() == 0) {
          dataset.write(entry.elements());
        }
      }
    }
    for (FlashField field : FlashField.tree(kind)) {
      file.createDataset(field.name(), field.type(), field.space(mesh)).close();
    }
    for (String variable : kind.variables()) {
      file.createDataset(variable, valueType(), valueSpace()).close();
    }
    for (int rank = part.first(); rank < part.end(); rank++) {
      writeRank(file, rank);
    }
  }

  private void writeRank(H5File file, int rank) {
    blocks.become(rank);
    for (FlashField field : FlashField.tree(kind)) {
      try (Dataset dataset = file.dataset(field.name())) {
        dataset.write(field.rows(mesh, rank), field.elements(mesh, rank), part.transfer());
      }
    }
    int values = blocks.valueCount(kind);
    double[] wide = kind.isDoublePrecision() ? new double[values] : null;
    float[] narrow = kind.isDoublePrecision() ? null : new float[values];
    for (String name : kind.variables()) {
      int variable = FlashMesh.VARIABLES.indexOf(name);
      Object elements = wide != null ? wide : narrow;
      if (wide != null) {
        blocks.centres(variable, wide);
      } else if (kind.isAtCorners()) {
        blocks.corners(variable, narrow);
      } else {
        blocks.centres(variable, narrow);
      }
      try (Dataset dataset = file.dataset(name)) {
        dataset.write(rows(rank), elements, part.transfer());
      }
      doneBytes += (long) values * valueType().size();
      progress.advanced(task, doneBytes, totalBytes());
    }
  }

  private Datatype valueType() {
    return kind.isDoublePrecision() ? Datatypes.F64LE : Datatypes.F32LE;
  }

  private Dataspace valueSpace() {
    int edge = kind.edge();
    return Dataspace.simple(mesh.totalBlocks(), edge, edge, edge);
  }

  private Selection rows(int rank) {
    int edge = kind.edge();
    return Selection.box(
        new long[] {mesh.firstBlock(rank), 0, 0, 0},
        new long[] {mesh.blocks(rank), edge, edge, edge});
  }

  /** Of this part. */
  private long totalBytes() {
    long edge = kind.edge();
    return part.blocks() * edge * edge * edge * valueType().size() * kind.variables().size();
  }
}
