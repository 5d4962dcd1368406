package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types of HDF5 that are user-defined types in netCDF-4. */
final class Netcdf4UserTypesTest {

  private static final String MAKE =
      """
      import h5py, numpy, sys
      big = h5py.enum_dtype({"LOW": -5, "HIGH": 2**40}, ">i8")
      small = h5py.enum_dtype({"A": 0, "B": 300}, ">u2")
      with h5py.File(sys.argv[1], "w") as file:
          file["named"] = small
          file.create_dataset("big", data=numpy.array([-5, 2**40], ">i8"), dtype=big)
          file.create_dataset("small", data=numpy.array([300, 7], ">u2"), dtype=file["named"], fillvalue=300)
          parts = numpy.dtype([("n", ">i4"), ("e", small), ("s", "S3")])
          values = numpy.array([(1, 300, b"ab"), (-2, 0, b"")], parts)
          file["parts"] = values
          file.attrs["parts"] = values[1:]
          file.attrs.create("flags", [300, 0], dtype=small)
          file.attrs["bytes"] = numpy.array([b"abc", b"d\\0e"], "V3")
          lists = numpy.empty(2, object)
          lists[:] = [numpy.array([1, 2], "i4"), numpy.array([], "i4")]
          file.attrs.create("lists", lists, dtype=h5py.vlen_dtype("i4"))
      """;

  private static final String JUDGE =
      """
      import h5py, netCDF4, numpy, subprocess, sys

      def equal(a, b):
          if a.dtype.names:
              return all(equal(a[name], b[name]) for name in a.dtype.names)
          if a.dtype.kind == "O":
              return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b))
          if a.dtype.kind == "S" and b.dtype.itemsize == 1:
              return [bytes(x) for x in a] == [bytes(x).rstrip(b"\\0") for x in b]
          return (a.tobytes() == b.tobytes()) if a.dtype.kind == "V" else numpy.array_equal(a, b)

      subprocess.run(["ncdump", "-h", sys.argv[2]], check=True, stdout=subprocess.DEVNULL)
      with h5py.File(sys.argv[1]) as one, h5py.File(sys.argv[2]) as two:
          for name in ("big", "small", "parts"):
              assert equal(one[name][...], two[name][...]), (name, two[name][...])
          for name in one.attrs:
              assert equal(one.attrs[name], two.attrs[name]), (name, two.attrs[name])
          assert two["small"].fillvalue == 300 and two["named"].dtype == two["small"].dtype
      with netCDF4.Dataset(sys.argv[2]) as file:
          file.set_auto_mask(False)
          assert file["big"][...].tolist() == [-5, 2**40] and file["small"][...].tolist() == [300, 7]
          assert file["big"].datatype.enum_dict == {"LOW": -5, "HIGH": 2**40}
      """;

  @TempDir Path folder;

  /** netCDF-C does not open a file with an enumeration over big-endian integers. */
  @Test
  void userTypesOfHdf5AreReadByNetcdf() throws IOException {
    Path in = folder.resolve("in.h5");
    Path out = folder.resolve("out.nc4");
    Oracle.h5py(Files.writeString(folder.resolve("make.py"), MAKE)).run(in.toString()).orFail();
    FileConverter.convert(in, out);
    Oracle.Outcome said =
        Oracle.python("netCDF4", Files.writeString(folder.resolve("judge.py"), JUDGE))
            .run(in.toString(), out.toString());
    assertThat(said.exitCode()).as(said.text()).isZero();
  }
}
