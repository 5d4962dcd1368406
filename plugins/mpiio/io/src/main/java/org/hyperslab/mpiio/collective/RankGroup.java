package org.hyperslab.mpiio.collective;

/**
 * Describes the ranks before any of them accesses the file; the same on every rank.
 *
 * @param topology the topology of the ranks
 * @param job the machine, and the rule that assigns file domains
 * @param fs the file system
 */
record RankGroup(Topology topology, JobRanks job, FileSystemTraits fs) {}
