package org.hyperslab.spark.table;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.netcdf.time.CfCalendar;
import org.hyperslab.netcdf.time.CfTime;

/**
 * What the attributes of a dataset say about its numbers: which of them mark missing values, how
 * they are packed, and of which time they tell.
 *
 * <p>Source: NetCDF Users Guide, Attribute Conventions; CF conventions, sections "Packed Data" and
 * "Time Coordinate". As xarray does, {@code valid_range} and default fill values are left alone.
 *
 * @param marks the stored numbers that stand for missing values
 * @param marksNan whether NaN is among them
 * @param scale the factor of packed numbers
 * @param offset what is added to packed numbers after that
 * @param packed whether there is a factor or an offset
 * @param unsigned what the attribute {@code _Unsigned} says, if it is there
 * @param time the times that the numbers stand for
 */
record Decoding(
    List<Number> marks,
    boolean marksNan,
    double scale,
    double offset,
    boolean packed,
    Optional<Boolean> unsigned,
    Optional<CfTime> time) {

  /** Numbers as they are stored. */
  static final Decoding NONE =
      new Decoding(List.of(), false, 1, 0, false, Optional.empty(), Optional.empty());

  /**
   * Reads the attributes of a dataset.
   *
   * @param dataset the dataset
   * @param file the name of its file, for errors
   * @throws InvalidUseException if a factor, an offset or a time cannot be understood
   */
  static Decoding of(Dataset dataset, String file) {
    Datatype type = dataset.type();
    if (!(type instanceof IntegerType) && !(type instanceof FloatType)) {
      return NONE;
    }
    List<Number> marks = new ArrayList<>(numbers(dataset, "_FillValue"));
    marks.addAll(numbers(dataset, "missing_value"));
    boolean nan = marks.removeIf(mark -> Double.isNaN(mark.doubleValue()));
    Optional<CfTime> time = time(dataset, file);
    boolean packed =
        time.isEmpty()
            && (dataset.hasAttribute("scale_factor") || dataset.hasAttribute("add_offset"));
    return new Decoding(
        List.copyOf(marks),
        nan,
        packed ? factor(dataset, "scale_factor", 1, file) : 1,
        packed ? factor(dataset, "add_offset", 0, file) : 0,
        packed,
        unsigned(dataset),
        time);
  }

  private static Optional<Boolean> unsigned(Dataset dataset) {
    return switch (text(dataset, "_Unsigned")) {
      case "true", "True" -> Optional.of(true);
      case "false", "False" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  private static Optional<CfTime> time(Dataset dataset, String file) {
    String units = text(dataset, "units");
    if (!units.contains(" since ")) {
      return Optional.empty();
    }
    String calendar = text(dataset, "calendar");
    try {
      return Optional.of(
          CfTime.of(units, calendar.isEmpty() ? CfCalendar.STANDARD : CfCalendar.of(calendar)));
    } catch (InvalidUseException failure) {
      throw new InvalidUseException(
          failure.getMessage()
              + "; the option decode=false gives the numbers, variable="
              + dataset.path()
              + ", file="
              + file,
          failure);
    }
  }

  private static String text(Dataset dataset, String name) {
    return dataset.hasAttribute(name) && dataset.attribute(name).read() instanceof String text
        ? text
        : "";
  }

  private static double factor(Dataset dataset, String name, double none, String file) {
    if (!dataset.hasAttribute(name)) {
      return none;
    }
    List<Number> numbers = numbers(dataset, name);
    if (numbers.size() != 1) {
      throw new InvalidUseException(
          "attribute "
              + name
              + ": actual="
              + dataset.attribute(name).type().describe()
              + ", expected=one number; the option decode=false gives the numbers as they are stored, variable="
              + dataset.path()
              + ", file="
              + file);
    }
    return numbers.getFirst().doubleValue();
  }

  private static List<Number> numbers(Dataset dataset, String name) {
    if (!dataset.hasAttribute(name)) {
      return List.of();
    }
    Object value = dataset.attribute(name).read();
    List<Number> numbers = new ArrayList<>();
    if (value instanceof Number one) {
      numbers.add(one);
    } else if (value != null && value.getClass().isArray()) {
      for (int i = 0; i < Array.getLength(value); i++) {
        if (Array.get(value, i) instanceof Number one) {
          numbers.add(one);
        }
      }
    }
    return numbers;
  }
}
