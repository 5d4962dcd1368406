package org.hyperslab.netcdf.cdl;

import org.jspecify.annotations.Nullable;

/**
 * A token of CDL.
 *
 * @param kind what it is
 * @param text a name without escapes, a section's word, or a sign
 * @param value the constant that it is; null for others
 * @param line the number of its line, from 1
 */
record CdlToken(Kind kind, String text, @Nullable CdlConstant value, int line) {

  /** The kinds of tokens. */
  enum Kind {
    /** A name or a word. */
    NAME,
    /** An absolute path. */
    PATH,
    /** The word of a section, with its colon. */
    SECTION,
    /** A constant that is not a name. */
    CONSTANT,
    /** A single character. */
    SIGN,
    /** The end of the text. */
    END
  }

  boolean is(String sign) {
    return kind == Kind.SIGN && text.equals(sign);
  }

  boolean isSection(String word) {
    return kind == Kind.SECTION && text.equals(word);
  }
}
