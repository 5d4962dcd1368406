package org.hyperslab.scales;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Reference;

/**
 * Finds out which datasets of a file are dimension scales, and which scale each axis of each
 * dataset has. Every dataset is added, in the order of netCDF-C: those of a group, then those of
 * the groups in it. Then {@link #number} is called once, then the rest.
 *
 * <p>Thread rule: confined to one thread.
 *
 * <p>Source: netCDF-4 File Format Specification; libhdf5/hdf5open.c.
 */
public final class ScaleIndex {

  /**
   * A dataset that is a dimension scale.
   *
   * @param dataset the dataset, open
   * @param linkName the name of its link, which is that of its dimension
   * @param hasVariable whether it is a coordinate variable; otherwise it stands for nothing but the
   *     dimension
   */
  public record Scale(Dataset dataset, String linkName, boolean hasVariable) {

    /**
     * Returns whether the dimension may grow.
     *
     * @return whether its first dimension is unlimited
     */
    public boolean isUnlimited() {
      return dataset.space().maxDim(0) == Dataspace.UNLIMITED;
    }

    /**
     * Returns the length of the dimension as far as the scale determines it.
     *
     * @return elements; 0 for an unlimited dimension without a variable, which is as long as the
     *     longest variable
     */
    public long length() {
      return isUnlimited() && !hasVariable ? 0 : dataset.space().dim(0);
    }
  }

  private final Map<Long, Scale> scales = new LinkedHashMap<>();
  private final Map<Long, Set<String>> attributes = new HashMap<>();
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final Map<Integer, Scale> byNumber = new HashMap<>();
  private boolean numbered = true;

  /** Creates an index of no datasets. */
  public ScaleIndex() {}

  /**
   * Notes a dataset.
   *
   * @param linkName the name of its link
   * @param dataset the dataset, open as long as this is used
   */
  public void add(String linkName, Dataset dataset) {
    Set<String> kept =
        dataset
            .attributes()
            .map(Attribute::name)
            .filter(ScaleConventions::isHidden)
            .collect(Collectors.toUnmodifiableSet());
    if (kept.isEmpty()) {
      return;
    }
    attributes.put(token(dataset), kept);
    boolean isScale =
        kept.contains(ScaleConventions.CLASS)
            && dataset.rank() > 0
            && DimensionScales.isScale(dataset);
    if (isScale) {
      scales.put(token(dataset), new Scale(dataset, linkName, !isOnlyDimension(dataset, kept)));
    }
  }

  private static long token(Dataset dataset) {
    return dataset.token().address();
  }

  private static boolean isOnlyDimension(Dataset scale, Set<String> kept) {
    return kept.contains(ScaleConventions.NAME)
        && DimensionScales.name(scale)
            .filter(name -> name.startsWith(ScaleConventions.NO_VARIABLE))
            .isPresent();
  }

  /** Gives each scale its number: that of the file, if each has a distinct one there. */
  public void number() {
    numbered = readNumbers();
    int next = 0;
    if (!numbered) {
      numbers.clear();
    }
    for (Map.Entry<Long, Scale> scale : scales.entrySet()) {
      int number = numbered ? numbers.get(scale.getKey()) : next++;
      numbers.put(scale.getKey(), number);
      byNumber.put(number, scale.getValue());
    }
  }

  private boolean readNumbers() {
    Set<Integer> used = new HashSet<>();
    for (Map.Entry<Long, Scale> scale : scales.entrySet()) {
      if (!attributes.get(scale.getKey()).contains(ScaleConventions.DIMENSION_ID)) {
        return false;
      }
      Dataset dataset = scale.getValue().dataset();
      Integer number = dataset.attribute(ScaleConventions.DIMENSION_ID).read(Integer.class);
      if (number < 0 || number == Integer.MAX_VALUE || !used.add(number)) {
        return false;
      }
      numbers.put(scale.getKey(), number);
    }
    return true;
  }

  /**
   * Returns whether the file has a number for every scale.
   *
   * @return true also without any scale
   */
  public boolean isNumbered() {
    return numbered;
  }

  /**
   * Returns the number that the next dimension of the file gets.
   *
   * @return one more than the largest number; 0 without scales
   */
  public int nextNumber() {
    return numbers.isEmpty() ? 0 : Math.addExact(Collections.max(numbers.values()), 1);
  }

  /**
   * Lists the scales.
   *
   * @return the scales in the order of their numbers
   */
  public List<Scale> scales() {
    return scales.values().stream().sorted(Comparator.comparingInt(this::number)).toList();
  }

  /**
   * Returns the number of the dimension that a scale stands for.
   *
   * @param scale a scale of this index
   * @return the number, from 0
   */
  public int number(Scale scale) {
    return numbers.get(token(scale.dataset()));
  }

  /**
   * Returns the scale that a dataset is.
   *
   * @param dataset a dataset that was added
   * @return the scale; empty if the dataset is none
   */
  public Optional<Scale> scale(Dataset dataset) {
    return Optional.ofNullable(scales.get(token(dataset)));
  }

  /**
   * Returns the scale of each axis of a dataset. A scale is that of its own first axis; those of
   * its other axes are named by their numbers. Of several scales of one axis the last counts, as in
   * netCDF-C.
   *
   * @param dataset a dataset that was added
   * @return an entry for each axis, slowest first; empty where an axis has no scale of this index
   */
  public List<Optional<Scale>> axes(Dataset dataset) {
    int rank = dataset.rank();
    List<Optional<Scale>> axes = new ArrayList<>(Collections.nCopies(rank, Optional.empty()));
    Set<String> kept = attributes.getOrDefault(token(dataset), Set.of());
    Scale own = scales.get(token(dataset));
    if (own != null) {
      if (kept.contains(ScaleConventions.COORDINATES)) {
        byNumbers(dataset, axes);
      }
      axes.set(0, Optional.of(own));
    } else if (kept.contains(ScaleConventions.DIMENSION_LIST)) {
      List<List<Reference>> lists = DimensionScales.scaleReferences(dataset);
      for (int axis = 0; axis < Math.min(rank, lists.size()); axis++) {
        List<Reference> list = lists.get(axis);
        if (!list.isEmpty()) {
          axes.set(axis, Optional.ofNullable(scales.get(list.getLast().token())));
        }
      }
    }
    return axes;
  }

  private void byNumbers(Dataset dataset, List<Optional<Scale>> axes) {
    int[] stored = dataset.attribute(ScaleConventions.COORDINATES).read(int[].class);
    for (int axis = 0; axis < Math.min(axes.size(), stored.length); axis++) {
      axes.set(axis, Optional.ofNullable(byNumber.get(stored[axis])));
    }
  }

  /**
   * Returns how many scales each axis of a dataset refers to, whether they are in this index or
   * not.
   *
   * @param dataset a dataset that was added
   * @return a count for each axis, slowest first; zeros for a scale
   */
  public int[] referenceCounts(Dataset dataset) {
    int[] counts = new int[dataset.rank()];
    Set<String> kept = attributes.getOrDefault(token(dataset), Set.of());
    if (kept.contains(ScaleConventions.DIMENSION_LIST)) {
      List<List<Reference>> lists = DimensionScales.scaleReferences(dataset);
      for (int axis = 0; axis < Math.min(counts.length, lists.size()); axis++) {
        counts[axis] = lists.get(axis).size();
      }
    }
    return counts;
  }
}
