package org.hyperslab.plugins.mpiio;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.FileView;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.hint.Hints;

/**
 * A rank that {@link SievingIT} starts under mpirun: all ranks concurrently make independent writes
 * of interleaved bytes, through windows that they read, change and write back.
 */
final class SievingRank {

  private static final String SIEVED = "romio_ds_write=enable ind_wr_buffer_size=";
  private static final int TIMES = 20;
  private static final int EACH = 2000;

  private SievingRank() {}

  /** Arguments: a folder. */
  public static void main(String[] arguments) throws IOException {
    Communicator world = Worlds.current();
    Path folder = Path.of(arguments[0]);
    for (int windowBytes : new int[] {64, 1000, 1 << 20}) {
      throughMpiFile(world, folder.resolve("bytes" + windowBytes), windowBytes);
      throughConnector(world, folder.resolve("elements" + windowBytes + ".h5"), windowBytes);
    }
    System.out.println("done " + world.describe());
  }

  private static byte value(int rank, int time, int i) {
    return (byte) (1 + 31 * rank + 7 * time + i);
  }

  private static byte[] values(int rank, int time) {
    byte[] mine = new byte[EACH];
    for (int i = 0; i < EACH; i++) {
      mine[i] = value(rank, time, i);
    }
    return mine;
  }

  private static void throughMpiFile(Communicator world, Path path, int windowBytes)
      throws IOException {
    Hints hints = Hints.parse(SIEVED + windowBytes);
    Set<AccessMode> modes = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);
    try (MpiFile file = MpiFile.open(world, path, modes, hints)) {
      DerivedType every = DerivedType.resized(0, world.size(), DerivedType.BYTE);
      file.setView(FileView.of(world.rank(), DerivedType.BYTE, every));
      for (int time = 0; time < TIMES; time++) {
        file.writeAt(0, MemoryBuffer.of(MemorySegment.ofArray(values(world.rank(), time))));
      }
      require(file.explain().contains("sieving"), file.explain());
    }
    world.barrier();
    check(world, Files.readAllBytes(path));
  }

  private static void throughConnector(Communicator world, Path path, int windowBytes) {
    MpiioOptions options = MpiioOptions.DEFAULT.withHints(Hints.parse(SIEVED + windowBytes));
    int total = EACH * world.size();
    try (MpiioConnector connector = MpiioConnector.over(world, options);
        Session session = Hdf5.session(connector);
        H5File file = session.create(path.toString(), CreateOptions.DEFAULT)) {
      Dataset dataset = file.createDataset("d", Datatypes.I8LE, Dataspace.simple(total));
      Selection mine =
          Selection.hyperslab(
              new long[] {world.rank()},
              new long[] {world.size()},
              new long[] {EACH},
              new long[] {1});
      for (int time = 0; time < TIMES; time++) {
        dataset.write(mine, values(world.rank(), time));
      }
      String how = connector.lastTransfer().text();
      require(how.contains("sieving"), how);
      file.flush();
      check(world, dataset.readBytes());
    }
  }

  private static void require(boolean holds, String said) {
    if (!holds) {
      throw new AssertionError("not sieved: " + said);
    }
  }

  private static void check(Communicator world, byte[] found) {
    byte[] expected = new byte[EACH * world.size()];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = value(i % world.size(), TIMES - 1, i / world.size());
    }
    int differs = Arrays.mismatch(found, expected);
    if (differs >= 0) {
      throw new AssertionError("byte " + differs + " is not what its rank wrote last");
    }
    world.barrier();
  }
}
