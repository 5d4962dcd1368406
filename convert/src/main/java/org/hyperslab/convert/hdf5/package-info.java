/** HDF5 files as a source and as a target, through the public API and so any connector. */
package org.hyperslab.convert.hdf5;
