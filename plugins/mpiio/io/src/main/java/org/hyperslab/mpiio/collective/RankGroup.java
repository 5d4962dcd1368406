package org.hyperslab.mpiio.collective;

/**
 * Describes the ranks before any of them accesses the file; the same on every rank.
 *
 * @param topology where ranks run
 * @param job the machine, and by which rule file domains are assigned
 * @param fs the file system
 */
record RankGroup(Topology topology, JobRanks job, FileSystemTraits fs) {}
