package org.hyperslab.spark.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.H5File;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.scales.DimensionTable;

/**
 * A dataset that a table is made of, as one file has it.
 *
 * <p>Thread rule: immutable.
 */
final class TableVariable {

  /** How groups begin in which this library keeps what it knows of a file. */
  private static final String OF_LIBRARY = "/.hyperslab.";

  /** The group with statistics of datasets. */
  private static final String STATISTICS = "/.hyperslab.statistics/";

  /** The attribute by which a dataset names its dimension scales. */
  private static final String SCALES = "DIMENSION_LIST";

  private final String path;
  private final String name;
  private final Datatype type;
  private final Decoding decoding;
  private final Layout layout;
  private final long[] shape;
  private final List<Axis> axes;
  private final boolean isSummarized;

  private TableVariable(
      String path,
      String name,
      Dataset dataset,
      Decoding decoding,
      List<Axis> axes,
      boolean isSummarized) {
    this.path = path;
    this.name = name;
    this.type = dataset.type();
    this.decoding = decoding;
    this.layout = dataset.options().layout();
    this.shape = dataset.shape();
    this.axes = axes;
    this.isSummarized = isSummarized && decoding.equals(Decoding.NONE);
  }

  /** Finds the variables that the options name, or all of the file if they name none. */
  static List<TableVariable> find(OpenSource opened, SourceOptions options) {
    H5File file = opened.file();
    Dimensions dimensions = new Dimensions(file);
    List<TableVariable> found = new ArrayList<>();
    if (!options.variables().isEmpty()) {
      for (SourceOptions.Variable asked : options.variables()) {
        try (Dataset dataset = dataset(file, asked.path(), opened.name())) {
          found.add(of(dataset, asked.path(), asked.name(), dimensions, options, opened.name()));
        }
      }
      return found;
    }
    for (String path : dimensions.variables()) {
      try (Dataset dataset = file.dataset(path)) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (dataset.rank() > 0) {
          found.add(of(dataset, path, name, dimensions, options, opened.name()));
        }
      }
    }
    if (found.isEmpty()) {
      throw new NotFoundException(
          "variables: actual=none, expected=one or more datasets, file=" + opened.name());
    }
    return found;
  }

  private static TableVariable of(
      Dataset dataset,
      String path,
      String name,
      Dimensions dimensions,
      SourceOptions options,
      String file) {
    if (dataset.rank() == 0) {
      throw new InvalidUseException(
          "shape: actual=a scalar, expected=one or more dimensions, variable="
              + path
              + ", file="
              + file);
    }
    Decoding decoding = options.decode() ? Decoding.of(dataset, file) : Decoding.NONE;
    return new TableVariable(
        path, name, dataset, decoding, dimensions.axes(dataset), dimensions.hasStatistics(dataset));
  }

  /** Opens a dataset whose absence is told with the names of others. */
  static Dataset dataset(H5File file, String path, String name) {
    try {
      if (file.exists(path) && file.get(path).kind() != ObjectKind.DATASET) {
        throw new InvalidUseException(
            "variable: actual=a group, expected=a dataset, or a group of a sparse matrix alone, variable="
                + path
                + ", file="
                + name);
      }
      return file.dataset(path);
    } catch (NotFoundException failure) {
      throw new NotFoundException(
          failure.getMessage() + ", variable=" + path + ", file=" + name, failure);
    }
  }

  String path() {
    return path;
  }

  String name() {
    return name;
  }

  Layout layout() {
    return layout;
  }

  long[] shape() {
    return shape.clone();
  }

  /** Returns whether the file keeps statistics of it, and they are of what the column has. */
  boolean isSummarized() {
    return isSummarized;
  }

  List<Axis> axes() {
    return axes;
  }

  String describe() {
    return type.describe();
  }

  /** Returns whether its elements are records, each of which is a row. */
  boolean isRecords() {
    return shape.length == 1
        && type instanceof CompoundType compound
        && !ElementCodec.isComplexPair(compound);
  }

  Filler filler(String file) {
    return Filler.of(type, decoding, ", variable=" + path + ", file=" + file);
  }

  /** Returns the column of a dataset. */
  static Filler filler(Dataset dataset, boolean decode, String file) {
    return Filler.of(
        dataset.type(),
        decode ? Decoding.of(dataset, file) : Decoding.NONE,
        ", variable=" + dataset.path() + ", file=" + file);
  }

  void requireSameAxes(TableVariable other, String file) {
    boolean same =
        Arrays.equals(shape, other.shape)
            && axes.stream()
                .map(Axis::coordinate)
                .toList()
                .equals(other.axes.stream().map(Axis::coordinate).toList());
    if (!same) {
      throw new InvalidUseException(
          "variables of one table: actual="
              + path
              + axes.stream().map(Axis::name).toList()
              + Arrays.toString(shape)
              + ", expected=the dimensions of "
              + other.path
              + other.axes.stream().map(Axis::name).toList()
              + Arrays.toString(other.shape)
              + "; name variables of the same dimensions in the option variables, file="
              + file);
    }
  }

  /** The dimensions of a file, which are looked for when a dataset has any. */
  private static final class Dimensions {

    private final H5File file;
    private DimensionTable table;

    Dimensions(H5File file) {
      this.file = file;
    }

    private DimensionTable table() {
      if (table == null) {
        table = DimensionTable.of(file);
      }
      return table;
    }

    /** Lists the paths of variables that are no coordinates. */
    List<String> variables() {
      return table().members().values().stream()
          .filter(DimensionTable.Member::isVariable)
          .filter(member -> member.scaleOf().isEmpty())
          .filter(member -> !member.group().startsWith(OF_LIBRARY))
          .map(member -> DimensionTable.path(member.group(), member.linkName()))
          .sorted()
          .toList();
    }

    /** Returns whether the file keeps statistics of a dataset, by its address, valid or not. */
    boolean hasStatistics(Dataset dataset) {
      return file.exists(STATISTICS + Long.toHexString(dataset.token().address()));
    }

    List<Axis> axes(Dataset dataset) {
      long[] shape = dataset.shape();
      Optional<DimensionTable.Member> member =
          dataset.hasAttribute(SCALES) || DimensionScales.isScale(dataset)
              ? table().member(dataset)
              : Optional.empty();
      List<Axis> axes = new ArrayList<>();
      Set<String> names = new HashSet<>();
      for (int i = 0; i < shape.length; i++) {
        Optional<DimensionTable.Dim> dim =
            member.isPresent() ? Optional.of(member.get().dims().get(i)) : Optional.empty();
        boolean isNamed = dim.isPresent() && !dim.get().phony();
        String name =
            isNamed
                ? dim.get().name()
                : DimensionScales.label(dataset, i)
                    .filter(text -> !text.isBlank())
                    .orElse("dim_" + i);
        if (!names.add(name)) {
          name = "dim_" + i;
          names.add(name);
        }
        axes.add(new Axis(name, shape[i], isNamed ? coordinate(dim.get(), shape[i]) : null));
      }
      return axes;
    }

    /** Returns the path of the coordinates of a dimension; null if there are none. */
    private String coordinate(DimensionTable.Dim dim, long length) {
      String path = dim.path();
      boolean isVariable =
          table().members().values().stream()
              .anyMatch(member ->
                  member.isVariable()
                      && member.scaleOf().isPresent()
                      && member.path().equals(path));
      if (!isVariable) {
        return null;
      }
      try (Dataset coordinates = file.dataset(path)) {
        return coordinates.rank() == 1 && coordinates.shape()[0] == length ? path : null;
      } catch (HyperslabException unreadable) {
        return null;
      }
    }
  }

  @Override
  public String toString() {
    return path
        + axes.stream()
            .map(Axis::name)
            .filter(Objects::nonNull)
            .collect(Collectors.joining(",", "[", "]"));
  }
}
