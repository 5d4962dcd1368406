package org.hyperslab;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.value.JavaTypes;
import org.hyperslab.model.FillValue;

/** Checks that the type of a new dataset can represent its fill value. */
final class FillRange {

  private FillRange() {}

  /**
   * Requires that a type can represent a fill value.
   *
   * @throws InvalidUseException if a number is out of the type's range, or a string is too long
   */
  static void require(FillValue fill, Datatype stored) {
    if (!(fill instanceof FillValue.Value(var type, var value))) {
      return;
    }
    try {
      JavaTypes.requireRange(type, stored, value.elements(), 0, 1);
    } catch (InvalidUseException outside) {
      throw new InvalidUseException("fill value: " + outside.getMessage(), outside);
    }
    if (type instanceof StringType given && stored instanceof StringType field) {
      int room = field.padding() == StringPadding.NULLTERM ? field.size() - 1 : field.size();
      if (given.padding() == StringPadding.NULLPAD && given.size() > room) {
        throw new InvalidUseException(
            "fill value: actual=a string of "
                + given.size()
                + " bytes, expected<="
                + room
                + " for "
                + field.describe());
      }
    }
  }
}
