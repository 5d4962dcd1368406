package org.hyperslab.netcdf.cdl;

import java.util.List;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.netcdf.NetcdfFile;

/**
 * The content of a netCDF file as CDL has it. Elements are read when they are needed.
 *
 * <p>Thread rule: immutable; elements are read by one thread at a time.
 *
 * @param kind the kind of file, as {@code ncdump -k} names it
 * @param root the root group
 * @param leftOut what netCDF cannot represent, a line each, with path and kind
 */
public record CdlFile(Kind kind, Group root, List<String> leftOut) {

  /** The kinds of netCDF files. */
  public enum Kind {
    /** CDF-1, with offsets of 32 bits. */
    CLASSIC("classic"),
    /** CDF-2, with offsets of 64 bits. */
    OFFSET64("64-bit offset"),
    /** CDF-5, with lengths of 64 bits and unsigned types. */
    CDF5("cdf5"),
    /** An HDF5 file of the full model. */
    NETCDF4("netCDF-4"),
    /** An HDF5 file that is restricted to the classic model. */
    NETCDF4_CLASSIC("netCDF-4 classic model");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /**
     * Returns the name.
     *
     * @return what {@code ncdump -k} prints
     */
    public String label() {
      return label;
    }
  }

  /**
   * A group with all that it defines.
   *
   * @param path the absolute path
   * @param name the name; empty for the root group
   * @param types the types that it defines
   * @param dimensions the dimensions that it defines
   * @param variables its variables
   * @param attributes its attributes
   * @param specials what {@code ncdump -s} adds to the attributes
   * @param groups the groups in it
   */
  public record Group(
      String path,
      String name,
      List<Type> types,
      List<Dimension> dimensions,
      List<Variable> variables,
      List<Attribute> attributes,
      List<Special> specials,
      List<Group> groups) {}

  /**
   * A user-defined type.
   *
   * @param group the path of the group that defines it
   * @param name its name
   * @param datatype the datatype
   */
  public record Type(String group, String name, Datatype datatype) {}

  /**
   * A dimension of the file.
   *
   * @param group the path of the group that defines it
   * @param name its name
   * @param length the current length
   * @param unlimited whether it can grow
   */
  public record Dimension(String group, String name, long length, boolean unlimited) {}

  /**
   * An attribute with its elements.
   *
   * @param name its name
   * @param datatype the type of its elements; for text a string of fixed length
   * @param count the number of its elements
   * @param data the elements, in the memory form of the type
   */
  public record Attribute(String name, Datatype datatype, long count, DataBuffer data) {}

  /**
   * A property of the storage, printed as an attribute.
   *
   * @param name the name, such as {@code _ChunkSizes}
   * @param text the value, as printed
   */
  public record Special(String name, String text) {}

  /**
   * A variable without its elements, which are read on request.
   *
   * @param name its name
   * @param datatype the type of its elements
   * @param dimensions the dimensions of its axes, slowest first
   * @param attributes its attributes
   * @param specials what {@code ncdump -s} adds to them
   * @param elements reads elements
   */
  public record Variable(
      String name,
      Datatype datatype,
      List<Dimension> dimensions,
      List<Attribute> attributes,
      List<Special> specials,
      Elements elements) {}

  /** Reads boxes of a variable. */
  @FunctionalInterface
  public interface Elements {

    /**
     * Reads a box within the lengths of the dimensions.
     *
     * @param origin the index of the first element on each axis
     * @param shape the number of elements on each axis; the product is not more than 65,536, or one
     *     element
     * @return the elements in row-major order, in the memory form of the type; the fill value where
     *     none are stored
     */
    DataBuffer read(long[] origin, long[] shape);
  }

  /**
   * Describes a netCDF-4 file.
   *
   * @param file the file, which must stay open while elements are read
   * @return its content
   */
  public static CdlFile of(NetcdfFile file) {
    return NetcdfContent.of(file);
  }
}
