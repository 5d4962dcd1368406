package org.hyperslab.mpiio.engine;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.StorageException;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Consensus;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.machines.MachineService;
import org.hyperslab.mpiio.staged.AccessExtents;

/**
 * Records which ranks have neighbouring pieces of a file, if the hint {@code
 * hyperslab_record_views} names a file for it: an application matrix for the placement of the next
 * run. Only the first pieces of each rank's view count, at most 1,024 in at most 16 tiles.
 */
final class ViewRecorder {

  private static final int MAX_TILES = 16;
  private static final int MAX_PIECES = 1024;
  private static final long LARGE_TILE_BYTES = 1L << 40;

  private ViewRecorder() {}

  /**
   * Records the views of all ranks, if the hints request it; collective.
   *
   * @throws org.hyperslab.error.HyperslabException on all ranks, if rank 0 cannot write the file
   */
  static void record(
      Communicator comm, Consensus ranks, Hints hints, FileView view, ViewTransfer transfer) {
    String file = hints.others().get(Hints.RECORD_VIEWS);
    if (file == null) {
      return;
    }
    MachineService machines = ranks.run(() -> MachineService.find(Hints.RECORD_VIEWS + "=" + file));
    long[] mine = pieces(view);
    byte[] bytes = new byte[mine.length * Long.BYTES];
    MemorySegment.ofArray(bytes).copyFrom(MemorySegment.ofArray(mine));
    byte[][] all = comm.allGatherBytes(bytes);
    ranks.runOnRoot(() -> write(machines, Path.of(file), transfer.byDomain(lists(all))));
  }

  /** Returns alternating offsets and lengths. */
  private static long[] pieces(FileView view) {
    long[] pieces = new long[2 * MAX_PIECES];
    int used = 0;
    long tiles = view.tileBytes() < LARGE_TILE_BYTES ? MAX_TILES : 1;
    ExtentList.Cursor cursor = AccessExtents.inFile(view, 0, tiles * view.tileBytes()).cursor();
    while (used < pieces.length && cursor.next()) {
      pieces[used++] = cursor.offset();
      pieces[used++] = cursor.length();
    }
    return Arrays.copyOf(pieces, used);
  }

  private static List<ExtentRuns> lists(byte[][] all) {
    List<ExtentRuns> lists = new ArrayList<>();
    for (byte[] bytes : all) {
      long[] numbers = new long[bytes.length / Long.BYTES];
      MemorySegment.ofArray(numbers).copyFrom(MemorySegment.ofArray(bytes));
      ExtentRuns.Builder list = ExtentRuns.builder();
      for (int i = 0; i < numbers.length; i += 2) {
        list.add(numbers[i], numbers[i + 1]);
      }
      lists.add(list.build());
    }
    return lists;
  }

  /**
   * Writes which ranks are neighbours in the parts of the file that aggregators have, because these
   * exchange data with the same aggregator.
   */
  private static void write(MachineService machines, Path file, List<ExtentRuns> lists) {
    List<MachineService.Piece> pieces = new ArrayList<>();
    for (int rank = 0; rank < lists.size(); rank++) {
      ExtentList.Cursor cursor = lists.get(rank).cursor();
      while (cursor.next()) {
        pieces.add(new MachineService.Piece(rank, cursor.offset(), cursor.length()));
      }
    }
    try {
      Files.writeString(file, machines.neighbours(lists.size(), pieces));
    } catch (IOException failure) {
      throw new StorageException("recorded views: actual=" + failure + ", at=" + file, failure);
    }
  }
}
