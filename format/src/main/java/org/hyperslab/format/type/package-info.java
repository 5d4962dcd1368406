/**
 * Datatypes, which define the meaning of an element's bits. The package has the model ({@link
 * org.hyperslab.format.type.Datatype}), its encoding as an HDF5 datatype message, the values that
 * do not fit in an element ({@link org.hyperslab.format.type.VlenHeap}), the conversion between any
 * two compatible types ({@link org.hyperslab.format.type.convert.Converter}) and the mapping to
 * Java's types.
 *
 * <p>Source: HDF5 File Format Specification 3.0 and 4.0, section IV.A.2.d "The Datatype Message".
 */
package org.hyperslab.format.type;
