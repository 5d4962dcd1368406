package org.hyperslab.examples.kernels;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.file.FileView;

/**
 * Latency-IO: calls in which every rank moves one block, the ranks' blocks one after the other. Few
 * calls of large blocks show the bandwidth, many calls of small blocks what a call costs.
 *
 * <p>Source: Venkatesan, Chaarawi, Gabriel, Hoefler, Design and Evaluation of Nonblocking
 * Collective I/O Operations (2011), who use it to compare blocking calls with started ones that are
 * waited for at once.
 *
 * @param calls how many calls
 * @param blockBytes what each rank moves in a call
 */
record LatencyIo(int calls, long blockBytes) implements IoKernel {

  /** Checks the numbers. */
  LatencyIo {
    if (calls < 1 || blockBytes < 1) {
      throw new InvalidUseException(
          "latency-io: actual="
              + calls
              + " calls of "
              + blockBytes
              + " bytes, expected=at least one call of a byte");
    }
  }

  @Override
  public String name() {
    return "latency-io";
  }

  @Override
  public String describe(int ranks) {
    return calls + " calls of " + blockBytes + " bytes a rank";
  }

  @Override
  public List<Access> accesses(int rank, int ranks) {
    FileView bytes = FileView.bytes();
    List<Access> accesses = new ArrayList<>();
    for (long call = 0; call < calls; call++) {
      long file = (call * ranks + rank) * blockBytes;
      accesses.add(
          new Access(
              bytes,
              file,
              Access.Memory.dense(blockBytes),
              piece -> piece.at(file, 0, blockBytes)));
    }
    return accesses;
  }

  @Override
  public long fileBytes(int ranks) {
    return Math.multiplyExact((long) ranks * calls, blockBytes);
  }
}
