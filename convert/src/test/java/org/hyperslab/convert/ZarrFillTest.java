package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fill values of HDF5, which are not those of missing elements, in Zarr version 2. */
final class ZarrFillTest {

  private static final String MAKE =
      """
      import h5py, numpy, sys
      with h5py.File(sys.argv[1], "w") as file:
          file["x"] = numpy.arange(6.0)
          file["x"].make_scale("x")
          def add(name, dtype, fill, missing=None, **options):
              d = file.create_dataset(name, (6,), dtype, fillvalue=fill, chunks=(2,), **options)
              d[:3] = numpy.array([0, 7, 2]).astype(dtype)
              if missing is not None:
                  d.attrs.create("_FillValue", [missing], dtype=dtype)
              d.dims[0].attach_scale(file["x"])
          add("zero", "i4", 0)
          add("real", "f8", 0, shuffle=True, compression="gzip")
          add("seven", "i4", 7)
          add("missing", "i4", 7, 7)
          add("other", "i4", 0, 7)
          add("text", "S3", b"7")
          add("nan", "f4", numpy.nan)
      """;

  private static final String JUDGE =
      """
      import h5py, numpy, sys, xarray
      source, store, back = sys.argv[1:]
      ours = xarray.open_zarr(store).load()
      with h5py.File(source) as file, h5py.File(back) as other:
          for name in file:
              stored = file[name][...]
              if name in ("missing", "other"):
                  stored = numpy.where(stored == 7, numpy.nan, stored)
              read = ours[name].values
              same = (read == stored) | (read != read) & (stored != stored)
              assert read.dtype == stored.dtype and same.all(), (name, read, stored)
              assert numpy.array_equal(file[name][...], other[name][...], equal_nan=name == "nan"), name
              kept, expected = other[name].fillvalue, file[name].fillvalue
              assert kept == expected or kept != kept and expected != expected, (name, kept)
              attributes = {each for each in file[name].attrs} ^ {each for each in other[name].attrs}
              assert attributes <= {"_Netcdf4Dimid"}, (name, attributes)
      """;

  @TempDir Path folder;

  /** xarray takes the fill value of version 2 for that of missing elements. */
  @Test
  void onlyValuesOfMissingElementsAreMissingToXarray() throws IOException {
    Path in = folder.resolve("in.h5");
    Path store = folder.resolve("out.zarr");
    Path back = folder.resolve("back.h5");
    Oracle.h5py(Files.writeString(folder.resolve("make.py"), MAKE)).run(in.toString()).orFail();
    FileConverter.convert(in, store);
    FileConverter.convert(store, back);
    Oracle.Outcome said =
        Oracle.python("xarray", Files.writeString(folder.resolve("judge.py"), JUDGE))
            .run(in.toString(), store.toString(), back.toString());
    assertThat(said.exitCode()).as(said.text()).isZero();
  }
}
