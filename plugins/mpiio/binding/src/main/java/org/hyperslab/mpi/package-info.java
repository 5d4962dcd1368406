/**
 * MPI for Java, bound through the Foreign Function and Memory API: no C code, no build step, one
 * binding for Open MPI, MPICH (with Intel MPI, MVAPICH and Cray MPICH) and the standard ABI of MPI
 * 5.
 *
 * <p>The library is found at run time, and functions are linked when first called, so that one that
 * an older library lacks hurts only those who call it. Start with {@link org.hyperslab.mpi.Mpi};
 * {@link org.hyperslab.mpi.MpiCommunicator} has messages, {@link org.hyperslab.mpi.MpiCollectives}
 * collectives, {@link org.hyperslab.mpi.MpiDatatype} derived datatypes, {@link
 * org.hyperslab.mpi.MpiGrid} Cartesian topologies, {@link org.hyperslab.mpi.MpiFileHandle} all of
 * MPI-IO.
 *
 * <p>MPI's handles never leave this package. Memory is {@link java.lang.foreign.MemorySegment},
 * heap or native; what does not fit is refused before MPI sees it.
 *
 * <p>Running: {@code mpirun -n 4 java --enable-native-access=ALL-UNNAMED -cp … Main}. With Open MPI
 * add {@code --bind-to none}: it binds each rank to one core when there are two or fewer, and a JVM
 * then believes that it has one processor. Give each rank its share of memory with {@code -Xmx}.
 * MPICH waits for messages without yielding: do not start more ranks than there are cores.
 *
 * <p>Not bound: one-sided communication, dynamic processes, sessions, user-defined operations,
 * attributes, and functions that only C can use.
 */
package org.hyperslab.mpi;
