package org.hyperslab.plugins.mpiio;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.hint.Hints;

/** A rank that {@link EarlyExitIT} starts under mpirun: one rank ends while the others continue. */
final class EarlyExitRank {

  private EarlyExitRank() {}

  /**
   * Runs one rank. With "return" and "exit" the last rank ends in this way while an HDF5 file is
   * open, with "bytes" while an MPI-IO file is open; with "absent" it returns before it has opened
   * anything, with "root" rank 0 exits before the first file; with "late" a rank that has done its
   * part of a broadcast ends long before another rank calls it; with "all" every rank ends with a
   * file open.
   *
   * @param arguments a file, and the way in which ranks end
   */
  public static void main(String[] arguments) {
    System.setProperty("hyperslab.mpi.farewellSeconds", "1");
    Communicator world = Worlds.current();
    boolean last = world.rank() == world.size() - 1;
    switch (arguments[1]) {
      case "bytes" -> bytes(world, last, Path.of(arguments[0]));
      case "late" -> late(world);
      case "absent" -> {
        if (!last) {
          open(arguments[0]).createGroup("alone").close();
          System.out.println("went on " + world.rank());
        }
      }
      case "root" -> root(world, arguments[0]);
      case "all" -> {
        open(arguments[0]);
        System.out.println("done " + world.rank());
      }
      default -> whileOpen(world, last, arguments[0], arguments[1].equals("exit"));
    }
  }

  private static H5File open(String name) {
    return Hdf5.session("mpiio").create(name, CreateOptions.DEFAULT);
  }

  private static void whileOpen(Communicator world, boolean last, String name, boolean exit) {
    H5File file = open(name);
    file.createGroup("together").close();
    if (last) {
      if (exit) {
        System.exit(0);
      }
      return;
    }
    file.createGroup("alone").close();
    System.out.println("went on " + world.rank());
  }

  private static void root(Communicator world, String name) {
    Session session = Hdf5.session("mpiio");
    if (world.rank() == 0) {
      System.exit(0);
    }
    session.create(name, CreateOptions.DEFAULT);
    System.out.println("went on " + world.rank());
  }

  private static void bytes(Communicator world, boolean last, Path path) {
    Set<AccessMode> modes = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);
    MpiFile file = MpiFile.open(world, path, modes, Hints.defaults());
    if (!last) {
      file.setSize(10);
      System.out.println("went on " + world.rank());
    }
  }

  private static void late(Communicator world) {
    if (world.rank() == 0) {
      // The other rank computes for longer than any limit.
      long end = System.nanoTime() + 4_000_000_000L;
      while (System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
    }
    world.broadcast(MemorySegment.ofArray(new long[1]), world.size() - 1);
    System.out.println("done " + world.rank());
  }
}
