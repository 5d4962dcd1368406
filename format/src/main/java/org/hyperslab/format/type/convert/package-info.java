/**
 * Conversion between datatypes: a plan is compiled once for a pair of types and run over any number
 * of elements, without allocation per element.
 *
 * <p>Results are those of HDF5's default conversion: integers saturate, floats round to nearest
 * even and overflow to infinity, floats become integers by truncation and clipping. Source:
 * H5Tconv*.c; the expected values in the tests were computed by the C library.
 */
package org.hyperslab.format.type.convert;
