/**
 * FLASH I/O: the input and output kernel of the FLASH astrophysics code, as a user of the public
 * API would write it.
 *
 * <p>Source: the FLASH I/O benchmark's HDF5 version ({@code h5_parallel_write.c}, {@code
 * checkpoint_hdf5_parallel.F90}, {@code plotfile_hdf5_parallel.F90}).
 */
package org.hyperslab.examples.flashio;
