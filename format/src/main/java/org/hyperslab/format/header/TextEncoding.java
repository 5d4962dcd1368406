package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.NameBytes;

/** The character set of a name, as stored by links and attributes. */
public enum TextEncoding {
  /** Only characters of US-ASCII. */
  ASCII(0),
  /** Unicode as UTF-8. */
  UTF_8(1);

  private final int code;

  TextEncoding(int code) {
    this.code = code;
  }

  /**
   * {@return the character set that a name needs: ASCII if all its characters are ASCII}
   *
   * @param name the text
   */
  public static TextEncoding of(String name) {
    return NameBytes.isAscii(name) ? ASCII : UTF_8;
  }

  /** {@return the number in the file} */
  public int code() {
    return code;
  }

  static TextEncoding decode(MetadataReader reader) {
    int code = reader.u8();
    return switch (code) {
      case 0 -> ASCII;
      case 1 -> UTF_8;
      default -> throw reader.corrupt("character set actual=" + code + ", expected=0 or 1");
    };
  }
}
