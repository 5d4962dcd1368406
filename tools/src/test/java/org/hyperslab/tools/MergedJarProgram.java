package org.hyperslab.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.vol.Connectors;

/** A program that is put into one jar with the library; see {@link MergedJarTest}. */
final class MergedJarProgram {

  private MergedJarProgram() {}

  /** Writes and reads a file named by the argument, and prints what was found. */
  public static void main(String[] args) throws Exception {
    Path path = Path.of(args[0]);
    try (H5File file = Hdf5.create(path)) {
      file.datasetBuilder("x")
          .value(new double[1000])
          .options(o -> o.chunked(100).shuffle().zstd(3))
          .create();
    }
    try (Session session = Hdf5.session("tracing print=false | async | caching | native");
        H5File file = session.open(path.toString());
        Dataset x = file.dataset("x")) {
      System.out.println("read " + x.readDoubles().length);
    }
    System.out.println("connectors " + Connectors.factories().keySet());
    System.out.println("scheme " + Connectors.byScheme("https").orElseThrow().name());
    System.out.println("filters " + FilterRegistry.standard().ids());
    System.out.println("remote " + remote());
    Files.delete(path);
  }

  /** Returns what becomes of the opening of a file on a server that does not exist. */
  private static String remote() {
    try (Session session = Hdf5.session("native");
        H5File none = session.open("http://127.0.0.1:1/none.h5")) {
      return none.toString();
    } catch (HyperslabException failure) {
      return failure.getClass().getSimpleName();
    }
  }
}
