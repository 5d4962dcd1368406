package org.hyperslab.mpiio.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Request;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.testkit.Seeds;

/** A rank that {@link DivergenceIT} starts under mpirun. */
final class DivergenceRank {

  /** More than programs read. */
  private static final int FILE_BYTES = 1000;

  private static final double DEADLINE_SECONDS = 0.15;

  private DivergenceRank() {}

  /**
   * Arguments: a folder, a seed, how many programs, each on a communicator of its own, and hints.
   */
  public static void main(String[] arguments) throws IOException {
    Communicator world = Worlds.current();
    int programs = Integer.parseInt(arguments[2]);
    int told = 0;
    for (int i = 0; i < programs; i++) {
      DivergentProgram program =
          DivergentProgram.of(
                  Seeds.random(Long.parseLong(arguments[1]), i), world.size(), DEADLINE_SECONDS)
              .with(arguments[3]);
      Path path = Path.of(arguments[0]).resolve("file" + i);
      if (world.rank() == 0) {
        Files.write(path, new byte[FILE_BYTES]); // see VendorEngine on reads past the end
      }
      Communicator ranks = world.duplicate();
      try {
        program.run(ranks, (comm, modes, hints) -> MpiFile.open(comm, path, modes, hints));
      } catch (HyperslabException | DivergentProgram.Injected expected) {
        told++;
      } catch (RuntimeException untyped) {
        throw new AssertionError("program " + i + ": " + program, untyped);
      }
      ranks.leave(); // not closed: ranks may have given up a call of MPI
      world.barrier(); // however far each came
    }
    Request.testGivenUp();
    long lent = BufferPool.lentByAll();
    System.out.println(
        "done " + world.rank() + ": " + told + " errors, " + lent + " buffers in use");
  }
}
