/**
 * Free-space managers: the lists of unused ranges that a file, or a fractal heap, keeps on disk.
 *
 * <p>Source: HDF5 File Format Specification, III.H "Free-space Manager"; the C library's H5FS*.c
 * for how the counts are reckoned.
 */
package org.hyperslab.format.freespace;
