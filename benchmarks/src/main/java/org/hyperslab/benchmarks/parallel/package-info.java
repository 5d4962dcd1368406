/** Compares collective I/O by many ranks with that of Open MPI and MPICH. */
package org.hyperslab.benchmarks.parallel;
