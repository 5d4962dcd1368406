/**
 * What a rank accesses, as values: byte extents of a file in ascending order, and the memory that
 * belongs to them in the same order.
 */
package org.hyperslab.mpiio.access;
