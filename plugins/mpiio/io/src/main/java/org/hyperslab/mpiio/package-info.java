/** MPI-IO (MPI 4.1, chapter 14): {@link org.hyperslab.mpiio.MpiFile}, the entry of this module. */
package org.hyperslab.mpiio;
