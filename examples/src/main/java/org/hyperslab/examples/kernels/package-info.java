/**
 * Common kernels for measuring parallel I/O, written with {@link org.hyperslab.mpiio.MpiFile}: MPI
 * Tile I/O, NAS BT-IO, HACC-IO, IOR's basic patterns, and ROMIO's coll_perf and noncontig.
 *
 * <p>A {@link org.hyperslab.examples.kernels.IoKernel} defines the accesses of each rank; {@link
 * org.hyperslab.examples.kernels.KernelRun} writes it, reads it back and verifies it twice: each
 * rank its memory, and the first rank the bytes of the file. Every byte of a file follows from its
 * position alone ({@link org.hyperslab.examples.kernels.Content}), and each kernel computes by a
 * simple loop which bytes of the file its memory holds, so that datatypes and views are checked
 * too.
 */
package org.hyperslab.examples.kernels;
