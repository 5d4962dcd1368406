/**
 * Communicators: groups of ranks that exchange messages.
 *
 * <p>One interface, {@link org.hyperslab.mpiio.comm.Communicator}; its worlds are threads in one
 * JVM ({@link org.hyperslab.mpiio.comm.ThreadWorld}) and the processes of an MPI job. {@link
 * org.hyperslab.mpiio.comm.Worlds} finds the one in which the caller runs.
 */
package org.hyperslab.mpiio.comm;
