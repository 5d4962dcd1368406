/**
 * Shared object header messages: the master table, its indexes as lists or B-trees, and the heaps
 * in which messages stand that several object headers share.
 *
 * <p>Source: HDF5 File Format Specification, III.J "Shared Object Header Message Table"; the C
 * library's H5SM*.c.
 */
package org.hyperslab.format.shared;
