package org.hyperslab.model;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;

/**
 * Makes a condition of a text, by recursive descent:
 *
 * <pre>
 * or         = and { "or" and }
 * and        = not { "and" not }
 * not        = "not" not | "(" or ")" | "true" | "false" | test
 * test       = field relation constant | constant relation field
 *            | field ["not"] "between" constant "and" constant
 *            | field ["not"] "in" "(" constant { "," constant } ")"
 *            | field "is" ["not"] ("nan" | "fill")
 * </pre>
 *
 * <p>Thread rule: confined to one thread.
 */
final class ConditionParser {

  private static final int MAX_LENGTH = 1 << 20;

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<number>[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]{1,9})?)"
              + "|(?<infinite>[-+]?inf(?:inity)?\\b)"
              + "|(?<text>\"(?:[^\"\\\\]|\\\\.)*+\"|'(?:[^'\\\\]|\\\\.)*+')"
              + "|(?<quoted>`(?:[^`\\\\]|\\\\.)*+`)"
              + "|(?<word>[\\p{L}_][\\p{L}\\p{N}_]*)"
              + "|(?<sign><=|>=|==|!=|<>|[<>=(),.]))",
          Pattern.DOTALL);

  private enum Kind {
    NUMBER,
    INFINITE,
    TEXT,
    QUOTED,
    WORD,
    SIGN,
    END
  }

  private final String text;
  private final Matcher matcher;
  private Kind kind = Kind.END;
  private String token = "";
  private int start;
  private int depth;

  ConditionParser(String text) {
    if (text == null || text.length() > MAX_LENGTH) {
      throw new InvalidUseException(
          "condition: actual="
              + (text == null ? "null" : text.length() + " characters")
              + ", expected=a text of at most "
              + MAX_LENGTH
              + " characters");
    }
    this.text = text;
    this.matcher = TOKEN.matcher(text);
  }

  Condition parse() {
    next();
    Condition condition = or();
    if (kind != Kind.END) {
      throw wrong("and, or, or the end");
    }
    return condition;
  }

  // --- tokens ---

  private void next() {
    int from = matcher.hasMatch() ? matcher.end() : 0;
    if (text.substring(from).isBlank()) {
      start = text.length();
      kind = Kind.END;
      token = "";
      return;
    }
    if (!matcher.region(from, text.length()).lookingAt()) {
      start = from;
      kind = Kind.SIGN;
      token = text.substring(from).strip();
      throw wrong("a field, a constant or a relation");
    }
    for (Kind each : Kind.values()) {
      String group = each == Kind.END ? null : matcher.group(each.name().toLowerCase(Locale.ROOT));
      if (group != null) {
        kind = each;
        token = group;
        start = matcher.start(each.name().toLowerCase(Locale.ROOT));
        return;
      }
    }
    throw new IllegalStateException("a token without a kind in " + text);
  }

  private boolean isWord(String word) {
    return kind == Kind.WORD && token.toLowerCase(Locale.ROOT).equals(word);
  }

  private boolean takes(String word) {
    boolean here = isWord(word) || kind == Kind.SIGN && token.equals(word);
    if (here) {
      next();
    }
    return here;
  }

  private void expect(String word) {
    if (!takes(word)) {
      throw wrong(word);
    }
  }

  private InvalidUseException wrong(String expected) {
    String found = token.length() > 40 ? token.substring(0, 40) + "…" : token;
    return new InvalidUseException(
        "condition: actual="
            + (kind == Kind.END ? "the end" : "\"" + found + "\"")
            + " at character "
            + (start + 1)
            + ", expected="
            + expected
            + ", as in \"temperature > 300 and pressure < 2e5\"");
  }

  // --- grammar ---

  private Condition or() {
    List<Condition> parts = new ArrayList<>(List.of(and()));
    while (takes("or")) {
      parts.add(and());
    }
    return parts.size() == 1 ? parts.getFirst() : new Condition.Or(parts);
  }

  private Condition and() {
    List<Condition> parts = new ArrayList<>(List.of(not()));
    while (takes("and")) {
      parts.add(not());
    }
    return parts.size() == 1 ? parts.getFirst() : new Condition.And(parts);
  }

  private Condition not() {
    if (++depth > Condition.MAX_DEPTH) {
      throw wrong("at most " + Condition.MAX_DEPTH + " levels");
    }
    try {
      if (takes("not")) {
        return new Condition.Not(not());
      }
      if (takes("(")) {
        Condition inside = or();
        expect(")");
        return inside;
      }
      if (takes("true")) {
        return Condition.always();
      }
      return takes("false") ? new Condition.Or(List.of()) : test();
    } finally {
      depth--;
    }
  }

  private Condition test() {
    if (kind == Kind.NUMBER || kind == Kind.INFINITE || kind == Kind.TEXT) {
      Object constant = constant();
      Condition.Relation relation = relation();
      return new Condition.Comparison(field(), exchanged(relation), constant);
    }
    Condition.Field field = field();
    if (takes("is")) {
      boolean not = takes("not");
      Condition is;
      if (takes("nan")) {
        is = field.isNan();
      } else if (takes("fill")) {
        is = field.isFill();
      } else {
        throw wrong("nan or fill");
      }
      return not ? is.not() : is;
    }
    boolean not = takes("not");
    if (takes("between")) {
      Object low = constant();
      expect("and");
      Condition between = field.between(low, constant());
      return not ? between.not() : between;
    }
    if (takes("in")) {
      Condition in = new Condition.OneOf(field, constants());
      return not ? in.not() : in;
    }
    if (not) {
      throw wrong("between or in");
    }
    return new Condition.Comparison(field, relation(), constant());
  }

  private List<Object> constants() {
    expect("(");
    List<Object> constants = new ArrayList<>(List.of(constant()));
    while (takes(",")) {
      constants.add(constant());
      ConditionText.requireParts(constants.size());
    }
    expect(")");
    return constants;
  }

  private Condition.Field field() {
    List<String> names = new ArrayList<>(List.of(name()));
    while (takes(".")) {
      names.add(name());
    }
    return new Condition.Field(names);
  }

  private String name() {
    boolean named =
        kind == Kind.QUOTED
            || kind == Kind.WORD && !ConditionText.WORDS.contains(token.toLowerCase(Locale.ROOT));
    if (!named) {
      throw wrong("the name of a field, or value");
    }
    String name = kind == Kind.QUOTED ? unquoted() : token;
    next();
    return name;
  }

  private String unquoted() {
    return token.substring(1, token.length() - 1).replaceAll("(?s)\\\\(.)", "$1");
  }

  private Object constant() {
    Object constant =
        switch (kind) {
          case NUMBER -> new BigDecimal(token.startsWith("+") ? token.substring(1) : token);
          case INFINITE ->
              token.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
          case TEXT -> unquoted();
          case WORD -> flag();
          case QUOTED, SIGN, END -> throw wrong("a number, or a text between quotation marks");
        };
    next();
    return constant;
  }

  private Object flag() {
    return switch (token.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw wrong(
              "a number, or a text between quotation marks, for only fields have names without"
                  + " them");
    };
  }

  private Condition.Relation relation() {
    Condition.Relation relation =
        switch (kind == Kind.SIGN ? token : "") {
          case "==", "=" -> Condition.Relation.EQUAL;
          case "!=", "<>" -> Condition.Relation.NOT_EQUAL;
          case "<" -> Condition.Relation.BELOW;
          case "<=" -> Condition.Relation.AT_MOST;
          case ">" -> Condition.Relation.ABOVE;
          case ">=" -> Condition.Relation.AT_LEAST;
          default -> throw wrong("==, !=, <, <=, >, >=, between, in or is");
        };
    next();
    return relation;
  }

  /** Returns the relation that holds if the sides are exchanged. */
  private static Condition.Relation exchanged(Condition.Relation relation) {
    return switch (relation) {
      case EQUAL, NOT_EQUAL -> relation;
      case BELOW -> Condition.Relation.ABOVE;
      case AT_MOST -> Condition.Relation.AT_LEAST;
      case ABOVE -> Condition.Relation.BELOW;
      case AT_LEAST -> Condition.Relation.AT_MOST;
    };
  }
}
