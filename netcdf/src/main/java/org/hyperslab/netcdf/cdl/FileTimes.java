package org.hyperslab.netcdf.cdl;

import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringType;

/**
 * The variables of a file whose numbers are times: those with such units, and the bounds of others,
 * which have the units of the variable that names them.
 *
 * <p>Thread rule: immutable once it is made.
 */
final class FileTimes {

  private static final String BOUNDS = "bounds";

  private final boolean areShown;

  /** The format of the bounds of a name; empty if they are not those of a time. */
  private final Map<String, Optional<TimeText>> bounds = new HashMap<>();

  /**
   * Finds the bounds of a file.
   *
   * @param root the root group
   * @param areShown whether times are formatted at all
   */
  FileTimes(CdlFile.Group root, boolean areShown) {
    this.areShown = areShown;
    if (areShown) {
      find(root);
    }
  }

  private void find(CdlFile.Group group) {
    for (CdlFile.Variable variable : group.variables()) {
      for (CdlFile.Attribute attribute : variable.attributes()) {
        if (attribute.name().equals(BOUNDS) && attribute.datatype() instanceof StringType) {
          byte[] name = attribute.data().elements().toArray(ValueLayout.JAVA_BYTE);
          bounds.put(NameBytes.decode(name).replace("\0", ""), TimeText.of(variable));
        }
      }
    }
    group.groups().forEach(this::find);
  }

  /** Returns the format of the numbers of a variable; empty if they are not times. */
  Optional<TimeText> ofElements(CdlFile.Variable variable) {
    boolean isNumber =
        variable.datatype() instanceof IntegerType || variable.datatype() instanceof FloatType;
    if (!areShown || !isNumber) {
      return Optional.empty();
    }
    Optional<TimeText> ofOther = bounds.get(variable.name());
    return ofOther != null ? ofOther : TimeText.of(variable);
  }

  /** Returns the format of the numbers in the attributes of a variable. */
  Optional<TimeText> ofAttributes(CdlFile.Variable variable) {
    return areShown ? TimeText.of(variable) : Optional.empty();
  }
}
