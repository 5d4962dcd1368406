/**
 * Free-space managers: the lists of unused ranges that a file, or a fractal heap, stores on disk.
 *
 * <p>Source: HDF5 File Format Specification, III.H "Free-space Manager"; the C library's H5FS*.c
 * for the computation of counts.
 */
package org.hyperslab.format.freespace;
