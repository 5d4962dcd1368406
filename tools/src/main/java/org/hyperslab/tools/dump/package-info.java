/** Prints HDF5's data description language as the C library's {@code h5dump} does. */
package org.hyperslab.tools.ddl;
