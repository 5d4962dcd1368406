package org.hyperslab.mpiio.file;

import java.nio.file.Path;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.hint.Hints;

/** A rank that {@link LateStartIT} starts under mpirun. */
final class LateStartRank {

  private LateStartRank() {}

  /** Arguments: a folder, and any number of hints. */
  public static void main(String[] arguments) {
    Communicator world = Worlds.current();
    for (int i = 1; i < arguments.length; i++) {
      for (boolean confined : new boolean[] {false, true}) {
        Path path = Path.of(arguments[0]).resolve("file" + i + confined);
        new LateStart(world, confined).run(path, Hints.parse(arguments[i]));
      }
    }
    System.out.println("done " + world.describe());
  }
}
