package org.hyperslab.mpi;

/**
 * The outcome of a message or transfer that has completed.
 *
 * @param source the rank of the sender, or -1 if there is none (a file transfer, a null process)
 * @param tag the tag of the message, or -1 if there is none
 * @param bytes the number of bytes moved, without gaps in the datatype
 */
public record MpiStatus(int source, int tag, long bytes) {}
