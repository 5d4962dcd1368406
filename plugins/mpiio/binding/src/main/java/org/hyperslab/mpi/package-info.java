/**
 * MPI for Java, bound through the Foreign Function and Memory API. It has no C code and no build
 * step, and one binding for Open MPI, MPICH (with Intel MPI, MVAPICH and Cray MPICH) and the
 * standard ABI of MPI 5.
 *
 * <p>The library is found at run time. Functions are linked when first called, so a function that
 * an older library lacks is an error only if it is called. Start with {@link
 * org.hyperslab.mpi.Mpi}; {@link org.hyperslab.mpi.MpiCommunicator} has messages, {@link
 * org.hyperslab.mpi.MpiCollectives} collectives, {@link org.hyperslab.mpi.MpiDatatype} derived
 * datatypes, {@link org.hyperslab.mpi.MpiGrid} Cartesian topologies, {@link
 * org.hyperslab.mpi.MpiFileHandle} all of MPI-IO.
 *
 * <p>MPI's handles never leave this package. Memory is {@link java.lang.foreign.MemorySegment},
 * heap or native; memory that is too short is rejected before MPI is called.
 *
 * <p>Running: {@code mpirun -n 4 java --enable-native-access=ALL-UNNAMED -cp … Main}. With Open MPI
 * add {@code --bind-to none}: it binds each rank to one core if a job has at most two ranks, and a
 * JVM then sees only one processor. Give each rank its share of memory with {@code -Xmx}. MPICH
 * polls for messages without yielding the processor: do not start more ranks than cores.
 *
 * <p>Not bound: one-sided communication, dynamic processes, sessions, user-defined operations,
 * attributes, and functions that only C can use.
 */
package org.hyperslab.mpi;
