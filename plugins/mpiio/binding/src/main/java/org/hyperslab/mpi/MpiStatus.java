package org.hyperslab.mpi;

/**
 * The outcome of a message or transfer that has completed.
 *
 * @param source the rank it came from, or -1 where there is none (a file, a rank of nobody)
 * @param tag its tag, or -1 where there is none
 * @param bytes how many bytes of basic elements were moved; gaps in a datatype do not count
 */
public record MpiStatus(int source, int tag, long bytes) {}
