/**
 * Many links or attributes of an object: messages in a fractal heap, with a B-tree by the hash of
 * the name and one by creation order.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.c "Link Info", IV.A.2.v "Attribute Info",
 * III.A.2 record types 5, 6, 8 and 9; the C library's H5Gdense.c, H5Adense.c.
 */
package org.hyperslab.format.index.dense;
