package org.hyperslab.convert.model;

import org.hyperslab.format.type.Datatype;

/**
 * A named type that a group defines: a committed type of HDF5, or a user-defined type of netCDF-4.
 *
 * @param name its name in the group
 * @param type the type
 */
public record NamedType(String name, Datatype type) {}
