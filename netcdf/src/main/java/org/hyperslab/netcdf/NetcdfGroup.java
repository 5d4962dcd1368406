package org.hyperslab.netcdf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.type.Datatype;
import org.jspecify.annotations.Nullable;

/**
 * A group, with its dimensions, variables, types, attributes and groups. Dimensions and variables
 * have separate name spaces; variables may use dimensions and types of this group and of all groups
 * above.
 *
 * <p>Thread rule: as of {@link NetcdfFile}.
 */
public final class NetcdfGroup extends NetcdfObject {

  private final NetcdfFile file;
  private final @Nullable NetcdfGroup parent;
  private final String name;
  private final Group group;
  private final Map<String, NetcdfDimension> dimensions = new LinkedHashMap<>();
  private final Map<String, NetcdfVariable> variables = new LinkedHashMap<>();
  private final Map<String, NetcdfUserType> types = new LinkedHashMap<>();
  private final Map<String, NetcdfGroup> groups = new LinkedHashMap<>();

  NetcdfGroup(NetcdfFile file, @Nullable NetcdfGroup parent, String name, Group group) {
    this.file = file;
    this.parent = parent;
    this.name = name;
    this.group = group;
  }

  /**
   * Returns the name.
   *
   * @return the name, without a path; "/" for the root group
   */
  public String name() {
    return name;
  }

  @Override
  public String path() {
    return parent == null ? "/" : parent.child(name);
  }

  /** Returns the path of a member. */
  String child(String member) {
    return parent == null ? "/" + member : path() + "/" + member;
  }

  /**
   * Returns the group that contains this one.
   *
   * @return the group; empty for the root group
   */
  public Optional<NetcdfGroup> parent() {
    return Optional.ofNullable(parent);
  }

  // --- dimensions ---

  /**
   * Lists the dimensions that this group defines.
   *
   * @return the objects, in order of definition
   */
  public List<NetcdfDimension> dimensions() {
    return List.copyOf(dimensions.values());
  }

  /**
   * Returns a dimension of this group, or of the nearest group above that has one of that name.
   *
   * @param dimensionName its name
   * @return the dimension
   * @throws NotFoundException if there is none
   */
  public NetcdfDimension dimension(String dimensionName) {
    for (NetcdfGroup scope = this; scope != null; scope = scope.parent) {
      NetcdfDimension found = scope.dimensions.get(dimensionName);
      if (found != null) {
        return found;
      }
    }
    throw missing("dimension", dimensionName);
  }

  /**
   * Defines a dimension of fixed length.
   *
   * @param dimensionName its name
   * @param length elements, 0 or more
   * @return the dimension
   * @throws AlreadyExistsException if this group has a dimension, type or group of the name
   */
  public NetcdfDimension createDimension(String dimensionName, long length) {
    if (length < 0) {
      throw new InvalidUseException(
          "dimension: actual=" + length + ", expected=0 or more, at=" + child(dimensionName));
    }
    return create(dimensionName, length, false);
  }

  /**
   * Defines a dimension that grows as variables that have it are written.
   *
   * @param dimensionName its name
   * @return the dimension, of length 0
   * @throws AlreadyExistsException if this group has a dimension, type or group of the name
   * @throws InvalidUseException if the model is the classic one, and there is one already
   */
  public NetcdfDimension createUnlimitedDimension(String dimensionName) {
    if (file.isClassic() && dimensions.values().stream().anyMatch(NetcdfDimension::isUnlimited)) {
      throw new InvalidUseException(
          "unlimited dimension: actual=a second one, expected=one in the classic model, at="
              + child(dimensionName));
    }
    return create(dimensionName, 0, true);
  }

  private NetcdfDimension create(String dimensionName, long length, boolean unlimited) {
    file.requireWritable();
    String checked = NetcdfNames.checked(dimensionName, "dimension name");
    requireFreeDimension(checked);
    file.links().freeName(this, checked);
    NetcdfDimension.Spec spec =
        new NetcdfDimension.Spec(checked, length, unlimited, file.nextDimensionId(), false);
    NetcdfDimension made = new NetcdfDimension(this, spec);
    add(made);
    return made;
  }

  // --- variables ---

  /**
   * Lists the variables of this group.
   *
   * @return the objects, in order of creation
   */
  public List<NetcdfVariable> variables() {
    return List.copyOf(variables.values());
  }

  /**
   * Returns a variable by name or path.
   *
   * @param variablePath a name, or a path from this group such as {@code ocean/salinity}; from the
   *     root if it begins with "/"
   * @return the variable
   * @throws NotFoundException if there is none
   */
  public NetcdfVariable variable(String variablePath) {
    int slash = variablePath.lastIndexOf('/');
    NetcdfGroup owner = slash < 0 ? this : group(variablePath.substring(0, Math.max(1, slash)));
    String last = variablePath.substring(slash + 1);
    return owner.ownVariable(last).orElseThrow(() -> owner.missing("variable", last));
  }

  /**
   * Creates a variable with default options.
   *
   * @param variableName its name
   * @param type the type of its elements: one of {@link NetcdfTypes}, or a user type that this
   *     group or one above defines
   * @param dimensionNames a dimension in scope for each axis, slowest first; none for a scalar
   * @return the variable
   */
  public NetcdfVariable createVariable(
      String variableName, Datatype type, String... dimensionNames) {
    return createVariable(variableName, type, VariableOptions.DEFAULT, dimensionNames);
  }

  /**
   * Creates a variable.
   *
   * @param variableName its name
   * @param type the type of its elements: one of {@link NetcdfTypes}, or a user type that this
   *     group or one above defines
   * @param options how it is stored
   * @param dimensionNames a dimension in scope for each axis, slowest first; none for a scalar
   * @return the variable
   * @throws AlreadyExistsException if this group has a variable, type or group of the name
   * @throws NotFoundException if a dimension or the type is not defined
   * @throws InvalidUseException if the options do not match, or the classic model forbids it
   * @throws org.hyperslab.error.UnsupportedFeatureException if netCDF-4 has no such type
   */
  public NetcdfVariable createVariable(
      String variableName, Datatype type, VariableOptions options, String... dimensionNames) {
    file.requireWritable();
    String checked = NetcdfNames.checked(variableName, "variable name");
    requireFreeVariable(checked);
    List<NetcdfDimension> axes = new ArrayList<>();
    for (String dimensionName : dimensionNames) {
      axes.add(dimension(dimensionName));
    }
    return new VariableCreation(this, checked, type, options).create(axes);
  }

  // --- types ---

  /**
   * Lists the types that this group defines.
   *
   * @return the objects, in order of definition
   */
  public List<NetcdfUserType> types() {
    return List.copyOf(types.values());
  }

  /**
   * Defines a type that variables and attributes of this group and of those below may have.
   *
   * @param typeName its name
   * @param datatype an enum, compound, opaque or variable-length type
   * @return the type
   * @throws AlreadyExistsException if this group has a type, variable, dimension or group of the
   *     name
   * @throws InvalidUseException if it is no such type, or the model is the classic one
   * @throws org.hyperslab.error.UnsupportedFeatureException if netCDF-4 has no such type
   */
  public NetcdfUserType defineType(String typeName, Datatype datatype) {
    file.requireWritable();
    String checked = NetcdfNames.checked(typeName, "type name");
    NetcdfTypes.require(datatype, child(checked));
    file.requireModel(datatype, child(checked));
    if (!NetcdfTypes.isUserType(datatype)) {
      throw new InvalidUseException(
          "type to define: actual="
              + datatype.describe()
              + ", expected=an enum, compound, opaque or variable-length type, at="
              + child(checked));
    }
    requireFreeName(checked);
    NetcdfUserType made = new NetcdfUserType(checked, datatype, group.commit(checked, datatype));
    types.put(checked, made);
    return made;
  }

  /** Returns the user type that equals a datatype, from this group or the nearest group above. */
  NetcdfUserType requireType(Datatype datatype, String at) {
    for (NetcdfGroup scope = this; scope != null; scope = scope.parent) {
      for (NetcdfUserType type : scope.types.values()) {
        if (type.datatype().equals(datatype)) {
          return type;
        }
      }
    }
    throw new NotFoundException(
        "user type: actual="
            + datatype.describe()
            + " is not defined, expected=one that defineType made in this group or one above, at="
            + at);
  }

  // --- groups ---

  /**
   * Lists the groups in this group.
   *
   * @return the objects, in order of creation
   */
  public List<NetcdfGroup> groups() {
    return List.copyOf(groups.values());
  }

  /**
   * Returns a group by name or path.
   *
   * @param groupPath a name, or a path from this group; from the root if it begins with "/"
   * @return the group
   * @throws NotFoundException if there is none
   */
  public NetcdfGroup group(String groupPath) {
    NetcdfGroup at = groupPath.startsWith("/") ? file.root() : this;
    for (String part : groupPath.split("/")) {
      if (!part.isEmpty()) {
        NetcdfGroup next = at.groups.get(part);
        if (next == null) {
          throw at.missing("group", part);
        }
        at = next;
      }
    }
    return at;
  }

  /**
   * Creates a group.
   *
   * @param groupName its name
   * @return the group
   * @throws AlreadyExistsException if this group has a group, variable, type or dimension of the
   *     name
   * @throws InvalidUseException if the model is the classic one
   */
  public NetcdfGroup createGroup(String groupName) {
    file.requireWritable();
    String checked = NetcdfNames.checked(groupName, "group name");
    if (file.isClassic()) {
      throw new InvalidUseException(
          "group: actual=a new group, expected=none in the classic model, at=" + child(checked));
    }
    requireFreeName(checked);
    NetcdfGroup made =
        new NetcdfGroup(file, this, checked, group.createGroup(checked, NetcdfNames.GROUP));
    add(made);
    return made;
  }

  /**
   * Returns this group and all groups below it, parents before children.
   *
   * @return the groups
   */
  public Stream<NetcdfGroup> all() {
    return Stream.concat(Stream.of(this), groups.values().stream().flatMap(NetcdfGroup::all));
  }

  // --- what the rest of the package needs ---

  @Override
  H5Object object() {
    return group;
  }

  @Override
  NetcdfFile file() {
    return file;
  }

  @Override
  NetcdfGroup group() {
    return this;
  }

  Group h5() {
    return group;
  }

  Optional<NetcdfVariable> ownVariable(String variableName) {
    return Optional.ofNullable(variables.get(variableName));
  }

  Optional<NetcdfDimension> ownDimension(String dimensionName) {
    return Optional.ofNullable(dimensions.get(dimensionName));
  }

  void add(NetcdfDimension made) {
    dimensions.put(made.name(), made);
  }

  void add(NetcdfVariable made) {
    variables.put(made.name(), made);
  }

  void add(NetcdfUserType made) {
    types.put(made.name(), made);
  }

  void add(NetcdfGroup made) {
    groups.put(made.name, made);
  }

  void remove(NetcdfDimension gone) {
    dimensions.remove(gone.name());
  }

  void remove(NetcdfVariable gone) {
    variables.remove(gone.name());
  }

  void requireFreeDimension(String wanted) {
    requireFree(wanted, dimensions.containsKey(wanted) || isTypeOrGroup(wanted));
  }

  void requireFreeVariable(String wanted) {
    requireFree(wanted, variables.containsKey(wanted) || isTypeOrGroup(wanted));
  }

  private void requireFreeName(String wanted) {
    boolean taken = variables.containsKey(wanted) || dimensions.containsKey(wanted);
    requireFree(wanted, taken || isTypeOrGroup(wanted));
  }

  private boolean isTypeOrGroup(String wanted) {
    return types.containsKey(wanted) || groups.containsKey(wanted);
  }

  private void requireFree(String wanted, boolean taken) {
    if (taken) {
      throw new AlreadyExistsException(
          "name: actual=" + wanted + " exists, expected=another name, at=" + path());
    }
  }

  private NotFoundException missing(String what, String wanted) {
    return new NotFoundException(
        what + ": actual=none of the name " + wanted + ", expected=one, at=" + path());
  }

  /** Returns the path. */
  @Override
  public String toString() {
    return path();
  }
}
