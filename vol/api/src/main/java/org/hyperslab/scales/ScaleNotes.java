package org.hyperslab.scales;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.ComplexType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.VlenType;

/**
 * What the attributes of a dataset say about dimensions, as values: the dataset need not stay open.
 *
 * @param token the address of the dataset
 * @param space its extent
 * @param isOfNetcdf whether netCDF-C takes it for a variable or a dimension
 * @param isScale whether it is a dimension scale
 * @param isOnlyDimension whether it is a scale without elements, which stands for nothing but its
 *     dimension
 * @param number the number of the dimension of which it is the scale; -1 if it has none
 * @param coordinates the numbers of the dimensions of its axes; empty if it has none
 * @param references for each axis the addresses of the scales that are attached to it
 */
record ScaleNotes(
    long token,
    Dataspace space,
    boolean isOfNetcdf,
    boolean isScale,
    boolean isOnlyDimension,
    int number,
    List<Integer> coordinates,
    List<List<Long>> references) {

  /** Reads the attributes of a dataset. */
  static ScaleNotes of(Dataset dataset) {
    Set<String> kept =
        dataset
            .attributes()
            .map(Attribute::name)
            .filter(ScaleConventions::isHidden)
            .collect(Collectors.toUnmodifiableSet());
    boolean isScale =
        kept.contains(ScaleConventions.CLASS)
            && dataset.rank() > 0
            && DimensionScales.isScale(dataset);
    boolean isOnlyDimension =
        isScale
            && kept.contains(ScaleConventions.NAME)
            && DimensionScales.name(dataset)
                .filter(name -> name.startsWith(ScaleConventions.NO_VARIABLE))
                .isPresent();
    return new ScaleNotes(
        dataset.token().address(),
        dataset.space(),
        isOfNetcdf(dataset),
        isScale,
        isOnlyDimension,
        isScale && kept.contains(ScaleConventions.DIMENSION_ID) ? number(dataset) : -1,
        kept.contains(ScaleConventions.COORDINATES) ? coordinates(dataset) : List.of(),
        kept.contains(ScaleConventions.DIMENSION_LIST) ? references(dataset) : List.of());
  }

  /** Returns the notes of a dataset whose attributes cannot be read. */
  static ScaleNotes unreadable(Dataset dataset) {
    return new ScaleNotes(
        dataset.token().address(), dataset.space(), false, false, false, -1, List.of(), List.of());
  }

  /** Returns whether netCDF-C knows the type: user types only if they are in the file. */
  private static boolean isOfNetcdf(Dataset dataset) {
    return ScaleConventions.foreign(dataset).isEmpty()
        && switch (dataset.type()) {
          case EnumType _, CompoundType _, OpaqueType _, VlenType _, ComplexType _ ->
              dataset.committedType().isPresent();
          default -> true;
        };
  }

  private static int number(Dataset scale) {
    Attribute stored = scale.attribute(ScaleConventions.DIMENSION_ID);
    if (!(stored.type() instanceof IntegerType) || stored.space().elementCount() != 1) {
      return -1;
    }
    long number = stored.readLongs()[0];
    return number >= Integer.MAX_VALUE ? -1 : (int) Math.max(number, -1);
  }

  private static List<Integer> coordinates(Dataset dataset) {
    Attribute coordinates = dataset.attribute(ScaleConventions.COORDINATES);
    if (!(coordinates.type() instanceof IntegerType) || coordinates.space().rank() != 1) {
      return List.of();
    }
    int[] stored = coordinates.read(int[].class);
    List<Integer> numbers = new ArrayList<>();
    for (int axis = 0; axis < Math.min(dataset.rank(), stored.length); axis++) {
      numbers.add(stored[axis]);
    }
    return numbers;
  }

  private static List<List<Long>> references(Dataset dataset) {
    List<List<Long>> all = new ArrayList<>();
    for (List<Reference> axis : DimensionScales.scaleReferences(dataset)) {
      all.add(axis.stream().map(Reference::token).toList());
    }
    return all;
  }

  int rank() {
    return space.rank();
  }

  /** Returns whether an axis can grow without a limit. */
  boolean isUnlimited(int axis) {
    return space.maxDim(axis) == Dataspace.UNLIMITED;
  }

  /** Returns the number of scales that are attached to an axis. */
  int referenceCount(int axis) {
    return axis < references.size() ? references.get(axis).size() : 0;
  }

  /** Returns the length of the dimension, as far as this scale determines it. */
  long scaleLength() {
    return isOnlyDimension && isUnlimited(0) ? 0 : space.dim(0);
  }
}
