package org.hyperslab.tools.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.H5Object;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;

/**
 * What the picture of a slice says beside the numbers: names, units and coordinates, which are
 * those of dimension scales and of the attributes {@code long_name} and {@code units}.
 *
 * <p>Thread rule: immutable.
 *
 * @param axes the axes of the picture, slowest first
 * @param position where the slice is along the other dimensions, such as "time = 3.5 s"; may be
 *     empty
 * @param value the name and unit of the numbers; may be empty
 */
record PlotLabels(List<PlotAxis> axes, String position, String value) {

  /** The greatest number of coordinates that are read. */
  private static final long MAX_COORDINATES = 1 << 20;

  /** What the distance of two coordinates may differ from that of others, as a part of it. */
  private static final double IRREGULAR = 0.01;

  private static final Pattern INDEX = Pattern.compile("\\s*-?\\d+\\s*");

  /**
   * {@return the labels of a slice}
   *
   * @param dataset the dataset, open
   * @param slice the text of the slice; empty for all elements
   * @param shape the shape of the slice
   */
  static PlotLabels of(Dataset dataset, String slice, long... shape) {
    List<PlotAxis> axes = new ArrayList<>();
    List<String> positions = new ArrayList<>();
    String[] parts = slice.isBlank() ? new String[0] : slice.split(",", -1);
    boolean isPlain = !slice.contains("...");
    for (int dimension = 0; isPlain && dimension < dataset.rank(); dimension++) {
      String part = dimension < parts.length ? parts[dimension] : ":";
      try {
        if (INDEX.matcher(part).matches()) {
          position(dataset, dimension, part.strip()).ifPresent(positions::add);
        } else if (axes.size() < shape.length) {
          axes.add(axis(dataset, dimension, part, shape[axes.size()]));
        }
      } catch (HyperslabException leadsNowhere) {
        axes.add(PlotAxis.ofIndices("", shape[Math.min(axes.size(), shape.length - 1)]));
      }
    }
    while (axes.size() < shape.length) {
      axes.add(PlotAxis.ofIndices("", shape[axes.size()]));
    }
    return new PlotLabels(
        axes, String.join(", ", positions), titled(text(dataset, "long_name").orElse(""), dataset));
  }

  private static String titled(String name, H5Object object) {
    Optional<String> units = text(object, "units");
    return units.map(unit -> name.isEmpty() ? unit : name + " (" + unit + ")").orElse(name);
  }

  private static Optional<String> text(H5Object object, String name) {
    if (!object.hasAttribute(name)) {
      return Optional.empty();
    }
    try {
      Attribute attribute = object.attribute(name);
      return attribute.space().elementCount() == 1
          ? Optional.of(attribute.readString().strip()).filter(text -> !text.isEmpty())
          : Optional.empty();
    } catch (HyperslabException noText) {
      return Optional.empty();
    }
  }

  private static PlotAxis axis(Dataset dataset, int dimension, String part, long count) {
    List<Dataset> scales = DimensionScales.scales(dataset, dimension);
    try {
      String name = name(dataset, dimension, scales);
      PlotAxis indices = PlotAxis.ofPart(name, count, part, dataset.shape()[dimension]);
      if (scales.isEmpty() || !hasCoordinates(scales.getFirst(), dataset, dimension)) {
        return indices;
      }
      double[] coordinates = scales.getFirst().slice(part).readDoubles();
      boolean isRegular = coordinates.length == count && count > 1 && isRegular(coordinates);
      return isRegular
          ? new PlotAxis(
              titled(name, scales.getFirst()),
              count,
              coordinates[0],
              coordinates[coordinates.length - 1],
              false)
          : indices;
    } finally {
      scales.forEach(Dataset::close);
    }
  }

  private static Optional<String> position(Dataset dataset, int dimension, String index) {
    List<Dataset> scales = DimensionScales.scales(dataset, dimension);
    try {
      String name = name(dataset, dimension, scales);
      if (name.isEmpty()) {
        return Optional.empty();
      }
      if (scales.isEmpty() || !hasCoordinates(scales.getFirst(), dataset, dimension)) {
        return Optional.of(name + "[" + index + "]");
      }
      double coordinate = scales.getFirst().slice(index).readDoubles()[0];
      String unit = text(scales.getFirst(), "units").map(each -> " " + each).orElse("");
      return Optional.of(name + " = " + AxisTicks.text(coordinate) + unit);
    } finally {
      scales.forEach(Dataset::close);
    }
  }

  private static String name(Dataset dataset, int dimension, List<Dataset> scales) {
    return DimensionScales.label(dataset, dimension)
        .or(() -> scales.stream().findFirst().flatMap(Dataset::findPath).map(PlotLabels::lastPart))
        .orElse("");
  }

  private static String lastPart(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Returns whether a scale has coordinates, unlike that of a netCDF dimension alone. */
  private static boolean hasCoordinates(Dataset scale, Dataset dataset, int dimension) {
    boolean isNumber = scale.type() instanceof FloatType || scale.type() instanceof IntegerType;
    boolean isNameOnly =
        DimensionScales.name(scale).filter(name -> name.startsWith("This is a netCDF")).isPresent();
    return isNumber
        && !isNameOnly
        && scale.rank() == 1
        && scale.elementCount() == dataset.shape()[dimension]
        && scale.elementCount() <= MAX_COORDINATES;
  }

  private static boolean isRegular(double[] coordinates) {
    int last = coordinates.length - 1;
    double step = (coordinates[last] - coordinates[0]) / last;
    boolean isRegular = Double.isFinite(step) && step != 0;
    for (int i = 0; i <= last && isRegular; i++) {
      double expected = coordinates[0] + step * i;
      isRegular = Math.abs(coordinates[i] - expected) <= IRREGULAR * Math.abs(step);
    }
    return isRegular;
  }
}
