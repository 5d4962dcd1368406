package org.hyperslab.examples.connectors;

import java.nio.file.Path;
import java.util.Arrays;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.netcdf.NetcdfDimension;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfGroup;
import org.hyperslab.netcdf.NetcdfModel;
import org.hyperslab.netcdf.NetcdfTypes;
import org.hyperslab.netcdf.NetcdfVariable;
import org.hyperslab.netcdf.VariableOptions;

/**
 * The program of every rank: defines a file collectively, writes its own rows, reads and renames.
 */
final class NetcdfRank {

  private static final int ROWS = 3;
  private static final int COLUMNS = 4;

  private NetcdfRank() {}

  static void run(Communicator world, String path) {
    try (Session session = Hdf5.session("mpiio")) {
      write(world, session, path);
      edit(world, session, path);
    }
  }

  private static void write(Communicator world, Session session, String path) {
    int ranks = world.size();
    try (NetcdfFile file = NetcdfFile.create(session, path, NetcdfModel.NETCDF4)) {
      NetcdfGroup root = file.root();
      NetcdfDimension time = root.createUnlimitedDimension("time");
      root.createDimension("row", (long) ROWS * ranks);
      root.createDimension("column", COLUMNS);
      root.setAttribute("title", "ranks");
      VariableOptions packed =
          VariableOptions.DEFAULT.withChunks(1, ROWS, COLUMNS).withShuffle().withDeflate(1);
      NetcdfVariable plain = root.createVariable("plain", NetcdfTypes.INT, "row", "column");
      NetcdfVariable series =
          root.createVariable("series", NetcdfTypes.DOUBLE, packed, "time", "row", "column");
      root.createVariable("column", NetcdfTypes.FLOAT, "column");
      plain.section(rows(world), new long[] {ROWS, COLUMNS}).write(ints(world.rank()));
      requireRefusalToGrow(world, series);
      time.extend(2);
      series
          .section(new long[] {1, (long) ROWS * world.rank(), 0}, new long[] {1, ROWS, COLUMNS})
          .collective()
          .write(doubles(world.rank()));
      root.createGroup("late").createVariable("x", NetcdfTypes.INT, "column");
    }
  }

  private static void requireRefusalToGrow(Communicator world, NetcdfVariable series) {
    long[] origin = {0, (long) ROWS * world.rank(), 0};
    try {
      series.section(origin, new long[] {1, ROWS, COLUMNS}).collective().write(doubles(0));
    } catch (InvalidUseException expected) {
      return;
    }
    throw new AssertionError("a rank extended a dimension without the others");
  }

  private static void edit(Communicator world, Session session, String path) {
    try (NetcdfFile file = NetcdfFile.of(session.openForEdit(Path.of(path)))) {
      NetcdfGroup root = file.root();
      int[] mine =
          root.variable("plain")
              .section(rows(world), new long[] {ROWS, COLUMNS})
              .collective()
              .read(int[].class);
      if (!Arrays.equals(mine, ints(world.rank()))) {
        throw new AssertionError("rank " + world.rank() + " read what it did not write");
      }
      root.variable("column").rename("width");
      root.dimension("row").rename("line");
      root.variable("plain").setAttribute("ranks", world.size());
    }
  }

  private static long[] rows(Communicator world) {
    return new long[] {(long) ROWS * world.rank(), 0};
  }

  private static int[] ints(int rank) {
    int[] all = new int[ROWS * COLUMNS];
    for (int i = 0; i < all.length; i++) {
      all[i] = 100 * rank + i;
    }
    return all;
  }

  private static double[] doubles(int rank) {
    return Arrays.stream(ints(rank)).asDoubleStream().toArray();
  }

  /** One process of many under mpirun. */
  public static void main(String[] arguments) {
    if (!Mpi.launched()) {
      throw new AssertionError("not under mpirun");
    }
    run(Worlds.current(), arguments[0]);
  }
}
