package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.web.options.WebOptions;
import org.junit.jupiter.api.Test;

/** Tests that axes have the dimensions that netCDF-C has for them. */
final class AxesTest {

  private static final String TOKEN = "a-token-of-the-test";

  /** Writes a file, and prints the line that is expected for each variable. */
  private static final String SCRIPT =
      """
      import netCDF4, sys, json
      f = netCDF4.Dataset(sys.argv[1], 'w')
      f.createDimension('time', None); f.createDimension('node', 4); f.createDimension('siglay', 3)
      g = f.createGroup('inner'); g.createDimension('x', 2)
      f.createVariable('node', 'f8', ('node',))[:] = [1, 2, 3, 4]
      f.createVariable('siglay', 'f8', ('siglay', 'node'))[:] = 1
      f.createVariable('temp', 'f4', ('time', 'siglay', 'node'))[:] = [[[1] * 4] * 3] * 5
      f.createVariable('short', 'f4', ('time', 'node'))[0:2] = 1
      g.createVariable('time', 'i4', ('x',))[:] = 1
      g.createVariable('far', 'i4', ('x', 'node', 'time'))[:] = [[[1] * 5] * 4] * 2
      f.createVariable('scalar', 'i4', ())
      def show(group, path):
          for name, v in group.variables.items():
              own = {'node': '/node', 'siglay': '/siglay'}
              axes = [{'name': d, 'dataset': own.get(d) if own.get(d) != path + name else None} for d in v.dimensions]
              if name != 'scalar': print(path + name + ' ' + json.dumps({'axes': axes}, separators=(',', ':')))
          for name, inner in group.groups.items(): show(inner, path + name + '/')
      f.sync(); show(f, '/'); f.close()
      """;

  @Test
  void axesHaveTheNamesOfNetcdf() throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("axes")) {
      Path script = Files.writeString(folder.file("make.py"), SCRIPT);
      String[] lines =
          Oracle.python("netCDF4", script)
              .run(folder.file("x.nc").toString())
              .orFail()
              .output()
              .strip()
              .split("\n");
      try (WebServer server = server(folder);
          Client client = new Client(server, TOKEN)) {
        assertThat(lines).hasSize(6);
        for (String line : lines) {
          String[] parts = line.split(" ", 2);
          assertThat(client.text("/axes?file=x.nc&path=" + parts[0])).as(line).isEqualTo(parts[1]);
        }
        assertThat(client.text("/axes?file=x.nc&path=/scalar")).isEqualTo("{\"axes\":[]}");
        assertThat(client.status("/axes?file=x.nc&path=/none")).isEqualTo(404);
        assertThat(client.status("/axes?file=x.nc&path=/inner")).isEqualTo(422);
      }
    }
  }

  @Test
  void datasetsWithoutScalesAndOfOtherFilesHaveNoNames() {
    try (TemporaryFolder folder = TemporaryFolder.create("axes")) {
      try (H5File file = Hdf5.create(folder.file("x.h5"))) {
        file.createDataset("plain", new int[2][3]).close();
        file.createDataset("noted", new int[2]).setAttribute("units", "K");
        file.root().createExternalLink("outside", "y.h5", "/d");
      }
      try (H5File file = Hdf5.create(folder.file("y.h5"))) {
        file.createDataset("d", new int[2]).setAttribute("NAME", "d");
      }
      try (WebServer server = server(folder);
          Client client = new Client(server, TOKEN)) {
        String none = "{\"name\":null,\"dataset\":null}";
        assertThat(client.text("/axes?file=x.h5&path=/plain"))
            .isEqualTo("{\"axes\":[" + none + "," + none + "]}");
        for (String name : new String[] {"noted", "outside"}) {
          assertThat(client.text("/axes?file=x.h5&path=/" + name))
              .isEqualTo("{\"axes\":[" + none + "]}");
        }
      }
    }
  }

  private static WebServer server(TemporaryFolder folder) {
    return WebServer.show(
        folder.path(),
        WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.of(TOKEN))));
  }
}
