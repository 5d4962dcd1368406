/** Collective I/O by many ranks, side by side with Open MPI's and MPICH's. */
package org.hyperslab.benchmarks.parallel;
