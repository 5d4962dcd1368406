/**
 * The accesses of a rank as values: byte extents of a file in ascending order, and the
 * corresponding memory in the same order.
 */
package org.hyperslab.mpiio.access;
