package org.hyperslab.examples.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfGroup;
import org.hyperslab.netcdf.NetcdfModel;
import org.hyperslab.netcdf.NetcdfTypes;
import org.hyperslab.netcdf.NetcdfVariable;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.plugins.forwarding.server.ServerOptions;
import org.hyperslab.plugins.forwarding.server.StageServer;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that netCDF-C reads files that ranks wrote, and files on a staging server. */
final class NetcdfConnectorsTest {

  private static final Path JUDGE =
      Path.of(
          System.getProperty("hyperslab.root"),
          "netcdf/src/test/resources/org/hyperslab/netcdf/netcdf_judge.py");

  @TempDir Path folder;

  @Test
  void ranksThatAreThreadsMakeOneFile() {
    Path path = folder.resolve("threads.nc");
    ThreadWorld.run(3, world -> NetcdfRank.run(world, path.toString()));
    requireRanks(path, 3);
  }

  /** Compares the file of {@link NetcdfRank} as netCDF-C reads it. */
  static void requireRanks(Path path, int ranks) {
    String model = checkedModel(path);
    assertThat(model)
        .startsWith("dim /time 2 unlimited\ndim /line " + 3 * ranks + "\ndim /column 4\n")
        .contains("var /plain(line,column) [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [100, 101")
        .contains("var /series(time,line,column)", "[100.0, 101.0, 102.0, 103.0]")
        .contains("var /width(column)", "var /late/x(column)");
    assertThat(Oracle.program("ncdump").run("-s", path.toString()).orFail().output())
        .contains("plain:ranks = " + ranks + " ;");
  }

  /** Checks that a file keeps its model as netCDF-C does, and returns what netCDF-C reads. */
  private static String checkedModel(Path file) {
    return Oracle.python("netCDF4", JUDGE).run("checked", file.toString()).orFail().output();
  }

  @Test
  void aStagingServerMakesTheSameFile() throws Exception {
    Path root = Files.createDirectory(folder.resolve("root"));
    try (StageServer server =
            StageServer.start(ServerOptions.of(Address.parse("127.0.0.1:0"), root));
        Session session = Hdf5.session("forwarding servers=" + server.address())) {
      try (NetcdfFile file = NetcdfFile.create(session, "staged.nc", NetcdfModel.NETCDF4)) {
        NetcdfGroup group = file.root();
        group.createUnlimitedDimension("t");
        group.createDimension("x", 2);
        group.createVariable("x", NetcdfTypes.INT, "x").write(new int[] {4, 5});
        NetcdfVariable v = group.createVariable("v", NetcdfTypes.INT, "t", "x");
        v.write(new int[][] {{1, 2}, {3, 4}});
        v.section(new long[] {2, 0}, new long[] {1, 2}).write(new int[] {5, 6});
        v.setAttribute("names", new String[] {"a", "b"});
      }
      try (NetcdfFile file = NetcdfFile.of(session.openForEdit(Path.of("staged.nc")))) {
        assertThat(file.root().variable("v").read(int[].class)).containsExactly(1, 2, 3, 4, 5, 6);
        file.root().dimension("x").rename("y");
        assertThat(file.root().variables())
            .extracting(NetcdfVariable::toString)
            .isEqualTo(List.of("/x[y]", "/v[t, y]"));
      }
    }
    assertThat(checkedModel(root.resolve("staged.nc")))
        .isEqualTo(
            "dim /t 3 unlimited\n"
                + "dim /y 2\n"
                + "var /x(y) [4, 5]\n"
                + "var /v(t,y) [[1, 2], [3, 4], [5, 6]]\n");
  }
}
