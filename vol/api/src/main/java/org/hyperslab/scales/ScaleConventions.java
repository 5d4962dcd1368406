package org.hyperslab.scales;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.Group;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.TimeType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.vol.StepTable;

/**
 * The names and texts by which netCDF-4 keeps dimensions in an HDF5 file, and the datasets and
 * attributes that it writes for them.
 *
 * <p>Thread rule: stateless; calls for one object must not overlap.
 *
 * <p>Source: netCDF-4 File Format Specification (Unidata); hl/src/H5DS.c.
 */
public final class ScaleConventions {

  /** The attribute of a root group that restricts its file to the classic model. */
  public static final String STRICT = "_nc3_strict";

  /** The group of the table of steps, which netCDF does not show. */
  public static final String STEPS = StepTable.GROUP;

  /** The attribute of a root group that names the program that made its file. */
  public static final String PROPERTIES = "_NCProperties";

  static final String CLASS = "CLASS";
  static final String NAME = "NAME";
  static final String DIMENSION_LIST = "DIMENSION_LIST";
  static final String DIMENSION_ID = "_Netcdf4Dimid";
  static final String COORDINATES = "_Netcdf4Coordinates";
  static final String NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable.";

  private static final String NOT_COORDINATE = "_nc4_non_coord_";

  private static final Set<String> HIDDEN =
      Set.of(
          CLASS,
          NAME,
          DIMENSION_LIST,
          "REFERENCE_LIST",
          DIMENSION_ID,
          COORDINATES,
          STRICT,
          PROPERTIES);

  private ScaleConventions() {}

  // --- names ---

  /**
   * Returns whether an attribute only stores dimensions, and does not describe the data.
   *
   * @param attribute the name of the attribute
   * @return whether users of the model do not see it
   */
  public static boolean isHidden(String attribute) {
    return HIDDEN.contains(attribute);
  }

  /**
   * Returns whether an attribute stores dimensions: it has one of the names for that, and a type
   * with which it can. Other conventions may use such a name with another type.
   *
   * @param attribute the name of the attribute
   * @param type its type
   * @return whether it is one of those that netCDF-4 and dimension scales write
   */
  public static boolean isOwn(String attribute, Datatype type) {
    return switch (attribute) {
      case DIMENSION_LIST -> type instanceof VlenType;
      case "REFERENCE_LIST" -> type instanceof CompoundType;
      case DIMENSION_ID, COORDINATES, STRICT -> type instanceof IntegerType;
      case CLASS, NAME, PROPERTIES -> type instanceof StringType || type instanceof VlenStringType;
      default -> false;
    };
  }

  /**
   * Returns whether a name of a link is reserved for a variable that has the name of a dimension
   * without being its coordinate variable.
   *
   * @param linkName the name of the link
   * @return whether it begins as such names do
   */
  public static boolean isReserved(String linkName) {
    return linkName.startsWith(NOT_COORDINATE);
  }

  /**
   * Returns the name of the link of a variable that has the name of a dimension without being its
   * coordinate variable.
   *
   * @param name the name of the variable
   * @return the name of the link
   */
  public static String reserved(String name) {
    return NOT_COORDINATE + name;
  }

  /**
   * Returns the name of a variable.
   *
   * @param linkName the name of the link of its dataset
   * @return the same, without the prefix of a reserved name
   */
  public static String variableName(String linkName) {
    return isReserved(linkName) ? linkName.substring(NOT_COORDINATE.length()) : linkName;
  }

  // --- datasets that are variables ---

  /**
   * Returns why a dataset is no variable of netCDF-4.
   *
   * @param dataset the dataset, open
   * @return the reason; empty if netCDF-4 has its type
   */
  public static Optional<String> foreign(Dataset dataset) {
    if (dataset.space().kind() == Dataspace.Kind.NULL) {
      return Optional.of("a null dataspace");
    }
    return isForeign(dataset.type())
        ? Optional.of("the type " + dataset.type().describe())
        : Optional.empty();
  }

  private static boolean isForeign(Datatype type) {
    return switch (type) {
      case ReferenceType _, BitfieldType _, TimeType _ -> true;
      case CompoundType compound ->
          compound.members().stream().anyMatch(member -> isForeign(member.type()));
      case ArrayType array -> isForeign(array.base());
      case VlenType vlen -> isForeign(vlen.base());
      default -> false;
    };
  }

  // --- fill values ---

  /**
   * Returns the value that netCDF gives to elements of a variable that were never written.
   *
   * @param type the type of the variable
   * @return the value; zeros for user types
   */
  public static FillValue.Value standardFill(Datatype type) {
    return StandardFill.of(type);
  }

  /**
   * Returns the value of elements beyond the end of a dataset that is shorter than the unlimited
   * dimension of its variable.
   *
   * @param type the type of the dataset
   * @param stored the fill value of the dataset
   * @return its own fill value, otherwise the one of netCDF
   */
  public static FillValue.Value fillBeyond(Datatype type, FillValue stored) {
    return stored instanceof FillValue.Value value ? value : standardFill(type);
  }

  // --- writing ---

  /**
   * Creates the dataset that stands for a dimension without a coordinate variable.
   *
   * @param group the group of the dimension, open
   * @param linkName the name of the dimension
   * @param length the length in elements; {@link Dataspace#UNLIMITED} for an unlimited dimension,
   *     which is as long as the longest variable
   * @param number the number of the dimension in the file, from 0
   * @return the dataset, open; closed by the caller
   */
  public static Dataset createScale(Group group, String linkName, long length, int number) {
    DatasetOptions.Builder options =
        DatasetOptions.builder().attributes(AttributeStorage.DEFAULT.withCreationOrder());
    boolean unlimited = length == Dataspace.UNLIMITED;
    long[] dims = {unlimited ? 0 : length};
    Dataspace space = Dataspace.simple(dims);
    if (unlimited) {
      space = Dataspace.simple(dims, new long[] {Dataspace.UNLIMITED});
      options.chunked(1);
    }
    Dataset scale =
        group
            .datasetBuilder(linkName)
            .type(Datatypes.F32BE)
            .space(space)
            .options(options.build())
            .create();
    DimensionScales.makeScale(scale, NO_VARIABLE + String.format(Locale.ROOT, "%10d", dims[0]));
    setNumber(scale, number);
    return scale;
  }

  /**
   * Makes a coordinate variable the scale of its dimension. It must not have scales itself.
   *
   * @param variable the dataset of the variable, open
   * @param name the name of the dimension
   * @param number the number of the dimension in the file, from 0
   */
  public static void makeCoordinate(Dataset variable, String name, int number) {
    DimensionScales.makeScale(variable, name);
    setNumber(variable, number);
  }

  /**
   * Sets the number of the dimension that a scale stands for. All scales of a file have one, or
   * none has.
   *
   * @param scale the scale, open
   * @param number the number in the file, from 0
   */
  public static void setNumber(Dataset scale, int number) {
    scale.setAttribute(DIMENSION_ID, number);
  }

  /**
   * Removes the number of a dataset that is no longer a scale, if it has one.
   *
   * @param dataset the dataset, open
   */
  public static void removeNumber(Dataset dataset) {
    if (dataset.hasAttribute(DIMENSION_ID)) {
      dataset.deleteAttribute(DIMENSION_ID);
    }
  }

  /**
   * Sets the numbers of the dimensions of a variable. A coordinate variable of several dimensions
   * needs them, because scales have no scales.
   *
   * @param variable the dataset of the variable, open
   * @param numbers a number for each axis, slowest first
   */
  public static void setAxes(Dataset variable, int... numbers) {
    variable.setAttribute(COORDINATES, numbers);
  }
}
