package org.hyperslab.scales;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;

/**
 * The dimensions of a file and of each of its datasets, in the model of netCDF-4: the one reading
 * on which all that presents files by their dimensions agrees.
 *
 * <p>Groups and datasets are added in the order of netCDF-C, the datasets of a group before those
 * of the groups in it. Then {@link #resolve} is called once, then the rest. Datasets may be closed
 * after they were added.
 *
 * <ul>
 *   <li>A scale defines a dimension of its group with the name of its link. A scale without
 *       elements is no variable.
 *   <li>An axis has the last scale attached to it; a scale that is a variable is that of its own
 *       first axis, and the numbers in {@code _Netcdf4Coordinates} name the dimensions of the
 *       others.
 *   <li>An unlimited dimension is as long as the longest variable. Variables that are shorter have
 *       its length too; their elements beyond their own end are fill values.
 *   <li>An axis without a scale, or whose length differs from that of its dimension, has a
 *       dimension that is not in the file, named {@code phony_dim_0} and so on.
 *   <li>A variable that has the name of a dimension without being its coordinate variable is linked
 *       as {@code _nc4_non_coord_NAME}.
 * </ul>
 *
 * <p>Thread rule: confined to one thread until it is resolved, then immutable.
 *
 * <p>Source: netCDF-4 File Format Specification; libhdf5/hdf5open.c (rec_match_dimscales,
 * create_phony_dims).
 */
public final class DimensionTable {

  private static final String ROOT = "/";

  /** The address of no scale. */
  private static final Long NONE = 0L;

  /**
   * A dimension of the file.
   *
   * @param group the path of the group that defines it
   * @param name its name
   * @param length its length in elements
   * @param unlimited whether it can grow
   * @param phony whether it is not in the file, and stands for an axis without a scale
   * @param number its number in the file
   */
  public record Dim(
      String group, String name, long length, boolean unlimited, boolean phony, int number) {

    /**
     * Returns the path.
     *
     * @return the path of the group, and the name
     */
    public String path() {
      return DimensionTable.path(group, name);
    }
  }

  /**
   * A dataset that is a variable or stands for a dimension.
   *
   * @param group the path of its group
   * @param linkName the name of its link
   * @param name the name of the variable
   * @param scaleOf the dimension of which it is the scale, if it is one
   * @param isVariable whether it is a variable; otherwise it only stands for a dimension
   * @param dims the dimension of each axis, slowest first
   * @param attached the dimension of the scale that is attached to each axis, whether it fits or
   *     not; empty where there is none in this table
   * @param scaleCounts the number of scales that are attached to each axis
   */
  public record Member(
      String group,
      String linkName,
      String name,
      Optional<Dim> scaleOf,
      boolean isVariable,
      List<Dim> dims,
      List<Optional<Dim>> attached,
      List<Integer> scaleCounts) {

    /** Copies the lists. */
    public Member {
      dims = List.copyOf(dims);
      attached = List.copyOf(attached);
      scaleCounts = List.copyOf(scaleCounts);
    }

    /**
     * Returns the path of the variable.
     *
     * @return the path of its group, and its name
     */
    public String path() {
      return DimensionTable.path(group, name);
    }

    /**
     * Returns the shape of the variable, which may be larger than the extent of its dataset.
     *
     * @return the lengths of its dimensions, slowest first
     */
    public long[] shape() {
      return dims.stream().mapToLong(Dim::length).toArray();
    }
  }

  /** A dataset as it was added. */
  private record Added(String group, String linkName, ScaleNotes notes) {}

  private final List<String> groups = new ArrayList<>();
  private final Map<Long, Added> added = new LinkedHashMap<>();
  private final Map<String, List<Added>> byGroup = new HashMap<>();
  private final Map<Integer, Long> byNumber = new TreeMap<>();
  private final Map<Long, Dim> scales = new HashMap<>();
  private final List<Dim> all = new ArrayList<>();
  private final Map<String, List<Dim>> ofGroups = new HashMap<>();
  private final Map<Long, Member> members = new LinkedHashMap<>();
  private boolean numbered;
  private int nextNumber;

  /** Creates an empty table. */
  public DimensionTable() {}

  /**
   * Reads the dimensions of a file. Datasets whose attributes cannot be read have axes without
   * scales; those whose shape cannot be read are left out.
   *
   * @param file the file, open
   * @return the table
   */
  public static DimensionTable of(H5File file) {
    DimensionTable table = new DimensionTable();
    new DimensionWalk(table).walk(file.root());
    table.resolve();
    return table;
  }

  /**
   * Returns the path of a member of a group.
   *
   * @param group the path of the group; "/" for the root group
   * @param name the name of the member
   * @return the path
   */
  public static String path(String group, String name) {
    return group.equals(ROOT) ? ROOT + name : group + "/" + name;
  }

  // --- adding ---

  /**
   * Adds a group.
   *
   * @param path its path; "/" for the root group
   */
  public void addGroup(String path) {
    groups.add(path);
  }

  /**
   * Adds a dataset. A second link to a dataset that was added has no effect.
   *
   * @param group the path of its group
   * @param linkName the name of its link
   * @param dataset the dataset, open
   */
  public void add(String group, String linkName, Dataset dataset) {
    add(group, linkName, ScaleNotes.of(dataset));
  }

  void add(String group, String linkName, ScaleNotes notes) {
    Added dataset = new Added(group, linkName, notes);
    if (added.putIfAbsent(notes.token(), dataset) == null) {
      byGroup.computeIfAbsent(group, _ -> new ArrayList<>()).add(dataset);
    }
  }

  // --- resolving ---

  /** Determines the dimensions of all datasets that were added. */
  public void resolve() {
    numberScales();
    Map<Long, Long> lengths = lengths();
    byNumber.forEach((number, token) ->
        define(number, added(token), Objects.requireNonNull(lengths.get(token))));
    resolveMembers();
  }

  /**
   * Determines the dimensions of the datasets that netCDF-C has, and then of the others, because
   * netCDF-C numbers phony dimensions without them.
   */
  private void resolveMembers() {
    Map<String, List<String>> children = children();
    Map<Long, Member> found = new HashMap<>();
    List<String> order = childrenFirst(children);
    for (boolean ofNetcdf : new boolean[] {true, false}) {
      for (String group : order) {
        Set<String> taken = takenNames(group, children.getOrDefault(group, List.of()));
        datasets(group)
            .filter(each -> each.notes.isOfNetcdf() == ofNetcdf)
            .forEach(each -> found.put(each.notes.token(), member(each, taken)));
      }
    }
    order.stream()
        .flatMap(this::datasets)
        .forEach(each -> members.put(each.notes.token(), found.get(each.notes.token())));
  }

  private Stream<Added> datasets(String group) {
    return byGroup.getOrDefault(group, List.of()).stream();
  }

  /** Gives each scale its number: that of the file, if each has a distinct one there. */
  private void numberScales() {
    List<ScaleNotes> all =
        added.values().stream().map(Added::notes).filter(ScaleNotes::isScale).toList();
    Set<Integer> used = new HashSet<>();
    numbered = all.stream().allMatch(scale -> scale.number() >= 0 && used.add(scale.number()));
    for (ScaleNotes scale : all) {
      byNumber.put(numbered ? scale.number() : byNumber.size(), scale.token());
      nextNumber = Math.max(nextNumber, numbered ? scale.number() + 1 : byNumber.size());
    }
  }

  /** Returns the length of each dimension: of an unlimited one, that of the longest variable. */
  private Map<Long, Long> lengths() {
    Map<Long, Long> lengths = new HashMap<>();
    byNumber.values().forEach(token -> lengths.put(token, added(token).notes.scaleLength()));
    for (Added each : added.values()) {
      List<Long> axes = scalesOfAxes(each.notes);
      for (int axis = 0; axis < axes.size(); axis++) {
        if (each.notes.isUnlimited(axis) && isUnlimitedScale(axes.get(axis))) {
          lengths.merge(axes.get(axis), each.notes.space().dim(axis), Math::max);
        }
      }
    }
    return lengths;
  }

  /** Returns what was added under a token that comes from this table. */
  private Added added(long token) {
    return Objects.requireNonNull(added.get(token));
  }

  private boolean isUnlimitedScale(long token) {
    return token != NONE && added(token).notes.isUnlimited(0);
  }

  /** Returns the address of the scale of each axis; 0 where an axis has none of this table. */
  private List<Long> scalesOfAxes(ScaleNotes notes) {
    List<Long> axes = new ArrayList<>(Collections.nCopies(notes.rank(), NONE));
    for (int axis = 0; axis < axes.size(); axis++) {
      if (notes.isScale() && axis == 0) {
        axes.set(axis, notes.token());
      } else if (!notes.isScale() && notes.referenceCount(axis) > 0) {
        Added scale = added.get(notes.references().get(axis).getLast());
        axes.set(axis, scale != null && scale.notes.isScale() ? scale.notes.token() : NONE);
      } else if (axis < notes.coordinates().size()) {
        axes.set(axis, byNumber.getOrDefault(notes.coordinates().get(axis), NONE));
      }
    }
    return axes;
  }

  private void define(int number, Added scale, long length) {
    boolean unlimited = scale.notes.isUnlimited(0);
    Dim dim = new Dim(scale.group, scale.linkName, length, unlimited, false, number);
    scales.put(scale.notes.token(), dim);
    add(dim);
  }

  private void add(Dim dim) {
    all.add(dim);
    ofGroups.computeIfAbsent(dim.group, _ -> new ArrayList<>()).add(dim);
  }

  /** Returns the paths of the groups in each group. */
  private Map<String, List<String>> children() {
    Set<String> known = new LinkedHashSet<>(groups);
    added.values().forEach(each -> known.add(each.group));
    known.remove(ROOT);
    Map<String, List<String>> children = new HashMap<>();
    for (String path : known) {
      String above = path.substring(0, path.lastIndexOf('/'));
      children
          .computeIfAbsent(known.contains(above) ? above : ROOT, _ -> new ArrayList<>())
          .add(path);
    }
    return children;
  }

  /**
   * Returns the groups, those in a group before it, so that phony dimensions get the same names as
   * in netCDF-C.
   */
  private static List<String> childrenFirst(Map<String, List<String>> children) {
    List<String> parentsFirst = new ArrayList<>();
    Deque<String> open = new ArrayDeque<>(List.of(ROOT));
    while (!open.isEmpty()) {
      String group = open.pop();
      parentsFirst.add(group);
      children.getOrDefault(group, List.of()).forEach(open::push);
    }
    return parentsFirst.reversed();
  }

  /** Returns the names in a group that no variable can have whose link is named otherwise. */
  private Set<String> takenNames(String group, List<String> groups) {
    Set<String> taken = new HashSet<>();
    groups.forEach(path -> taken.add(path.substring(path.lastIndexOf('/') + 1)));
    datasets(group)
        .filter(each -> !each.notes.isOnlyDimension())
        .forEach(each -> taken.add(each.linkName));
    return taken;
  }

  private Member member(Added of, Set<String> taken) {
    ScaleNotes notes = of.notes;
    String name = ScaleConventions.variableName(of.linkName);
    List<Long> tokens = scalesOfAxes(notes);
    List<Optional<Dim>> attached = new ArrayList<>();
    List<Dim> axes = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    for (int axis = 0; axis < tokens.size(); axis++) {
      Dim dim = scales.get(tokens.get(axis));
      attached.add(Optional.ofNullable(dim));
      counts.add(notes.referenceCount(axis));
      if (!notes.isOnlyDimension()) {
        axes.add(dim != null && fits(dim, notes, axis) ? dim : phony(of, axis, axes));
      }
    }
    return new Member(
        of.group,
        of.linkName,
        name.equals(of.linkName) || taken.contains(name) ? of.linkName : name,
        Optional.ofNullable(scales.get(notes.token())),
        !notes.isOnlyDimension(),
        axes,
        attached,
        counts);
  }

  private static boolean fits(Dim dim, ScaleNotes notes, int axis) {
    return dim.length == notes.space().dim(axis) || dim.unlimited && notes.isUnlimited(axis);
  }

  /**
   * Returns a dimension for an axis without one: one of the group of the same length that the
   * variable does not have yet, or a new one.
   */
  private Dim phony(Added of, int axis, List<Dim> before) {
    long length = of.notes.space().dim(axis);
    boolean unlimited = of.notes.isUnlimited(axis);
    for (Dim known : ofGroups.getOrDefault(of.group, List.of())) {
      if (known.length == length && known.unlimited == unlimited && !before.contains(known)) {
        return known;
      }
    }
    int number = nextNumber++;
    Dim made = new Dim(of.group, "phony_dim_" + number, length, unlimited, true, number);
    add(made);
    return made;
  }

  // --- what was found ---

  /**
   * Lists the dimensions.
   *
   * @return those of the file, in the order of their numbers, then the others
   */
  public List<Dim> dims() {
    return List.copyOf(all);
  }

  /**
   * Returns what a dataset is.
   *
   * @param dataset the dataset, open
   * @return the member; empty if it was not added
   */
  public Optional<Member> member(Dataset dataset) {
    return Optional.ofNullable(members.get(dataset.token().address()));
  }

  /**
   * Lists the datasets.
   *
   * @return the members by the addresses of their datasets
   */
  public Map<Long, Member> members() {
    return Collections.unmodifiableMap(members);
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
   * @return one more than the largest number; 0 without dimensions
   */
  public int nextNumber() {
    return nextNumber;
  }
}
