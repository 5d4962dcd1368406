/**
 * Version-2 B-trees: ordered fixed-size records in checksummed nodes with subtree counts, generic
 * over the record. Links, attributes, huge heap objects, shared messages and chunks are all indexed
 * by them.
 *
 * <p>Source: HDF5 File Format Specification, III.A.2 "Version 2 B-trees"; the C library's H5B2*.c
 * for what an editor may leave behind.
 */
package org.hyperslab.format.btree;
