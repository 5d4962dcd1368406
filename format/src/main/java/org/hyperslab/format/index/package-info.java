/**
 * The structures by which a file finds its parts, in their stored form. They are the indexes of
 * chunks, dense storage of links and attributes, symbol tables of old-style groups, shared object
 * header messages, and the structures below them, version 2 B-trees and fractal heaps.
 *
 * <ul>
 *   <li>{@link org.hyperslab.format.index.ChunkIndex}: the place and size of each chunk of a
 *       chunked dataset and the filters skipped for it, in each of HDF5's six forms.
 *   <li>{@link org.hyperslab.format.index.DenseStorage}: messages in a fractal heap, with a B-tree
 *       by the hash of the name and one by creation order. Source: HDF5 File Format Specification,
 *       IV.A.2.c "Link Info", IV.A.2.v "Attribute Info", III.A.2 record types 5, 6, 8 and 9; the C
 *       library's H5Gdense.c, H5Adense.c.
 *   <li>{@link org.hyperslab.format.index.SymbolTable}: a version 1 B-tree whose leaves refer to
 *       symbol table nodes, and a local heap of names.
 *   <li>{@link org.hyperslab.format.index.SharedMessages}: the master table, its indexes as lists
 *       or B-trees, and the heaps of messages that several object headers share. Source: III.J
 *       "Shared Object Header Message Table"; the C library's H5SM*.c.
 *   <li>{@code BTreeV2}: ordered fixed-size records in checksummed nodes with subtree counts,
 *       generic over the record. Source: III.A.2 "Version 2 B-trees"; the C library's H5B2*.c for
 *       the states that an edit may leave.
 *   <li>{@link org.hyperslab.format.index.FractalHeap}: objects of any size under short ids, in
 *       blocks laid out by a doubling table, in space of their own, or in the id itself. Source:
 *       III.G "Fractal Heap"; the C library's H5HF*.c for the order in which blocks are allocated
 *       and for the computation of statistics and free space.
 * </ul>
 */
package org.hyperslab.format.index;
