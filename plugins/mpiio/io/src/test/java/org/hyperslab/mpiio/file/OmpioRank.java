package org.hyperslab.mpiio.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.hint.Hints;

/** A rank that {@link OmpioIT} starts under mpirun. */
final class OmpioRank {

  private static final int BYTES = 1000;

  private final Communicator world;
  private final Path folder;

  private OmpioRank(Communicator world, Path folder) {
    this.world = world;
    this.folder = folder;
  }

  /** Argument: a folder. */
  public static void main(String[] arguments) throws IOException {
    OmpioRank rank = new OmpioRank(Worlds.current(), Path.of(arguments[0]));
    rank.preallocateTwiceAndDiffer();
    rank.leaveAnAccessAndSyncAnotherFile();
    System.out.println("done");
  }

  /** OMPIO of Open MPI 4.1 leaves messages of a preallocation on the communicator of its file. */
  private void preallocateTwiceAndDiffer() throws IOException {
    try (MpiFile file = open("preallocated")) {
      if (!file.explain().contains("what the library does once all have come has no limit")) {
        throw new AssertionError(file.explain());
      }
      file.preallocate(BYTES);
      file.preallocate(BYTES);
      requireRefused(
          () -> file.setAtomic(world.rank() == 1),
          "setAtomic",
          "actual=true on rank 1, expected=false as on rank 0");
    }
  }

  /** OMPIO syncs no file of a process that has begun a transfer and not ended it. */
  private void leaveAnAccessAndSyncAnotherFile() throws IOException {
    MemoryBuffer buffer = MemoryBuffer.of(Arena.global().allocate(8));
    MpiFile left = open("left");
    SplitAccess begun = left.beginWriteAll(buffer);
    try (MpiFile file = open("other")) {
      requireRefused(file::sync, "sync", "1 started transfers of this process have not ended");
      begun.end();
      file.sync();
    }
    left.close();
  }

  private MpiFile open(String name) throws IOException {
    Path path = folder.resolve(name);
    if (world.rank() == 0) {
      Files.write(path, new byte[BYTES]);
    }
    world.barrier();
    Hints hints = Hints.parse("io=vendor hyperslab_deadline=10");
    return MpiFile.open(world.duplicate(), path, Set.of(AccessMode.READ_WRITE), hints);
  }

  private static void requireRefused(Runnable call, String... words) {
    try {
      call.run();
    } catch (InvalidUseException refused) {
      for (String word : words) {
        if (!refused.getMessage().contains(word)) {
          throw new AssertionError("expected=" + word, refused);
        }
      }
      return;
    }
    throw new AssertionError("actual=accepted, expected=refused: " + words[0]);
  }
}
