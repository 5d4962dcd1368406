package org.hyperslab.tools.dump;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;

/**
 * The concatenated texts of the elements of one piece of a dataset.
 *
 * @param text the texts
 * @param ends the end of each text in {@code text}, in characters
 * @param count the number of texts
 */
record ElementTexts(String text, int[] ends, int count) {

  /**
   * Returns whether elements of a type have short texts that depend only on their own bytes, so
   * that several threads can format pieces.
   */
  static boolean canBeMadeAhead(Datatype type) {
    return type instanceof IntegerType
        || type instanceof FloatType
        || type instanceof EnumType
        || type instanceof BitfieldType;
  }

  /**
   * Formats elements in the order of memory.
   *
   * @param commas whether each text ends in a comma
   * @param last whether the last text has no comma
   * @param level indentation of lines within an element, in steps of three columns
   */
  static ElementTexts of(
      ElementText words,
      Datatype type,
      MemorySegment elements,
      int count,
      boolean commas,
      boolean last,
      int level) {
    StringBuilder text = new StringBuilder(count * 8);
    int[] ends = new int[count];
    long size = type.size();
    for (int i = 0; i < count; i++) {
      words.appendTo(text, type, elements, i * size, level);
      if (commas && (i + 1 < count || !last)) {
        text.append(',');
      }
      ends[i] = text.length();
    }
    return new ElementTexts(text.toString(), ends, count);
  }
}
