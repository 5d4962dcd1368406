/**
 * The fractal heap: objects of any size under short ids, in blocks laid out by a doubling table, in
 * space of their own, or in the id itself.
 *
 * <p>Source: HDF5 File Format Specification, III.G "Fractal Heap"; the C library's H5HF*.c for the
 * order in which blocks are allocated and for the computation of statistics and free space.
 */
package org.hyperslab.format.index.fractal;
