/**
 * Dense storage of links and attributes: messages in a fractal heap, a B-tree by hash of name and
 * one by creation order over it.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.c "Link Info", IV.A.2.v "Attribute Info",
 * III.A.2 record types 5, 6, 8 and 9; the C library's H5Gdense.c, H5Adense.c.
 */
package org.hyperslab.format.dense;
