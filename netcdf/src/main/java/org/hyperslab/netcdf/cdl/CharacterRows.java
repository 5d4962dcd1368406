package org.hyperslab.netcdf.cdl;

import java.io.ByteArrayOutputStream;
import java.util.List;
import org.hyperslab.error.LimitExceededException;

/**
 * Makes rows of characters of texts: each text begins a row and is filled up to the end of a row;
 * characters in apostrophes that follow each other are one text.
 *
 * <p>Thread rule: stateless.
 */
final class CharacterRows {

  private static final long MAX_BYTES = 1L << 28;

  private CharacterRows() {}

  /**
   * Returns the characters.
   *
   * @param texts the texts
   * @param row the length of a row, 1 or more
   * @param most how many characters there can be
   */
  static byte[] of(List<CdlConstant> texts, long row, long most, ConstantEncoder encoder) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < texts.size(); i++) {
      byte[] bytes = encoder.bytes(texts.get(i));
      all.writeBytes(bytes);
      boolean isJoined =
          texts.get(i) instanceof CdlConstant.Character
              && i + 1 < texts.size()
              && texts.get(i + 1) instanceof CdlConstant.Character;
      long missing = isJoined ? 0 : (row - all.size() % row) % row;
      if (bytes.length == 0 && missing == 0) {
        missing = row;
      }
      if (all.size() + missing > MAX_BYTES) {
        throw new LimitExceededException(
            "characters: actual=more than 256 MiB in one list of CDL, expected=fewer");
      }
      all.writeBytes(new byte[(int) missing]);
    }
    if (all.size() > most) {
      throw encoder.wrong(all.size() + " characters", "at most " + most);
    }
    return all.toByteArray();
  }
}
