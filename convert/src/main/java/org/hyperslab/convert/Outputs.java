package org.hyperslab.convert;

import java.nio.file.Path;
import org.hyperslab.convert.bytes.StoreOutput;
import org.hyperslab.convert.classic.NetcdfTarget;
import org.hyperslab.convert.hdf5.Hdf5Target;
import org.hyperslab.convert.model.TargetFile;
import org.hyperslab.convert.netcdf4.Netcdf4Target;
import org.hyperslab.convert.numpy.NumpyTarget;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.options.TableOptions;
import org.hyperslab.convert.table.TableTarget;
import org.hyperslab.convert.zarr.ZarrTarget;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.netcdf.NetcdfModel;

/**
 * Chooses what writes the output of a conversion, by its format.
 *
 * <p>Thread rule: stateless.
 */
final class Outputs {

  private Outputs() {}

  /** Returns what writes an output. */
  static TargetFile target(ConversionKinds kinds, Path out, ConversionOptions options) {
    return switch (kinds.to()) {
      case HDF5 -> new Hdf5Target();
      case NETCDF4 -> new Netcdf4Target(NetcdfModel.NETCDF4);
      case NETCDF4_CLASSIC -> new Netcdf4Target(NetcdfModel.CLASSIC);
      case FAMILY, SPLIT, MULTI, SUBFILING, PARTS ->
          throw new UnsupportedFeatureException(
              "format of the output: actual="
                  + kinds.to().option()
                  + ", expected=a format that can be written; "
                  + kinds.to().option()
                  + " can only be read");
      case NPY -> NumpyTarget.array();
      case NPZ -> NumpyTarget.archive();
      case NETCDF -> new NetcdfTarget(NetcdfTarget.OLDEST);
      case CDF1 -> new NetcdfTarget(1);
      case CDF2 -> new NetcdfTarget(2);
      case CDF5 -> new NetcdfTarget(5);
      case ZARR2 -> new ZarrTarget(2, options.zarr(), StoreOutput.isNamedZip(out));
      case ZARR3 -> new ZarrTarget(3, options.zarr(), StoreOutput.isNamedZip(out));
      case CSV -> table(',', kinds, out, options);
      case TSV -> table('\t', kinds, out, options);
      case RAW -> NumpyTarget.raw();
    };
  }

  /** Returns a table to write; the options are for the input if that is a table too. */
  private static TargetFile table(
      char usual, ConversionKinds kinds, Path out, ConversionOptions options) {
    TableOptions table = kinds.from().isTable() ? TableOptions.DEFAULT : options.table();
    return new TableTarget(delimiter(kinds.from(), options, usual), table, out);
  }

  /** Returns the separator of the cells of an output. */
  private static char delimiter(FileKind from, ConversionOptions options, char usual) {
    return from.isTable() ? usual : options.separator().orElse(usual);
  }
}
