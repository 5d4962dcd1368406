/** Many ranks, one file: communicators, the MPI binding, MPI-IO and its collective algorithms. */
package org.hyperslab.plugins.mpiio;
