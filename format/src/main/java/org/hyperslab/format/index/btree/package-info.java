/**
 * B-trees of version 2: ordered fixed-size records in checksummed nodes with subtree counts,
 * generic over the record.
 *
 * <p>Source: HDF5 File Format Specification, III.A.2 "Version 2 B-trees"; the C library's H5B2*.c
 * for the states that an edit may leave.
 */
package org.hyperslab.format.index.btree;
