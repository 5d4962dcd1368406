package org.hyperslab.netcdf.cdl;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.netcdf.NetcdfTypes;
import org.jspecify.annotations.Nullable;

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

  /** More than a file's description of a type has room for. */
  private static final int MOST_PARTS = 1 << 16;

  /** An element is kept in memory several times. */
  private static final int MOST_BYTES = 1 << 24;

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
    CdlDraft.Group root = new CdlDraft.Group("", null, 1);
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

  private void requireDepth(int depth, String what) {
    if (depth > DEEPEST) {
      throw beyond(what + " nested more than " + DEEPEST + " deep", "fewer levels");
    }
  }

  private LimitExceededException beyond(String actual, String expected) {
    return new LimitExceededException(CdlLexer.wrong(actual, expected, token.line()).getMessage());
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
      int line = token.line();
      String member = name("a group");
      CdlDraft.Group below = new CdlDraft.Group(member, group, line);
      putNew(group.groups, member, below, "group", line);
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
      add(group, name("a type"), Datatypes.opaque(size, ""), 1, 1);
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
        Datatype sequence = Datatypes.vlen(base.datatype());
        add(group, name("a type"), sequence, base.depth() + 1, base.parts() + 1);
      }
    }
    accept(";");
  }

  private void add(
      CdlDraft.Group group, String typeName, Datatype datatype, int depth, long parts) {
    requireDepth(depth, "types");
    if (datatype.size() > MOST_BYTES) {
      throw beyond("a type of " + datatype.size() + " bytes", "at most " + MOST_BYTES);
    }
    int line = token.line();
    CdlDraft.Type type = new CdlDraft.Type(typeName, datatype, depth, parts, line);
    putNew(group.types, typeName, type, "type", line);
  }

  private static <T> void putNew(
      Map<String, T> members, String member, T value, String what, int line) {
    if (members.putIfAbsent(member, value) != null) {
      throw CdlLexer.wrong(
          "a second " + what + " " + member, "a " + what + " of another name", line);
    }
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
    EnumType type = CdlLexer.atLine(token.line(), constants::build);
    add(group, typeName, type, 1, 1);
  }

  private void compound(CdlDraft.Group group) {
    String typeName = name("a type");
    CompoundType.Builder members = CompoundType.builder();
    int depth = 1;
    long parts = 0;
    require("{");
    do {
      CdlDraft.Type base = typeReference(group);
      depth = Math.max(depth, base.depth() + 1);
      do {
        String field = name("a field");
        Datatype fieldType = fieldType(base.datatype());
        CdlLexer.atLine(token.line(), () -> members.member(field, fieldType));
        parts += base.parts() + 1;
        if (parts > MOST_PARTS) {
          throw beyond("a type of more than " + MOST_PARTS + " fields", "fewer");
        }
      } while (accept(","));
      require(";");
    } while (!token.is("}"));
    require("}");
    add(group, typeName, CdlLexer.atLine(token.line(), members::build), depth, parts);
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
    int[] shape = lengths.stream().mapToInt(Integer::intValue).toArray();
    return CdlLexer.atLine(token.line(), () -> Datatypes.array(base, shape));
  }

  private CdlDraft.Type typeReference(CdlDraft.Group group) {
    CdlToken reference = advance();
    return findType(group, reference)
        .orElseThrow(
            () -> CdlLexer.wrong(reference.text(), "the name of a type", reference.line()));
  }

  private static Optional<CdlDraft.Type> findType(CdlDraft.Group group, CdlToken reference) {
    if (reference.kind() == CdlToken.Kind.NAME) {
      Optional<Datatype> primitive = primitive(reference.text());
      if (primitive.isPresent()) {
        return primitive.map(type -> new CdlDraft.Type(reference.text(), type, 0, 0, 0));
      }
    }
    return find(group, reference, scope -> scope.types);
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
      CdlDraft.Group group, CdlToken reference, Function<CdlDraft.Group, Map<String, T>> members) {
    if (reference.kind() == CdlToken.Kind.NAME) {
      for (CdlDraft.Group scope = group; scope != null; scope = scope.parent) {
        T found = members.apply(scope).get(reference.text());
        if (found != null) {
          return Optional.of(found);
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
      scope = scope.groups.get(parts[i]);
      if (scope == null) {
        return Optional.empty();
      }
    }
    return Optional.ofNullable(members.apply(scope).get(parts[parts.length - 1]));
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
    require("=");
    int line = token.line();
    boolean isUnlimited = isWord("UNLIMITED") || isWord("unlimited");
    long length = isUnlimited ? 0 : number("a length or UNLIMITED", 0, Long.MAX_VALUE);
    if (isUnlimited) {
      advance();
    }
    // 0 is netCDF-C's NC_UNLIMITED
    CdlDraft.Dimension made =
        new CdlDraft.Dimension(group, dimension, length == 0 ? -1 : length, line);
    putNew(group.dimensions, dimension, made, "dimension", line);
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
        .orElseThrow(() -> CdlLexer.wrong(reference.text(), "the name of a type", reference.line()))
        .datatype();
  }

  private static Optional<CdlDraft.Variable> findVariable(
      CdlDraft.Group group, CdlToken reference) {
    return find(group, reference, scope -> scope.variables);
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
    List<CdlDraft.Dimension> axes = new ArrayList<>();
    if (accept("(")) {
      do {
        CdlToken axis = advance();
        axes.add(
            find(group, axis, scope -> scope.dimensions)
                .orElseThrow(
                    () -> CdlLexer.wrong(axis.text(), "the name of a dimension", axis.line())));
      } while (accept(","));
      require(")");
    }
    CdlDraft.Variable variable =
        new CdlDraft.Variable(group, named.text(), type, axes, named.line());
    putNew(group.variables, named.text(), variable, "variable", named.line());
  }

  private void groupAttribute(CdlDraft.Group group, Optional<Datatype> type) {
    attribute(group.attributes, type);
  }

  private void attribute(Map<String, CdlDraft.Attribute> attributes, Optional<Datatype> type) {
    require(":");
    int line = token.line();
    String attribute = name("an attribute");
    require("=");
    List<CdlConstant> values = token.is(";") ? List.of() : values(0);
    attributes.remove(attribute);
    attributes.put(attribute, new CdlDraft.Attribute(attribute, type, values, line));
    require(";");
  }

  // --- data ---

  private void data(CdlDraft.Group group) {
    CdlToken named = advance();
    CdlDraft.Variable variable = variable(group, named);
    require("=");
    variable.dataLine = token.line();
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

  private @Nullable CdlConstant value(int depth) {
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
