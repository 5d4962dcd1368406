/**
 * Collective reads and writes, which are values until they are executed.
 *
 * <ul>
 *   <li>{@link org.hyperslab.mpiio.collective.CollectiveIo} is the entry point. Algorithms are pure
 *       functions from the accesses of all ranks to one rank's schedule, and a rule chooses among
 *       them.
 *   <li>A {@code Schedule} is the work of a rank: rounds of sends, receives, copies, reads and
 *       writes. The drivers execute it, and only they use both a communicator and a byte store.
 *   <li>A {@code ByteTransfer} is a method of moving one rank's extents to and from the file:
 *       positional requests, data sieving, list requests. Each turns extents into steps, and a rule
 *       chooses among them.
 * </ul>
 */
package org.hyperslab.mpiio.collective;
