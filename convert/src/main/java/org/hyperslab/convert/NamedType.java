package org.hyperslab.convert;

import org.hyperslab.format.type.Datatype;

/**
 * A type that a group defines under a name: HDF5's committed types, netCDF-4's user types.
 *
 * @param name its name in the group
 * @param type the type
 */
record NamedType(String name, Datatype type) {}
