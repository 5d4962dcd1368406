package org.hyperslab.convert;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.classic.NetcdfSource;
import org.hyperslab.convert.hdf5.Hdf5Source;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.SourceFile;
import org.hyperslab.convert.numpy.NumpySource;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.parts.JoinedFile;
import org.hyperslab.convert.parts.PartsSource;
import org.hyperslab.convert.table.TableSource;
import org.hyperslab.convert.zarr.ZarrSource;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.OpenOptions;

/**
 * Opens the input of a conversion, by its format.
 *
 * <p>Thread rule: stateless.
 */
final class Inputs {

  private static final Set<FileKind> HDF5_KINDS =
      Set.of(
          FileKind.HDF5,
          FileKind.NETCDF4,
          FileKind.NETCDF4_CLASSIC,
          FileKind.FAMILY,
          FileKind.SPLIT,
          FileKind.MULTI);

  private Inputs() {}

  /** Returns the opened input, which the caller closes. */
  static SourceFile open(Path in, FileKind kind, ConversionOptions options, ConversionRun work) {
    boolean isHdf5 = HDF5_KINDS.contains(kind);
    if (!isHdf5 && !options.path().equals("/")) {
      throw new InvalidUseException(
          "path: actual=" + options.path() + ", expected=/ for a file of kind " + kind.option());
    }
    return switch (kind) {
      case HDF5, NETCDF4, NETCDF4_CLASSIC -> new Hdf5Source(Hdf5.open(in), options.path(), work);
      case FAMILY, SPLIT, MULTI ->
          new Hdf5Source(
              Hdf5.open(in.toString(), OpenOptions.READ.withProperty("driver", kind.option())),
              options.path(),
              work);
      case SUBFILING -> JoinedFile.open(in, options.path(), work.expandedBytes(), work);
      case PARTS -> PartsSource.open(in, work);
      case NPY -> NumpySource.openArray(in);
      case NPZ -> NumpySource.openArchive(in, work.expandedBytes(), work);
      case NETCDF, CDF1, CDF2, CDF5 -> NetcdfSource.open(in);
      case ZARR2 ->
          ZarrSource.open(
              in, new ZarrSource.Reading(2, work.isLenient()), work.expandedBytes(), work);
      case ZARR3 ->
          ZarrSource.open(
              in, new ZarrSource.Reading(3, work.isLenient()), work.expandedBytes(), work);
      case CSV -> table(in, options, options.separator(), work);
      case TSV -> table(in, options, options.separator().or(() -> Optional.of('\t')), work);
      case RAW -> NumpySource.openRaw(in, rawOf(in, options));
    };
  }

  private static SourceFile table(
      Path in, ConversionOptions options, Optional<Character> separator, ConversionRun work) {
    return TableSource.open(
        in, new TableSource.Reading(separator, options.columns(), options.table()), work);
  }

  private static String rawOf(Path in, ConversionOptions options) {
    return options
        .raw()
        .orElseThrow(() ->
            new InvalidUseException(
                "raw input: actual=no description, expected=--raw"
                    + " type=<f8,shape=100x200,order=C,offset=0, at="
                    + in));
  }
}
