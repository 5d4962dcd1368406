/**
 * Fractal heaps: objects of any size under short identifiers, in blocks laid out by a doubling
 * table, in space of their own, or in the identifier itself.
 *
 * <p>Source: HDF5 File Format Specification, III.G "Fractal Heap"; the C library's H5HF*.c for the
 * order in which blocks are taken and for how statistics and free space are reckoned.
 */
package org.hyperslab.format.fractal;
