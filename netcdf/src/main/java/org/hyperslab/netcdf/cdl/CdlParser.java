package org.hyperslab.netcdf.cdl;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.netcdf.NetcdfTypes;

/**
 * Reads CDL, which has this grammar; attributes may also stand in the sections of types and
 * dimensions, and behind groups.
 *
 * <pre>
 * file      = "netcdf" name body
 * body      = "{" attributes [types] [dimensions] [variables] [data] {"group:" name body} "}"
 * types     = "types:" {type "enum" name "{" name "=" integer, ... "}" | "opaque" "(" size ")" name
 *           | type "(" "*" ")" name | "compound" name "{" {type field["(" lengths ")"], ... ";"} "}"}
 * dimensions = "dimensions:" {name "=" (length | "UNLIMITED"), ... ";"}
 * variables = "variables:" {type name["(" dimensions ")"], ... ";" | attribute ";"}
 * attribute = [type] [variable] ":" name "=" values
 * data      = "data:" {variable "=" values ";"}
 * values    = value {"," value};  value = constant | "{" [values] "}"
 * </pre>
 *
 * <p>Thread rule: confined to one thread.
 *
 * <p>Source: The NetCDF User's Guide, "The CDL Language"; ncgen of netCDF-C 4.9.
 */
final class CdlParser {

  private static final int DEEPEST = 100;

  private final CdlLexer lexer;
  private final String name;
  private CdlToken token;

  private CdlParser(String text) {
    this.lexer = new CdlLexer(text);
    this.name = lexer.datasetName();
    advance();
  }

  /**
   * The content of a text.
   *
   * @param name the name of the dataset
   * @param root the root group
   */
  record Parsed(String name, CdlDraft.Group root) {}

  /** Reads a text. */
  static Parsed parse(String text) {
    CdlParser parser = new CdlParser(text);
    CdlDraft.Group root = new CdlDraft.Group("", null);
    parser.body(root, 0);
    if (parser.token.kind() != CdlToken.Kind.END) {
      throw parser.unexpected("the end of the text");
    }
    return new Parsed(parser.name, root);
  }

  // --- tokens ---

  private CdlToken advance() {
    CdlToken read = token;
    token = lexer.next();
    return read;
  }

  private InvalidUseException unexpected(String expected) {
    return CdlLexer.wrong(token.text(), expected, token.line());
  }

  private boolean accept(String sign) {
    boolean isThere = token.is(sign);
    if (isThere) {
      advance();
    }
    return isThere;
  }

  private void require(String sign) {
    if (!accept(sign)) {
      throw unexpected(sign);
    }
  }

  private String name(String what) {
    if (token.kind() != CdlToken.Kind.NAME) {
      throw unexpected("the name of " + what);
    }
    return advance().text();
  }

  private boolean isWord(String word) {
    return token.kind() == CdlToken.Kind.NAME && token.text().equals(word);
  }

  private long number(String what, long least, long most) {
    if (token.value() instanceof CdlConstant.Whole whole) {
      BigInteger value = whole.value();
      boolean inRange =
          value.compareTo(BigInteger.valueOf(least)) >= 0
              && value.compareTo(BigInteger.valueOf(most)) <= 0;
      if (inRange) {
        advance();
        return value.longValue();
      }
    }
    throw unexpected(what + ", " + least + " to " + most);
  }

  private static void requireDepth(int depth, String what) {
    if (depth > DEEPEST) {
      throw new LimitExceededException(
          "CDL: actual=" + what + " nested more than " + DEEPEST + " deep, expected=fewer levels");
    }
  }

  // --- groups ---

  private void body(CdlDraft.Group group, int depth) {
    requireDepth(depth, "groups");
    require("{");
    attributes(group);
    if (token.isSection("types")) {
      advance();
      while (!isSectionEnd()) {
        type(group);
      }
    }
    if (token.isSection("dimensions")) {
      advance();
      while (!isSectionEnd()) {
        dimensions(group);
      }
    }
    if (token.isSection("variables")) {
      advance();
      while (!isSectionEnd()) {
        variables(group);
      }
    }
    attributes(group);
    if (token.isSection("data")) {
      advance();
      while (!isSectionEnd()) {
        data(group);
      }
    }
    while (token.isSection("group")) {
      advance();
      String member = name("a group");
      if (group.group(member).isPresent()) {
        throw unexpected("a group of another name than " + member);
      }
      CdlDraft.Group below = new CdlDraft.Group(member, group);
      group.groups.add(below);
      body(below, depth + 1);
      attributes(group);
    }
    require("}");
  }

  private boolean isSectionEnd() {
    return token.kind() == CdlToken.Kind.SECTION
        || token.is("}")
        || token.kind() == CdlToken.Kind.END;
  }

  private void attributes(CdlDraft.Group group) {
    while (token.is(":") || token.kind() == CdlToken.Kind.NAME) {
      variables(group);
    }
  }

  // --- types ---

  private void type(CdlDraft.Group group) {
    if (token.is(":")) {
      groupAttribute(group, Optional.empty());
      return;
    }
    if (isWord("compound") || isWord("struct") || isWord("structure")) {
      advance();
      compound(group);
    } else if (isWord("opaque")) {
      advance();
      require("(");
      int size = (int) number("a size", 1, Integer.MAX_VALUE);
      require(")");
      add(group, name("a type"), Datatypes.opaque(size, ""), 1);
    } else {
      CdlDraft.Type base = typeReference(group);
      if (isWord("enum")) {
        advance();
        enumeration(group, base.datatype());
      } else if (token.is(":")) {
        groupAttribute(group, Optional.of(base.datatype()));
        return;
      } else {
        require("(");
        require("*");
        require(")");
        add(group, name("a type"), Datatypes.vlen(base.datatype()), base.depth() + 1);
      }
    }
    accept(";");
  }

  private void add(CdlDraft.Group group, String typeName, Datatype datatype, int depth) {
    requireDepth(depth, "types");
    if (group.types.stream().anyMatch(each -> each.name().equals(typeName))) {
      throw unexpected("a type of another name than " + typeName);
    }
    group.types.add(new CdlDraft.Type(typeName, datatype, depth));
  }

  private void enumeration(CdlDraft.Group group, Datatype base) {
    if (!(base instanceof IntegerType integer)) {
      throw unexpected("a type of integers before enum");
    }
    String typeName = name("a type");
    EnumType.Builder constants = EnumType.builder(integer);
    require("{");
    do {
      String constant = name("a value");
      require("=");
      constants.constant(constant, number("a value", Long.MIN_VALUE, Long.MAX_VALUE));
    } while (accept(","));
    require("}");
    add(group, typeName, constants.build(), 1);
  }

  private void compound(CdlDraft.Group group) {
    String typeName = name("a type");
    CompoundType.Builder members = CompoundType.builder();
    int depth = 1;
    require("{");
    while (!token.is("}")) {
      CdlDraft.Type base = typeReference(group);
      depth = Math.max(depth, base.depth() + 1);
      do {
        String field = name("a field");
        members.member(field, fieldType(base.datatype()));
      } while (accept(","));
      require(";");
    }
    require("}");
    add(group, typeName, members.build(), depth);
  }

  private Datatype fieldType(Datatype base) {
    if (!accept("(")) {
      return base;
    }
    List<Integer> lengths = new ArrayList<>();
    do {
      lengths.add((int) number("a length", 1, Integer.MAX_VALUE));
    } while (accept(","));
    require(")");
    return Datatypes.array(base, lengths.stream().mapToInt(Integer::intValue).toArray());
  }

  private CdlDraft.Type typeReference(CdlDraft.Group group) {
    CdlToken reference = advance();
    return findType(group, reference)
        .orElseThrow(() -> CdlLexer.wrong(reference.text(), "the name of a type", reference.line()));
  }

  private static Optional<CdlDraft.Type> findType(CdlDraft.Group group, CdlToken reference) {
    if (reference.kind() == CdlToken.Kind.NAME) {
      Optional<Datatype> primitive = primitive(reference.text());
      if (primitive.isPresent()) {
        return primitive.map(type -> new CdlDraft.Type(reference.text(), type, 0));
      }
    }
    return find(group, reference, member ->
        scope -> scope.types.stream().filter(each -> each.name().equals(member)));
  }

  /** Returns the datatype of a CDL word. */
  static Optional<Datatype> primitive(String word) {
    return Optional.ofNullable(
        switch (word) {
          case "byte" -> NetcdfTypes.BYTE;
          case "char" -> NetcdfTypes.CHAR;
          case "short" -> NetcdfTypes.SHORT;
          case "int", "long", "integer" -> NetcdfTypes.INT;
          case "float", "real" -> NetcdfTypes.FLOAT;
          case "double" -> NetcdfTypes.DOUBLE;
          case "ubyte" -> NetcdfTypes.UBYTE;
          case "ushort" -> NetcdfTypes.USHORT;
          case "uint", "ulong", "uinteger" -> NetcdfTypes.UINT;
          case "int64" -> NetcdfTypes.INT64;
          case "uint64" -> NetcdfTypes.UINT64;
          case "string" -> NetcdfTypes.STRING;
          default -> null;
        });
  }

  /** Finds a member by a path, or by a name in a group and then in those above. */
  private static <T> Optional<T> find(
      CdlDraft.Group group,
      CdlToken reference,
      Function<String, Function<CdlDraft.Group, Stream<T>>> members) {
    if (reference.kind() == CdlToken.Kind.NAME) {
      for (CdlDraft.Group scope = group; scope != null; scope = scope.parent) {
        Optional<T> found = members.apply(reference.text()).apply(scope).findFirst();
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    }
    if (reference.kind() != CdlToken.Kind.PATH) {
      return Optional.empty();
    }
    String[] parts = reference.text().substring(1).split("/", -1);
    CdlDraft.Group scope = group.root();
    for (int i = 0; i < parts.length - 1; i++) {
      Optional<CdlDraft.Group> next = scope.group(parts[i]);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      scope = next.get();
    }
    return members.apply(parts[parts.length - 1]).apply(scope).findFirst();
  }

  // --- dimensions ---

  private void dimensions(CdlDraft.Group group) {
    if (token.is(":")) {
      groupAttribute(group, Optional.empty());
      return;
    }
    CdlToken first = token;
    String dimension = name("a dimension");
    if (token.is(":")) {
      groupAttribute(group, Optional.of(type(group, first)));
      return;
    }
    dimension(group, dimension);
    while (accept(",")) {
      dimension(group, name("a dimension"));
    }
    require(";");
  }

  private void dimension(CdlDraft.Group group, String dimension) {
      if (group.dimensions.stream().anyMatch(each -> each.name().equals(dimension))) {
        throw unexpected("a dimension of another name than " + dimension);
      }
      require("=");
      boolean isUnlimited = isWord("UNLIMITED") || isWord("unlimited");
      long length = isUnlimited ? -1 : number("a length or UNLIMITED", 0, Long.MAX_VALUE);
      if (isUnlimited) {
        advance();
      }
      group.dimensions.add(new CdlDraft.Dimension(group, dimension, length));
  }

  // --- variables and attributes ---

  private void variables(CdlDraft.Group group) {
    if (token.is(":")) {
      groupAttribute(group, Optional.empty());
      return;
    }
    CdlToken first = advance();
    if (token.is(":")) {
      Optional<CdlDraft.Variable> variable = findVariable(group, first);
      if (variable.isPresent()) {
        attribute(variable.get().attributes, Optional.empty());
      } else {
        groupAttribute(group, Optional.of(type(group, first)));
      }
      return;
    }
    Datatype type = type(group, first);
    CdlToken second = advance();
    if (token.is(":")) {
      CdlDraft.Variable variable = variable(group, second);
      attribute(variable.attributes, Optional.of(type));
      return;
    }
    declaration(group, type, second);
    while (accept(",")) {
      declaration(group, type, advance());
    }
    require(";");
  }

  private static Datatype type(CdlDraft.Group group, CdlToken reference) {
    return findType(group, reference)
        .orElseThrow(
            () -> CdlLexer.wrong(reference.text(), "the name of a type", reference.line()))
        .datatype();
  }

  private static Optional<CdlDraft.Variable> findVariable(
      CdlDraft.Group group, CdlToken reference) {
    return find(group, reference, member ->
        scope -> scope.variables.stream().filter(each -> each.name.equals(member)));
  }

  private static CdlDraft.Variable variable(CdlDraft.Group group, CdlToken reference) {
    return findVariable(group, reference)
        .orElseThrow(
            () -> CdlLexer.wrong(reference.text(), "the name of a variable", reference.line()));
  }

  private void declaration(CdlDraft.Group group, Datatype type, CdlToken named) {
    if (named.kind() != CdlToken.Kind.NAME) {
      throw CdlLexer.wrong(named.text(), "the name of a variable", named.line());
    }
    if (group.variables.stream().anyMatch(each -> each.name.equals(named.text()))) {
      throw CdlLexer.wrong(named.text(), "a variable of another name", named.line());
    }
    List<CdlDraft.Dimension> axes = new ArrayList<>();
    if (accept("(")) {
      do {
        CdlToken axis = advance();
        axes.add(
            find(group, axis, member ->
                    scope ->
                        scope.dimensions.stream().filter(each -> each.name().equals(member)))
                .orElseThrow(
                    () -> CdlLexer.wrong(axis.text(), "the name of a dimension", axis.line())));
      } while (accept(","));
      require(")");
    }
    group.variables.add(new CdlDraft.Variable(group, named.text(), type, axes));
  }

  private void groupAttribute(CdlDraft.Group group, Optional<Datatype> type) {
    attribute(group.attributes, type);
  }

  private void attribute(List<CdlDraft.Attribute> attributes, Optional<Datatype> type) {
    require(":");
    int line = token.line();
    String attribute = name("an attribute");
    require("=");
    List<CdlConstant> values = token.is(";") ? List.of() : values(0);
    attributes.removeIf(each -> each.name().equals(attribute));
    attributes.add(new CdlDraft.Attribute(attribute, type, values, line));
    require(";");
  }

  // --- data ---

  private void data(CdlDraft.Group group) {
    CdlToken named = advance();
    CdlDraft.Variable variable = variable(group, named);
    require("=");
    variable.line = token.line();
    variable.data = Optional.of(token.is(";") ? List.of() : values(0));
    require(";");
  }

  private List<CdlConstant> values(int depth) {
    requireDepth(depth, "values");
    List<CdlConstant> values = new ArrayList<>();
    do {
      values.add(value(depth));
    } while (accept(","));
    return values;
  }

  private CdlConstant value(int depth) {
    if (accept("{")) {
      List<CdlConstant> inner = token.is("}") ? List.of() : values(depth + 1);
      require("}");
      return new CdlConstant.Items(inner);
    }
    if (token.value() == null) {
      throw unexpected("a value");
    }
    return advance().value();
  }
}
