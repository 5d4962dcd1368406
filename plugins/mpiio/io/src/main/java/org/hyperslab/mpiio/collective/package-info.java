/**
 * Collective reads and writes, as values until they are carried out.
 *
 * <ul>
 *   <li>{@link org.hyperslab.mpiio.collective.CollectiveIo} is the entry. Algorithms are pure
 *       functions from what all ranks access to one rank's schedule, and a rule chooses among them.
 *   <li>A {@code Schedule} is what a rank does: rounds of sends, receives, copies, reads and
 *       writes. The drivers do it, and only they touch a communicator and a byte store together.
 *   <li>A {@code ByteTransfer} is how one rank's extents get to and from the file: positional
 *       requests, data sieving, list requests. Each turns extents into steps, and a rule chooses
 *       among them.
 * </ul>
 */
package org.hyperslab.mpiio.collective;
