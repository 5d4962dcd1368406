package org.hyperslab.netcdf;

import org.hyperslab.CommittedType;
import org.hyperslab.format.type.Datatype;

/**
 * A user-defined enum, compound, opaque or variable-length type.
 *
 * @param name its name in the group
 * @param datatype the datatype
 * @param committed the open committed type in the HDF5 file
 */
public record NetcdfUserType(String name, Datatype datatype, CommittedType committed) {}
