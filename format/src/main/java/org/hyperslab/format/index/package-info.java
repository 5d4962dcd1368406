/**
 * The structures by which a file finds its parts, each in the form in which it is stored: indexes
 * of chunks, dense storage of links and attributes, symbol tables of old groups, shared object
 * header messages, and what they are built on, B-trees of version 2 and fractal heaps.
 *
 * <ul>
 *   <li>{@link org.hyperslab.format.index.ChunkIndex}: where each chunk of a chunked dataset lies,
 *       how many bytes it takes and which filters were skipped, in each of the six forms that HDF5
 *       has.
 *   <li>{@link org.hyperslab.format.index.DenseStorage}: messages in a fractal heap, with one
 *       B-tree by hash of name and one by creation order. Source: HDF5 File Format Specification,
 *       IV.A.2.c "Link Info", IV.A.2.v "Attribute Info", III.A.2 record types 5, 6, 8 and 9; the C
 *       library's H5Gdense.c, H5Adense.c.
 *   <li>{@link org.hyperslab.format.index.SymbolTable}: a B-tree of version 1 whose leaves lead to
 *       symbol table nodes, and a local heap of names.
 *   <li>{@link org.hyperslab.format.index.SharedMessages}: the master table, its indexes as lists
 *       or B-trees, and the heaps of messages that several object headers share. Source: III.J
 *       "Shared Object Header Message Table"; the C library's H5SM*.c.
 *   <li>{@code BTreeV2}: ordered fixed-size records in checksummed nodes with subtree counts,
 *       generic over the record. Source: III.A.2 "Version 2 B-trees"; the C library's H5B2*.c for
 *       what an editor may leave behind.
 *   <li>{@link org.hyperslab.format.index.FractalHeap}: objects of any size under short
 *       identifiers, in blocks laid out by a doubling table, in space of their own, or in the
 *       identifier itself. Source: III.G "Fractal Heap"; the C library's H5HF*.c for the order in
 *       which blocks are taken and for how statistics and free space are reckoned.
 * </ul>
 */
package org.hyperslab.format.index;
