package org.hyperslab.netcdf;

import java.util.Arrays;
import java.util.Optional;
import org.hyperslab.Memory;
import org.hyperslab.format.type.StringType;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;

/** Copies a file using only dimensions, variables, attributes and groups. */
final class ModelCopier {

  private ModelCopier() {}

  static void copy(NetcdfGroup from, NetcdfGroup to) {
    copyAttributes(from, to);
    for (NetcdfDimension dimension : from.dimensions()) {
      if (dimension.isUnlimited()) {
        to.createUnlimitedDimension(dimension.name());
      } else {
        to.createDimension(dimension.name(), dimension.length());
      }
    }
    for (NetcdfVariable variable : from.variables()) {
      copy(variable, to);
    }
    for (NetcdfGroup group : from.groups()) {
      copy(group, to.createGroup(group.name()));
    }
  }

  private static void copy(NetcdfVariable from, NetcdfGroup group) {
    String[] dimensions =
        from.dimensions().stream().map(NetcdfDimension::name).toArray(String[]::new);
    NetcdfVariable to = group.createVariable(from.name(), from.type(), options(from), dimensions);
    copyAttributes(from, to);
    long[] stored = from.dataset().shape();
    if (Arrays.stream(stored).allMatch(n -> n > 0)) {
      Memory elements = Memory.allocate(from.type(), stored);
      from.section(new long[stored.length], stored).readInto(elements);
      to.section(new long[stored.length], stored).write(elements);
    }
  }

  private static VariableOptions options(NetcdfVariable from) {
    VariableOptions options = VariableOptions.DEFAULT;
    if (from.dataset().options().layout() instanceof Layout.Chunked chunked) {
      options = options.withChunks(chunked.dimsArray());
    }
    for (FilterSpec filter : from.dataset().options().filters()) {
      options = options.withFilter(filter);
    }
    Optional<Object> fill = from.fill();
    boolean given = from.hasAttribute("_FillValue");
    return given ? options.withFill(fill.orElseThrow()) : options;
  }

  private static void copyAttributes(NetcdfObject from, NetcdfObject to) {
    for (String name : from.attributeNames()) {
      if (!name.equals("_FillValue")) {
        Object value = from.attribute(name);
        if (value instanceof String text && NetcdfTypes.isChar(from.attributeType(name))) {
          to.setAttribute(name, text, NetcdfTypes.CHAR);
        } else if (value instanceof String
            && from.attributeType(name).size() > 0
            && from.attributeType(name) instanceof StringType) {
          to.setAttribute(name, value, NetcdfTypes.CHAR);
        } else {
          to.setAttribute(name, value, from.attributeType(name));
        }
      }
    }
  }
}
