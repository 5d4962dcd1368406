package org.hyperslab.netcdf;

import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;
import org.hyperslab.scales.ScaleConventions;

/** Creates the dataset of a variable. */
final class VariableCreation {

  private final NetcdfGroup group;
  private final String name;
  private final Datatype type;
  private final VariableOptions options;

  VariableCreation(NetcdfGroup group, String name, Datatype type, VariableOptions options) {
    this.group = group;
    this.name = name;
    this.type = type;
    this.options = options;
  }

  /** Creates a variable with these dimensions, and adds it to its group. */
  NetcdfVariable create(List<NetcdfDimension> axes) {
    check(axes);
    DatasetOptions storage = storage();
    NetcdfDimension own = group.ownDimension(name).orElse(null);
    boolean coordinate = own != null && !axes.isEmpty() && axes.getFirst() == own;
    String linkName = own == null || coordinate ? name : ScaleConventions.reserved(name);
    DimensionLinks links = group.file().links();
    if (own != null && coordinate) {
      links.moveAway(own);
    }
    Dataset dataset = createDataset(linkName, space(axes), storage);
    NetcdfVariable.Stored stored = new NetcdfVariable.Stored(dataset, linkName, axes.isEmpty());
    NetcdfVariable made = new NetcdfVariable(group, name, stored, axes);
    group.add(made);
    if (options.fill().isPresent()) {
      setFillAttribute(made);
    }
    links.created(made);
    return made;
  }

  private Dataset createDataset(String linkName, Dataspace space, DatasetOptions storage) {
    if (NetcdfTypes.isUserType(type)) {
      NetcdfUserType defined = group.requireType(type, group.child(name));
      return group
          .h5()
          .datasetBuilder(linkName)
          .type(defined.committed())
          .space(space)
          .options(storage)
          .create();
    }
    return group.h5().datasetBuilder(linkName).type(type).space(space).options(storage).create();
  }

  private void check(List<NetcdfDimension> axes) {
    String at = group.child(name);
    NetcdfTypes.require(type, at);
    group.file().requireModel(type, at);
    if (NetcdfTypes.isUserType(type)) {
      group.requireType(type, at);
    }
    if (!options.chunks().isEmpty() && options.chunks().size() != axes.size()) {
      throw new InvalidUseException(
          "chunks: actual="
              + options.chunks()
              + ", expected="
              + axes.size()
              + " lengths, at="
              + at);
    }
    for (int axis = 0; axis < axes.size(); axis++) {
      NetcdfDimension dimension = axes.get(axis);
      if (dimension.isPhony()) {
        throw new InvalidUseException(
            "dimension: actual="
                + dimension.name()
                + ", which is not in the file, expected=one that createDimension made, at="
                + at);
      }
      if (axis > 0 && dimension.isUnlimited() && group.file().isClassic()) {
        throw new InvalidUseException(
            "unlimited dimension: actual="
                + dimension.name()
                + " on axis "
                + axis
                + ", expected=on axis 0 in the classic model, at="
                + at);
      }
    }
  }

  private static Dataspace space(List<NetcdfDimension> axes) {
    if (axes.isEmpty()) {
      return Dataspace.scalar();
    }
    long[] dims = new long[axes.size()];
    long[] most = new long[axes.size()];
    for (int axis = 0; axis < dims.length; axis++) {
      NetcdfDimension dimension = axes.get(axis);
      dims[axis] = dimension.isUnlimited() ? 0 : dimension.length();
      most[axis] = dimension.isUnlimited() ? Dataspace.UNLIMITED : dimension.length();
    }
    return Dataspace.simple(dims, most);
  }

  private DatasetOptions storage() {
    DatasetOptions.Builder builder =
        DatasetOptions.builder().attributes(NetcdfNames.ATTRIBUTES).filters(options.filters());
    if (!options.chunks().isEmpty()) {
      builder.layout(new Layout.Chunked(options.chunks(), true));
    }
    if (options.noFill()) {
      builder.fillTime(FillValue.Time.NEVER);
    } else if (options.fill().isPresent()) {
      builder.fill(GivenFill.of(type, options.fill().get()));
    } else {
      builder.fill(ScaleConventions.standardFill(type));
    }
    return builder.build();
  }

  private void setFillAttribute(NetcdfVariable made) {
    FillValue.Value fill = GivenFill.of(type, options.fill().orElseThrow());
    made.putFill(fill);
  }
}
