/** Questions that ranks ask rank 0 one by one, on connections beside MPI. */
package org.hyperslab.plugins.mpiio.query;
