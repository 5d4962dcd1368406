package org.hyperslab.convert.table;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Recognises units of measurement. These are units of the SI with its prefixes, those accepted
 * beside it, those of the CF conventions for places and times, and products of their powers, such
 * as {@code kg m-3}, {@code m/s} and {@code W/m^2}.
 *
 * <p>Thread rule: stateless.
 */
final class UnitNames {

  /** Units that take the prefixes of the SI. */
  private static final Set<String> PREFIXED =
      words(
          "m g s A K mol cd Hz N Pa J W C V F Ohm ohm \u2126 \u03A9 S Wb T H lm lx Bq Gy Sv kat L l"
              + " eV bar pc cal sr rad yr"
              + " meter metre meters metres gram grams second seconds ampere amperes kelvin mole moles"
              + " candela hertz newton newtons pascal pascals joule joules watt watts coulomb volt"
              + " volts farad siemens weber tesla henry lumen lux becquerel gray sievert liter litre"
              + " liters litres bars byte bytes bit bits parsec");

  private static final Set<String> PREFIXES =
      words(
          "E P T G M k h d c m u \u00B5 \u03BC n p f"
              + " exa peta tera giga mega kilo hecto deca deci centi milli micro nano pico femto");

  /** Units without prefixes. */
  private static final Set<String> PLAIN =
      words(
          "% \u2030 ppm ppb ppt ppmv ppbv pptv psu PSU min minute minutes h hr hrs hour hours d day"
              + " days week weeks month months year years yr yrs deg degree degrees \u00B0 arcmin"
              + " arcsec \u00B0C \u2103 \u00B0F \u2109 degC deg_C degF deg_F degK celsius fahrenheit"
              + " degree_Celsius degrees_Celsius degrees_celsius degree_celsius degreeC degrees_C"
              + " degree_C degree_F degrees_F degrees_north degree_north degrees_south degrees_east"
              + " degree_east degrees_west degree_west degreesN degreesE degrees_true radian radians"
              + " in inch inches ft foot feet yd mi mile miles nmi kn kt kts knot knots mph kph lb lbs"
              + " oz psi atm Torr torr mmHg inHg dBZ dBz dB ha acre acres hPa dyn erg Gal mGal"
              + " gpm dam rpm au AU ly solMass Angstrom angstrom \u00C5 amu Da \u00B5atm uatm"
              + " KiB MiB GiB TiB kcal DU sverdrup dimensionless"
              + " unitless t kt Mt Gt B kB KB MB GB TB msec sec secs usec nsec ms");

  private static final Pattern REFERENCED_TIME =
      Pattern.compile(
          "(days?|d|hours?|hrs?|h|minutes?|mins?|seconds?|secs?|s|milliseconds?|msecs?|ms|months?"
              + "|years?) since [0-9]{1,4}-[0-9]{1,2}-[0-9]{1,2}.*",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern FACTORS = Pattern.compile("[ */.\u00B7\u22C5]+");
  private static final Pattern POWER =
      Pattern.compile("(?:\\*\\*|\\^)?[-+]?[0-9]$|[\u207B]?[\u00B2\u00B3\u00B9]$");
  private static final Pattern BRACKETS = Pattern.compile("\\[(.*)]|\\((.*)\\)");
  private static final int MAX_LENGTH = 64;

  private UnitNames() {}

  private static Set<String> words(String text) {
    return Arrays.stream(text.split(" ")).collect(Collectors.toUnmodifiableSet());
  }

  /** Returns whether a cell is a unit, perhaps in brackets. */
  static boolean isUnit(String cell) {
    String text = cell.strip();
    var bracketed = BRACKETS.matcher(text);
    if (bracketed.matches()) {
      text = bracketed.group(bracketed.group(1) != null ? 1 : 2).strip();
    }
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      return false;
    }
    if (REFERENCED_TIME.matcher(text).matches()) {
      return true;
    }
    String product = text.replace("**", "^");
    return Stream.of(FACTORS.split(product, -1)).allMatch(UnitNames::isFactor)
        && !product.startsWith("1");
  }

  private static boolean isFactor(String factor) {
    String unit = POWER.matcher(factor).replaceFirst("");
    return isName(factor) || isName(unit);
  }

  private static boolean isName(String word) {
    if (PLAIN.contains(word) || PREFIXED.contains(word)) {
      return true;
    }
    for (int length = Math.min(word.length() - 1, 6); length > 0; length--) {
      String prefix = word.substring(0, length);
      boolean isLong = length > 2;
      if (PREFIXES.contains(isLong ? prefix.toLowerCase(Locale.ROOT) : prefix)
          && isLong == word.length() - length > 3
          && PREFIXED.contains(word.substring(length))) {
        return true;
      }
    }
    return false;
  }
}
