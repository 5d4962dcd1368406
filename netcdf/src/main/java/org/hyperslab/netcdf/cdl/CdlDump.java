package org.hyperslab.netcdf.cdl;

import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenType;

/**
 * Writes a file as CDL, byte for byte as {@code ncdump} does.
 *
 * <p>Thread rule: confined to one thread.
 *
 * <p>Source: ncdump of netCDF-C 4.9.
 */
public final class CdlDump {

  /** Where a line of dates begins: behind two tabs, which count as 8 each, and five characters. */
  private static final int DATES_AT = 21;

  private final CdlFile file;
  private final CdlOptions options;
  private final CdlOutput out;
  private final List<CdlFile.Type> types = new ArrayList<>();
  private final Set<String> wanted = new HashSet<>();
  private final boolean classic;
  private final FileTimes times;

  /** The format of floating-point numbers in attributes, which always have a point. */
  private final CdlNumber attributeFloats;

  private final CdlNumber attributeDoubles;
  private final CdlValueText values;

  private CdlDump(CdlFile file, CdlOptions options, OutputStream out) {
    this.file = file;
    this.options = options;
    this.out = new CdlOutput(out, options.lineBytes() - 2);
    this.classic = file.kind() != CdlFile.Kind.NETCDF4;
    this.times = new FileTimes(file.root(), options.times());
    int floats = options.floatDigits() == 0 ? 7 : options.floatDigits();
    int doubles = options.doubleDigits() == 0 ? 15 : options.doubleDigits();
    this.attributeFloats = CdlNumber.of("%#." + floats + "g").orElseThrow();
    this.attributeDoubles = CdlNumber.of("%#." + doubles + "g").orElseThrow();
    this.values = new CdlValueText(CdlNumber.digits(floats), CdlNumber.digits(doubles));
  }

  /**
   * Writes a file.
   *
   * @param file the content
   * @param options what is written
   * @param out receives UTF-8; is not closed
   * @throws NotFoundException if the options name a variable that does not exist
   * @throws java.io.UncheckedIOException if {@code out} fails
   */
  public static void write(CdlFile file, CdlOptions options, OutputStream out) {
    CdlDump dump = new CdlDump(file, options, out);
    dump.collect(file.root());
    dump.requireVariables();
    dump.out.print("netcdf " + CdlNames.escaped(options.name()) + " {\n");
    dump.group(file.root(), List.of());
    dump.out.line("}\n");
    dump.out.flush();
  }

  // --- what is asked for ---

  private void collect(CdlFile.Group group) {
    types.addAll(group.types());
    group.groups().forEach(this::collect);
  }

  private void requireVariables() {
    Set<String> found = new HashSet<>();
    find(file.root(), found);
    for (String name : options.variables()) {
      if (!found.contains(name)) {
        throw new NotFoundException(
            "variable: actual=none of the name " + name + ", expected=one of the file");
      }
    }
  }

  private void find(CdlFile.Group group, Set<String> found) {
    for (CdlFile.Variable variable : group.variables()) {
      String path = path(group, variable);
      for (String name : options.variables()) {
        boolean isPath = path.equals(name) || path.equals("/" + name);
        if (isPath || variable.name().equals(name)) {
          found.add(name);
          wanted.add(path);
        }
      }
    }
    group.groups().forEach(below -> find(below, found));
  }

  private static String path(CdlFile.Group group, CdlFile.Variable variable) {
    return (group.path().equals("/") ? "" : group.path()) + "/" + variable.name();
  }

  // --- groups ---

  private void group(CdlFile.Group group, List<CdlFile.Group> above) {
    List<CdlFile.Group> scope = new ArrayList<>(above);
    scope.add(group);
    types(group, scope);
    dimensions(group);
    if (!group.variables().isEmpty()) {
      out.line("variables:\n");
    }
    group.variables().forEach(variable -> declaration(variable, scope));
    attributes(group, scope);
    if (options.data() != CdlOptions.Data.NONE) {
      data(group, scope);
    }
    for (CdlFile.Group below : group.groups()) {
      out.print("\n");
      out.line("group: " + CdlNames.escaped(below.name()) + " {\n");
      out.indentMore();
      group(below, scope);
      out.line("} // group " + CdlNames.escaped(below.name()) + "\n");
      out.indentLess();
    }
  }

  private void dimensions(CdlFile.Group group) {
    if (!group.dimensions().isEmpty()) {
      out.line("dimensions:\n");
    }
    for (CdlFile.Dimension dimension : group.dimensions()) {
      String length =
          dimension.unlimited()
              ? "UNLIMITED ; // (" + dimension.length() + " currently)"
              : dimension.length() + " ;";
      out.line("\t" + CdlNames.escaped(dimension.name()) + " = " + length + "\n");
    }
  }

  private void declaration(CdlFile.Variable variable, List<CdlFile.Group> scope) {
    String name = CdlNames.escaped(variable.name());
    List<String> axes = variable.dimensions().stream().map(axis -> reference(axis, scope)).toList();
    String shape = axes.isEmpty() ? "" : "(" + String.join(", ", axes) + ")";
    out.line("\t" + typeName(variable.datatype(), scope) + " " + name + shape + " ;\n");
    Optional<TimeText> time = times.ofAttributes(variable);
    for (CdlFile.Attribute attribute : variable.attributes()) {
      attribute(variable.name(), attribute, scope);
      boolean isNumber =
          attribute.datatype() instanceof IntegerType || attribute.datatype() instanceof FloatType;
      if (time.isPresent() && isNumber && attribute.count() > 0) {
        dates(attribute, time.get());
      }
      out.print("\n");
    }
    if (options.specials()) {
      variable.specials().forEach(special -> special(name, special));
    }
  }

  /** A dimension that another one hides, or that is not in scope, is named with its group. */
  private static String reference(CdlFile.Dimension dimension, List<CdlFile.Group> scope) {
    for (CdlFile.Group group : scope.reversed()) {
      for (CdlFile.Dimension found : group.dimensions()) {
        if (found.name().equals(dimension.name())) {
          return group.path().equals(dimension.group())
              ? CdlNames.escaped(dimension.name())
              : qualified(dimension.group(), dimension.name());
        }
      }
    }
    return qualified(dimension.group(), dimension.name());
  }

  private static String qualified(String group, String name) {
    String prefix = group.equals("/") ? "/" : CdlNames.escaped(group) + "/";
    return prefix + CdlNames.escaped(name);
  }

  // --- attributes ---

  private void attributes(CdlFile.Group group, List<CdlFile.Group> scope) {
    boolean isRoot = scope.size() == 1;
    if (!group.attributes().isEmpty() || options.specials()) {
      out.print("\n");
      out.line(isRoot ? "// global attributes:\n" : "// group attributes:\n");
    }
    for (CdlFile.Attribute attribute : group.attributes()) {
      attribute("", attribute, scope);
      out.print("\n");
    }
    if (isRoot && options.specials()) {
      group.specials().forEach(special -> special("", special));
      special("", new CdlFile.Special("_Format", '"' + file.kind().label() + '"'));
    }
  }

  private void special(String escapedOwner, CdlFile.Special special) {
    out.line("\t\t" + escapedOwner + ":" + special.name() + " = " + special.text() + " ;\n");
  }

  private void attribute(String owner, CdlFile.Attribute attribute, List<CdlFile.Group> scope) {
    Datatype type = attribute.datatype();
    String primitive = CdlNames.primitive(type);
    boolean isString = isStrings(attribute);
    boolean isEmpty = attribute.count() == 0;
    String prefix = primitive == null || isString ? typeName(type, scope) + " " : "";
    out.line(
        "\t\t"
            + (isString ? "string " : prefix)
            + CdlNames.escaped(owner)
            + (CdlNames.isSection(owner) ? " " : "")
            + ":"
            + CdlNames.escaped(attribute.name())
            + " = ");
    if (isEmpty) {
      out.print("\"\"");
    } else if (type instanceof CompoundType || type instanceof VlenType) {
      wrapped(attribute);
    } else {
      out.print(list(attribute, isString));
    }
    out.print(" ;");
  }

  /** Writes the dates of numbers as a comment; more than two are written on lines of their own. */
  private void dates(CdlFile.Attribute attribute, TimeText time) {
    Datatype memory = attribute.datatype().inMemory();
    boolean isLong = attribute.count() > 2;
    int most = options.lineBytes();
    int position = most;
    for (long i = 0; i < attribute.count(); i++) {
      String end = i < attribute.count() - 1 ? "," : "";
      String date =
          VariableText.date(memory, attribute.data(), i * memory.size(), time, values) + end;
      if (!isLong) {
        out.print((i == 0 ? " // " : " ") + date);
      } else if (i == 0 || position + 1 + date.length() > most) {
        out.print("\n");
        out.line("\t\t  // " + date);
        position = DATES_AT + date.length();
      } else {
        out.print(" " + date);
        position += 1 + date.length();
      }
    }
  }

  /** A single string of fixed length is characters, several are strings. */
  private static boolean isStrings(CdlFile.Attribute attribute) {
    return attribute.datatype() instanceof StringType text
        ? text.size() > 1 && attribute.count() > 1
        : "string".equals(CdlNames.primitive(attribute.datatype()));
  }

  private void wrapped(CdlFile.Attribute attribute) {
    Datatype memory = attribute.datatype().inMemory();
    for (long i = 0; i < attribute.count(); i++) {
      String text = values.text(memory, attribute.data(), i * memory.size());
      out.value(i < attribute.count() - 1 ? text + ", " : text);
    }
  }

  private String list(CdlFile.Attribute attribute, boolean isString) {
    if (attribute.datatype() instanceof StringType && !isString) {
      return CdlText.attribute(attribute.data().elements().toArray(ValueLayout.JAVA_BYTE), classic);
    }
    Datatype memory = attribute.datatype().inMemory();
    StringBuilder list = new StringBuilder();
    for (long i = 0; i < attribute.count(); i++) {
      list.append(i == 0 ? "" : ", ");
      list.append(attributeValue(memory, attribute, i * memory.size()));
    }
    return list.toString();
  }

  private String attributeValue(Datatype memory, CdlFile.Attribute attribute, long at) {
    return switch (memory) {
      case IntegerType number ->
          CdlValueText.integer(number, attribute.data().elements(), at) + suffix(number);
      case FloatType number -> {
        double value = CdlValueText.number(number, attribute.data().elements(), at);
        boolean single = number.size() == 4;
        if (!Double.isFinite(value)) {
          yield values.real(value, single);
        }
        String text = (single ? attributeFloats : attributeDoubles).text(value);
        yield CdlNumber.trimmed(text, true) + (single ? "f" : "");
      }
      default -> {
        String text = values.text(memory, attribute.data(), at);
        yield memory instanceof EnumType ? CdlNames.escaped(text) : text;
      }
    };
  }

  private static String suffix(IntegerType type) {
    String signed =
        switch (type.size()) {
          case 1 -> "b";
          case 2 -> "s";
          case 4 -> "";
          default -> "LL";
        };
    return type.signed() ? signed : type.size() == 1 ? "UB" : "U" + signed.toUpperCase(Locale.ROOT);
  }

  // --- types ---

  private void types(CdlFile.Group group, List<CdlFile.Group> scope) {
    if (group.types().isEmpty()) {
      return;
    }
    out.line("types:\n");
    out.indentMore();
    group.types().forEach(type -> type(type, scope));
    out.indentLess();
  }

  private void type(CdlFile.Type type, List<CdlFile.Group> scope) {
    String name = CdlNames.escaped(type.name());
    switch (type.datatype()) {
      case VlenType sequence -> out.line(typeName(sequence.base(), scope) + "(*) " + name + " ;\n");
      case OpaqueType opaque -> out.line("opaque(" + opaque.size() + ") " + name + " ;\n");
      case EnumType names -> enumeration(names, name);
      case CompoundType compound -> compound(compound, name, scope);
      default -> {
        // other committed types are no types of netCDF
      }
    }
  }

  private void enumeration(EnumType type, String name) {
    out.line("");
    out.value(CdlNames.primitive(type.base()) + " enum " + name + " {");
    for (int i = 0; i < type.constants().size(); i++) {
      EnumType.Constant constant = type.constants().get(i);
      String end = i < type.constants().size() - 1 ? ", " : "} ;\n";
      out.value(CdlNames.escaped(constant.name()) + " = " + constant.value() + end);
    }
  }

  private void compound(CompoundType type, String name, List<CdlFile.Group> scope) {
    out.line("compound " + name + " {\n");
    for (CompoundType.Member member : type.members()) {
      Datatype base = member.type();
      String shape = "";
      if (base instanceof ArrayType array) {
        String lengths = array.dimensions().toString();
        shape = "(" + lengths.substring(1, lengths.length() - 1) + ")";
        base = array.base();
      }
      String field = CdlNames.escaped(member.name());
      out.line("  " + typeName(base, scope) + " " + field + shape + " ;\n");
    }
    out.line("}; // " + name + "\n");
  }

  /** Returns the name of a type, with its group if it is not in scope. */
  private String typeName(Datatype datatype, List<CdlFile.Group> scope) {
    String primitive = CdlNames.primitive(datatype);
    if (primitive != null) {
      return primitive;
    }
    for (CdlFile.Type type : types) {
      if (type.datatype().equals(datatype)) {
        boolean inScope =
            scope.stream()
                .flatMap(group -> group.types().stream())
                .anyMatch(each -> each.name().equals(type.name()));
        return inScope ? CdlNames.escaped(type.name()) : qualified(type.group(), type.name());
      }
    }
    return datatype.describe();
  }

  // --- data ---

  private void data(CdlFile.Group group, List<CdlFile.Group> scope) {
    if (!group.variables().isEmpty()) {
      out.line("data:\n");
    }
    for (CdlFile.Variable variable : group.variables()) {
      boolean isWanted = wanted.contains(path(group, variable));
      boolean isNamed = options.variables().isEmpty() || isWanted;
      boolean isMeant = options.data() == CdlOptions.Data.ALL || isCoordinate(variable, scope);
      boolean hasData = variable.dimensions().stream().allMatch(axis -> axis.length() > 0);
      if (isNamed && isMeant && hasData) {
        IndexNotes notes = new IndexNotes(options.annotations());
        new DataLines(variable, variableText(variable), out, notes).write();
      }
    }
  }

  private static boolean isCoordinate(CdlFile.Variable variable, List<CdlFile.Group> scope) {
    return variable.dimensions().size() == 1
        && scope.stream()
            .flatMap(group -> group.dimensions().stream())
            .anyMatch(dimension -> dimension.name().equals(variable.name()));
  }

  /** Returns the format of a variable's elements. */
  private VariableText variableText(CdlFile.Variable variable) {
    boolean isPrecise =
        variable.datatype() instanceof FloatType number
            && (number.size() == 4 ? options.floatDigits() : options.doubleDigits()) > 0;
    return VariableText.of(variable, values, isPrecise, times.ofElements(variable));
  }
}
