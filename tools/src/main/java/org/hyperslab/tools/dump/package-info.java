/** The command {@code dump}: prints files in HDF5's data description language. */
package org.hyperslab.tools.dump;
