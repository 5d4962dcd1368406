package org.hyperslab.netcdf;

import java.util.Optional;
import org.hyperslab.Dataset;
import org.jspecify.annotations.Nullable;

/**
 * A named length that variables share. The HDF5 file stores it as a dimension scale: the variable
 * with the same name, if the dimension is its first, or else a dataset without elements, which is
 * created when the file is flushed or closed.
 *
 * <p>Thread rule: as of {@link NetcdfFile}.
 */
public final class NetcdfDimension {

  private final NetcdfGroup group;
  private final boolean unlimited;
  private final boolean phony;
  private final int id;
  private String name;
  private long length;

  /**
   * The dataset without elements; null if a variable is the scale, or if it has not been created
   * yet.
   */
  private @Nullable Dataset scale;

  /**
   * The properties of a new dimension.
   *
   * @param name its name
   * @param length its current length in elements
   * @param unlimited whether it can grow
   * @param id its number in the file, from 0
   * @param phony whether it represents an axis without a dimension scale
   */
  record Spec(String name, long length, boolean unlimited, int id, boolean phony) {}

  NetcdfDimension(NetcdfGroup group, Spec spec) {
    this.group = group;
    this.name = spec.name;
    this.length = spec.length;
    this.unlimited = spec.unlimited;
    this.id = spec.id;
    this.phony = spec.phony;
  }

  /**
   * Returns the group that defines this dimension.
   *
   * @return the group
   */
  public NetcdfGroup group() {
    return group;
  }

  /**
   * Returns the name.
   *
   * @return the name, without a path
   */
  public String name() {
    return name;
  }

  /**
   * Returns the current length.
   *
   * @return the length in elements; for an unlimited dimension the length of the longest variable,
   *     0 without data
   */
  public long length() {
    return length;
  }

  /**
   * Returns whether this dimension can grow.
   *
   * @return whether writing beyond its end extends it
   */
  public boolean isUnlimited() {
    return unlimited;
  }

  /**
   * Returns whether this dimension represents an axis of a plain HDF5 dataset, which has no
   * dimensions. Such dimensions have names like {@code phony_dim_0}, as in netCDF-C, and are not in
   * the file.
   *
   * @return whether it is not in the file
   */
  public boolean isPhony() {
    return phony;
  }

  /**
   * Returns the variable that holds its coordinates.
   *
   * @return the variable of the group with the same name that has this as its first dimension, if
   *     any
   */
  public Optional<NetcdfVariable> coordinate() {
    return group.ownVariable(name).filter(variable -> variable.isCoordinateOf(this));
  }

  /**
   * Extends an unlimited dimension, and all variables that have it, to a length. Collective if
   * several ranks share the file; otherwise writing beyond the end extends it implicitly.
   *
   * @param newLength the new length in elements; a length not above the current one has no effect
   * @throws org.hyperslab.error.InvalidUseException if the dimension is not unlimited
   */
  public void extend(long newLength) {
    group.file().extend(this, newLength);
  }

  /**
   * Renames this dimension. A variable that held its coordinates becomes an ordinary variable; a
   * variable with the new name that has this as its first dimension becomes its coordinate
   * variable.
   *
   * @param newName the new name
   * @throws org.hyperslab.error.AlreadyExistsException if the group has a dimension, type or group
   *     with that name
   */
  public void rename(String newName) {
    group.file().links().rename(this, newName);
  }

  int id() {
    return id;
  }

  @Nullable Dataset scale() {
    return scale;
  }

  void setScale(@Nullable Dataset newScale) {
    this.scale = newScale;
  }

  void setName(String newName) {
    this.name = newName;
  }

  void restore(long former) {
    length = former;
  }

  void grow(long atLeast) {
    length = Math.max(length, atLeast);
  }

  /** Returns the dataset that is the scale of this dimension. */
  @Nullable Dataset scaleDataset() {
    return coordinate().map(NetcdfVariable::dataset).orElse(scale);
  }

  /** Returns name and length, in ncdump's notation. */
  @Override
  public String toString() {
    return name + " = " + (unlimited ? "UNLIMITED (" + length + ")" : length);
  }
}
