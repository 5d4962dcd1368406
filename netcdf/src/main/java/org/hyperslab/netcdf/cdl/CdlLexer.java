package org.hyperslab.netcdf.cdl;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.format.io.NameBytes;
import org.jspecify.annotations.Nullable;

/**
 * Divides CDL into tokens.
 *
 * <p>Thread rule: confined to one thread.
 */
final class CdlLexer {

  private static final Set<String> SECTIONS =
      Set.of("types", "dimensions", "variables", "data", "group");
  private static final Pattern NUMBER =
      Pattern.compile(
          "[+-]?(?:(?<real>\\d+\\.\\d*(?:[eE][+-]?\\d+)?|\\.\\d+(?:[eE][+-]?\\d+)?|\\d+[eE][+-]?\\d+)"
              + "(?<kind>[fFdDlL]?)|(?<whole>\\d+)(?<tag>[uU]?(?:[bBsS]|[lL]{1,2})?[uU]?))");
  private static final int LONGEST_NUMBER = 400;
  private static final BigInteger INT_END = BigInteger.ONE.shiftLeft(31);

  private final String text;
  private int at;
  private int line = 1;

  CdlLexer(String text) {
    this.text = text;
  }

  InvalidUseException wrong(String actual, String expected) {
    return wrong(actual, expected, line);
  }

  static InvalidUseException wrong(String actual, String expected, int line) {
    return new InvalidUseException(
        "CDL: actual=" + actual + ", expected=" + expected + ", at=line " + line);
  }

  /**
   * Does something on behalf of a line, which the message of what is wrong then names.
   *
   * @return what the action returns
   */
  static <T> T atLine(int line, Supplier<T> action) {
    String place = ", at=line " + line;
    try {
      return action.get();
    } catch (LimitExceededException beyond) {
      throw String.valueOf(beyond.getMessage()).endsWith(place)
          ? beyond
          : new LimitExceededException("CDL: " + beyond.getMessage() + place, beyond);
    } catch (InvalidUseException wrong) {
      throw String.valueOf(wrong.getMessage()).contains(", at=line ")
          ? wrong
          : new InvalidUseException("CDL: " + wrong.getMessage() + place, wrong);
    }
  }

  /** Returns the name behind the word "netcdf", up to the brace. */
  String datasetName() {
    skip();
    String word = text.regionMatches(true, at, "netcdf", 0, 6) ? "netcdf" : "";
    if (word.isEmpty()) {
      throw wrong("another text", "\"netcdf NAME {\" at the beginning");
    }
    int brace = text.indexOf('{', at);
    if (brace < 0) {
      throw wrong("no brace", "\"netcdf NAME {\" at the beginning");
    }
    String name = text.substring(at + 6, brace);
    line += (int) name.chars().filter(c -> c == '\n').count();
    at = brace;
    return name.strip().replaceAll("\\\\(.)", "$1");
  }

  /** Returns the next token. */
  CdlToken next() {
    skip();
    if (at >= text.length()) {
      return new CdlToken(CdlToken.Kind.END, "the end of the text", null, line);
    }
    char c = text.charAt(at);
    if (c == '"') {
      return constant(new CdlConstant.Text(quoted()));
    }
    if (c == '\'') {
      return constant(new CdlConstant.Character(character()));
    }
    if (c == '0' && at + 1 < text.length() && (text.charAt(at + 1) | ' ') == 'x') {
      return constant(hexadecimal());
    }
    if (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.') {
      return constant(number());
    }
    if (c == '/') {
      return path();
    }
    if (isNameStart(c)) {
      return name();
    }
    at++;
    return new CdlToken(CdlToken.Kind.SIGN, String.valueOf(c), null, line);
  }

  private CdlToken constant(CdlConstant value) {
    return new CdlToken(CdlToken.Kind.CONSTANT, "a constant", value, line);
  }

  private void skip() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\n') {
        line++;
        at++;
      } else if (c == ' ' || c == '\r' || c == '\t' || c == '\f') {
        at++;
      } else if (text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (text.startsWith("/*", at)) {
        int end = text.indexOf("*/", at + 2);
        int stop = end < 0 ? text.length() : end + 2;
        line += (int) text.substring(at, stop).chars().filter(each -> each == '\n').count();
        at = stop;
      } else {
        return;
      }
    }
  }

  // --- names ---

  private static boolean isNameStart(char c) {
    return c == '_' || c == '\\' || c >= 0x80 || Character.isLetter(c);
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || c >= '0' && c <= '9' || ".@+-".indexOf(c) >= 0;
  }

  private String word() {
    StringBuilder word = new StringBuilder();
    while (at < text.length() && isNamePart(text.charAt(at))) {
      char c = text.charAt(at++);
      if (c == '\\') {
        if (at == text.length()) {
          throw wrong("\\ at the end", "a character behind it");
        }
        c = text.charAt(at++);
      }
      word.append(c);
    }
    return word.toString();
  }

  private CdlToken name() {
    int from = at;
    String word = word();
    boolean isPlain = word.length() == at - from;
    if (isPlain && SECTIONS.contains(word) && at < text.length() && text.charAt(at) == ':') {
      at++;
      return new CdlToken(CdlToken.Kind.SECTION, word, null, line);
    }
    CdlConstant special = isPlain ? special(word) : null;
    return special != null
        ? new CdlToken(CdlToken.Kind.CONSTANT, word, special, line)
        : new CdlToken(CdlToken.Kind.NAME, word, new CdlConstant.Name(word), line);
  }

  private static @Nullable CdlConstant special(String word) {
    return switch (word) {
      case "_" -> new CdlConstant.Fill();
      case "NIL", "nil", "Nil" -> new CdlConstant.Nil();
      case "NaN", "nan" -> new CdlConstant.Real(Double.NaN, false);
      case "NaNf", "nanf" -> new CdlConstant.Real(Double.NaN, true);
      case "Infinity", "DoubleInf" -> new CdlConstant.Real(Double.POSITIVE_INFINITY, false);
      case "Infinityf", "Inff", "FloatInf" -> new CdlConstant.Real(Double.POSITIVE_INFINITY, true);
      default -> null;
    };
  }

  private CdlToken path() {
    StringBuilder path = new StringBuilder();
    while (at < text.length() && text.charAt(at) == '/') {
      at++;
      path.append('/').append(word());
    }
    return new CdlToken(CdlToken.Kind.PATH, path.toString(), null, line);
  }

  // --- numbers ---

  private CdlConstant number() {
    int signs = text.charAt(at) == '-' || text.charAt(at) == '+' ? 1 : 0;
    if (signs == 1 && text.startsWith("Inf", at + 1)) {
      boolean negative = text.charAt(at) == '-';
      at++;
      CdlConstant known = special(word());
      if (!(known instanceof CdlConstant.Real real)) {
        throw wrong("a sign before a word", "a number");
      }
      return new CdlConstant.Real(negative ? -real.value() : real.value(), real.single());
    }
    int end = Math.min(text.length(), at + LONGEST_NUMBER);
    Matcher parts = NUMBER.matcher(text).region(at, end);
    boolean isNumber = parts.lookingAt();
    if (isNumber && parts.end() == end && end < text.length()) {
      throw wrong("a number of more than " + LONGEST_NUMBER + " characters", "a shorter one");
    }
    if (!isNumber) {
      throw wrong(String.valueOf(text.charAt(at)), "a name, a constant or a sign of CDL");
    }
    boolean negative = text.charAt(at) == '-';
    at = parts.end();
    if (parts.group("whole") != null) {
      return whole(parts.group("whole"), parts.group("tag").toLowerCase(Locale.ROOT), negative);
    }
    boolean single = parts.group("kind").equalsIgnoreCase("f");
    String digits = (negative ? "-" : "") + parts.group("real");
    double value = single ? Float.parseFloat(digits) : Double.parseDouble(digits);
    return new CdlConstant.Real(value, single);
  }

  private CdlConstant whole(String digits, String tag, boolean negative) {
    boolean octal = digits.length() > 1 && digits.startsWith("0");
    if (octal && digits.chars().anyMatch(c -> c > '7')) {
      throw wrong(digits, "octal digits behind a leading 0");
    }
    BigInteger magnitude = new BigInteger(digits, octal ? 8 : 10);
    BigInteger value = negative ? magnitude.negate() : magnitude;
    if (value.bitLength() > 64 || value.signum() < 0 && value.bitLength() > 63) {
      throw wrong(digits, "an integer of at most 64 bits");
    }
    return new CdlConstant.Whole(value, wholeType(value, tag));
  }

  private static String wholeType(BigInteger value, String tag) {
    String unsigned = tag.contains("u") ? "u" : "";
    String size =
        switch (tag.replace("u", "")) {
          case "b" -> "byte";
          case "s" -> "short";
          case "ll" -> "int64";
          default -> "int";
        };
    boolean isInt = value.compareTo(INT_END) < 0 && value.compareTo(INT_END.negate()) >= 0;
    if (!tag.isEmpty() || isInt) {
      return unsigned + size;
    }
    if (value.signum() < 0) {
      return "int64";
    }
    return value.bitLength() <= Integer.SIZE ? "uint" : "uint64";
  }

  private CdlConstant hexadecimal() {
    int from = at + 2;
    at = from;
    while (at < text.length() && Character.digit(text.charAt(at), 16) >= 0) {
      at++;
    }
    if (at == from) {
      throw wrong("0x", "digits behind it");
    }
    return new CdlConstant.Hexadecimal(text.substring(from, at));
  }

  // --- texts ---

  private byte[] quoted() {
    at++;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int from = at;
    while (true) {
      if (at >= text.length()) {
        throw wrong("text without an end", "\" behind it");
      }
      char c = text.charAt(at);
      if (c == '"' || c == '\\') {
        bytes.writeBytes(NameBytes.encode(text.substring(from, at)));
        at++;
        if (c == '"') {
          return bytes.toByteArray();
        }
        bytes.write(escape());
        from = at;
      } else {
        line += c == '\n' ? 1 : 0;
        at++;
      }
    }
  }

  private byte character() {
    at++;
    if (at + 1 >= text.length()) {
      throw wrong("'", "a character and another '");
    }
    char c = text.charAt(at++);
    int value = c == '\\' ? escape() : c;
    if (c >= 0x80 || at >= text.length() || text.charAt(at++) != '\'') {
      throw wrong("'" + c, "one character of one byte between apostrophes");
    }
    return (byte) value;
  }

  /** Returns the byte of an escape, whose backslash has been read. */
  private int escape() {
    if (at >= text.length()) {
      throw wrong("\\ at the end", "a character behind it");
    }
    char c = text.charAt(at);
    int octal = digits(at, 3, 8);
    if (octal >= 0) {
      at += 3;
      return octal & 0xff;
    }
    int hexadecimal = c == 'x' || c == 'X' ? digits(at + 1, 2, 16) : -1;
    if (hexadecimal >= 0) {
      at += 3;
      return hexadecimal;
    }
    at++;
    return switch (c) {
      case 'a' -> 7;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'v' -> 0x0b;
      case '0' -> 0;
      case '?' -> 0x7f;
      default -> {
        if (c >= 0x80) {
          throw wrong("\\ before " + c, "an ASCII character behind \\");
        }
        yield c;
      }
    };
  }

  /** Returns a number of digits as a number; -1 if there are others. */
  private int digits(int from, int count, int radix) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      int digit = i < text.length() ? Character.digit(text.charAt(i), radix) : -1;
      if (digit < 0) {
        return -1;
      }
      value = value * radix + digit;
    }
    return value;
  }
}
