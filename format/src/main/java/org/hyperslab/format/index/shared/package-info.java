/**
 * Messages that several object headers share: the master table, its indexes as lists or B-trees,
 * and the heaps of messages.
 *
 * <p>Source: HDF5 File Format Specification, III.J "Shared Object Header Message Table"; the C
 * library's H5SM*.c.
 */
package org.hyperslab.format.index.shared;
