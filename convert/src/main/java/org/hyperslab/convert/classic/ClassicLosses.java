package org.hyperslab.convert.classic;

import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.ClassicType;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;

/**
 * Reports what classic netCDF does not hold, nor the classic model of netCDF-4, with the advice to
 * write netCDF-4 if that holds it.
 *
 * <p>Thread rule: stateless.
 */
public final class ClassicLosses {

  /** What can be done instead of leaving something out. */
  private static final String ADVICE =
      "netCDF-4 holds it, so name the output .nc4 (or use --to netcdf4), or ";

  private ClassicLosses() {}

  /**
   * Reports content that netCDF-4 holds.
   *
   * @param what the content, by name, and the reason
   * @param path the path of the object with this content
   * @param work receives the report
   */
  public static void report(String what, String path, ConversionRun work) {
    work.reportLoss(what, path, ADVICE);
  }

  /**
   * Reports a variable or an attribute of a type that only netCDF-4 holds, or neither.
   *
   * @param whose the variable or attribute, such as "the attribute a"
   * @param type its type
   * @param path the path of the variable, or of the object with the attribute
   * @param work receives the report
   */
  static void reportType(String whose, Datatype type, String path, ConversionRun work) {
    String what = whose + " of type " + type.describe() + ", which classic netCDF does not have";
    work.reportLoss(what, path, isInNetcdf4(type) ? ADVICE : "");
  }

  /** Reports the names of an enumeration that could not become flags. */
  static void reportNames(String whose, EnumType type, String path, ConversionRun work) {
    report(whose + ", with the names of its type " + type.describe(), path, work);
  }

  /** Reports an attribute of several strings. */
  static void reportStrings(AttributeValue attribute, String path, ConversionRun work) {
    report(
        "the attribute " + attribute.name() + " of several strings, " + attribute.type().describe(),
        path,
        work);
  }

  /** Reports a variable of which a dimension has the length 0 and is not that of records. */
  static void reportEmpty(Variable variable, ConversionRun work) {
    report(
        "the variable "
            + variable.name()
            + " of type "
            + variable.type().describe()
            + " without elements, for a dimension of length 0 would become one of records",
        variable.path(),
        work);
  }

  private static boolean isInNetcdf4(Datatype type) {
    return switch (type) {
      case StringType _, VlenStringType _, OpaqueType _ -> true;
      case EnumType t -> isInNetcdf4(t.base());
      case VlenType t -> isInNetcdf4(t.base());
      case CompoundType t ->
          t.members().stream()
              .map(CompoundType.Member::type)
              .allMatch(m -> isInNetcdf4(m instanceof ArrayType a ? a.base() : m));
      default -> ClassicType.of(type).isPresent();
    };
  }
}
