package org.hyperslab.mpiio.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.hint.Hints;

/**
 * A rank that {@link MpiFileRunIT} starts under mpirun: runs random programs together with their
 * model, and compares the file with the model.
 */
final class FileRank {

  private FileRank() {}

  /** Arguments: a folder, the hints, the first seed, the number of programs, the steps of each. */
  public static void main(String[] arguments) throws IOException {
    Communicator world = Worlds.current();
    Path folder = Path.of(arguments[0]);
    Hints hints = Hints.parse(arguments[1]);
    long first = Long.parseLong(arguments[2]);
    boolean vendor = hints.others().getOrDefault("io", "own").equals("vendor");
    for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
      Path path = folder.resolve("file" + i);
      MpiFile file =
          MpiFile.open(world, path, Set.of(AccessMode.CREATE, AccessMode.READ_WRITE), hints);
      RandomProgram program = new RandomProgram(world, file, first + i).watching(path);
      FileModel model =
          (vendor ? program.forVendor() : program).run(Integer.parseInt(arguments[4]));
      file.close();
      world.barrier();
      int difference = Arrays.mismatch(Files.readAllBytes(path), model.content());
      if (difference >= 0) {
        throw new AssertionError(
            "file " + path + " differs from byte " + difference + " on" + program);
      }
    }
    System.out.println("done " + world.describe());
  }
}
