package org.hyperslab.netcdf.cdl;

import java.math.BigInteger;
import java.util.List;

/** A value in CDL, before it is known of which type its element is. */
sealed interface CdlConstant {

  /** Text in quotation marks, as bytes. */
  record Text(byte[] bytes) implements CdlConstant {}

  /** A character in apostrophes, which is also a number. */
  record Character(byte value) implements CdlConstant {}

  /**
   * An integer as the text states it.
   *
   * @param value the number
   * @param type the CDL type that its suffix, or else its size, gives an attribute
   */
  record Whole(BigInteger value, String type) implements CdlConstant {}

  /**
   * A number with a fraction or an exponent.
   *
   * @param value the number
   * @param single whether its suffix makes it a float
   */
  record Real(double value, boolean single) implements CdlConstant {}

  /** Digits behind {@code 0x}: bytes, or an integer. */
  record Hexadecimal(String digits) implements CdlConstant {}

  /** The name of a value of an enumeration. */
  record Name(String name) implements CdlConstant {}

  /** The fill value, written {@code _}. */
  record Fill() implements CdlConstant {}

  /** A string that does not exist. */
  record Nil() implements CdlConstant {}

  /** Values in braces. */
  record Items(List<CdlConstant> values) implements CdlConstant {}
}
