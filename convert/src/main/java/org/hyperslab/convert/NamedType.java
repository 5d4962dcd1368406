package org.hyperslab.convert;

import org.hyperslab.format.type.Datatype;

/**
 * A named type that a group defines: a committed type of HDF5, or a user-defined type of netCDF-4.
 *
 * @param name its name in the group
 * @param type the type
 */
record NamedType(String name, Datatype type) {}
