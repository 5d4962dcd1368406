package org.hyperslab.netcdf.cdl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.StringType;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.netcdf.NetcdfGroup;
import org.hyperslab.netcdf.NetcdfTypes;

/**
 * Makes netCDF files of CDL, as {@code ncgen} does.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class CdlGenerator {

  private static final List<Datatype> CLASSIC =
      List.of(
          NetcdfTypes.BYTE,
          NetcdfTypes.CHAR,
          NetcdfTypes.SHORT,
          NetcdfTypes.INT,
          NetcdfTypes.FLOAT,
          NetcdfTypes.DOUBLE);

  private final CdlParser.Parsed parsed;

  private CdlGenerator(CdlParser.Parsed parsed) {
    this.parsed = parsed;
  }

  /**
   * Parses CDL without creating a file.
   *
   * @param cdl the text, in UTF-8
   * @return what it describes
   * @throws InvalidUseException if it violates CDL's grammar, or uses a name that it does not
   *     define; the message has the line
   * @throws org.hyperslab.error.LimitExceededException if groups, types or values are nested more
   *     than 100 deep, or a type has more than 65,536 fields or 16 MiB
   */
  public static CdlGenerator of(byte[] cdl) {
    return new CdlGenerator(CdlParser.parse(NameBytes.decode(cdl)));
  }

  /**
   * Returns the name of the dataset.
   *
   * @return the name behind the word "netcdf"
   */
  public String name() {
    return parsed.name();
  }

  /**
   * Returns the kind of file that the text asks for by the attribute {@code _Format}.
   *
   * @return that kind, or else netCDF-4 if the classic model cannot hold the content, and otherwise
   *     classic
   * @throws InvalidUseException if {@code _Format} names no kind
   */
  public CdlFile.Kind kind() {
    CdlDraft.Attribute format = parsed.root().attributes.get("_Format");
    if (format != null) {
      return named(format);
    }
    return isClassic(parsed.root()) ? CdlFile.Kind.CLASSIC : CdlFile.Kind.NETCDF4;
  }

  private static CdlFile.Kind named(CdlDraft.Attribute format) {
    ConstantEncoder encoder = new ConstantEncoder("_Format", format.line());
    String label = NameBytes.decode(encoder.joined(format.values()));
    return switch (label) {
      case "64-bit-offset" -> CdlFile.Kind.OFFSET64;
      case "64-bit-data", "64-bit data" -> CdlFile.Kind.CDF5;
      case "netCDF-4 classic" -> CdlFile.Kind.NETCDF4_CLASSIC;
      default ->
          Stream.of(CdlFile.Kind.values())
              .filter(kind -> kind.label().equalsIgnoreCase(label))
              .findFirst()
              .orElseThrow(() ->
                  encoder.wrong(
                      label,
                      "one of "
                          + Arrays.stream(CdlFile.Kind.values())
                              .map(CdlFile.Kind::label)
                              .toList()));
    };
  }

  private static boolean isClassic(CdlDraft.Group root) {
    List<CdlDraft.Attribute> attributes = new ArrayList<>(root.attributes.values());
    root.variables.values().forEach(variable -> attributes.addAll(variable.attributes.values()));
    return root.groups.isEmpty()
        && root.types.isEmpty()
        && root.dimensions.values().stream().filter(CdlDraft.Dimension::isUnlimited).count() <= 1
        && root.variables.values().stream().allMatch(variable -> CLASSIC.contains(variable.type))
        && attributes.stream().allMatch(a -> a.type().isEmpty() || CLASSIC.contains(a.type().get()))
        && attributes.stream().noneMatch(a -> isWide(a));
  }

  private static boolean isWide(CdlDraft.Attribute attribute) {
    return attribute.values().stream()
        .anyMatch(value ->
            value instanceof CdlConstant.Whole whole
                && CdlParser.primitive(whole.type()).filter(CLASSIC::contains).isEmpty());
  }

  /**
   * Fills a file.
   *
   * @param file a file that was just created, which stays open
   * @throws InvalidUseException if a value does not fit its type, or the model of the file forbids
   *     something
   */
  public void write(NetcdfFile file) {
    define(parsed.root(), file.root());
    fill(parsed.root(), file.root());
  }

  private static void define(CdlDraft.Group draft, NetcdfGroup group) {
    for (CdlDraft.Type type : draft.types.values()) {
      CdlLexer.atLine(type.line(), () -> group.defineType(type.name(), type.datatype()));
    }
    for (CdlDraft.Dimension dimension : draft.dimensions.values()) {
      CdlLexer.atLine(
          dimension.line(),
          () ->
              dimension.isUnlimited()
                  ? group.createUnlimitedDimension(dimension.name())
                  : group.createDimension(dimension.name(), dimension.length()));
    }
    for (CdlDraft.Variable variable : draft.variables.values()) {
      new VariableBuilder(variable, group).define();
    }
    for (CdlDraft.Attribute attribute : draft.attributes.values()) {
      if (!AttributeBuilder.isOfStorage(attribute.name())) {
        new AttributeBuilder(attribute, group).set(Optional.empty());
      }
    }
    for (CdlDraft.Group below : draft.groups.values()) {
      define(below, CdlLexer.atLine(below.line, () -> group.createGroup(below.name)));
    }
  }

  private static void fill(CdlDraft.Group draft, NetcdfGroup group) {
    draft.variables.values().forEach(variable -> new VariableBuilder(variable, group).fill());
    draft.groups.values().forEach(below -> fill(below, group.group(below.name)));
  }

  /** Returns whether a type is NC_CHAR. */
  static boolean isCharacters(Datatype type) {
    return type instanceof StringType;
  }
}
