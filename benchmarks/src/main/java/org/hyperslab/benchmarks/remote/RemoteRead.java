package org.hyperslab.benchmarks.remote;

import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.OpenOptions;

/** Reads a slice of a remote dataset once, for {@code remote.py}, which counts the requests. */
final class RemoteRead {

  private RemoteRead() {}

  /**
   * Opens the file in the store of S3 and reads the slice once.
   *
   * @param args the endpoint of S3, the name of the file, the path of a dataset of floats, a slice
   */
  public static void main(String[] args) {
    OpenOptions options = OpenOptions.READ.withProperty("s3.endpoint", args[0]);
    try (H5File file = Hdf5.open(args[1], options)) {
      float[] values = file.dataset(args[2]).slice(args[3]).read(float[].class);
      if (values.length == 0) {
        throw new IllegalArgumentException("slice: actual=empty, at=" + args[3]);
      }
    }
  }
}
