package org.hyperslab.tools.repack;

import java.util.Locale;
import org.hyperslab.model.FormatVersion;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a bound on the format version: a number, as in HDF5's tools, or a name. */
final class FormatBound implements ITypeConverter<FormatVersion> {

  @Override
  public FormatVersion convert(String text) {
    String name = text.toUpperCase(Locale.ROOT);
    if (name.equals("LATEST")) {
      return FormatVersion.LATEST;
    }
    for (FormatVersion version : FormatVersion.values()) {
      if (name.equals(version.name()) || name.equals(Integer.toString(version.ordinal()))) {
        return version;
      }
    }
    throw new TypeConversionException(
        "actual=" + text + ", expected=0..5, EARLIEST, V18, V110, V112, V114, V200 or LATEST");
  }
}
