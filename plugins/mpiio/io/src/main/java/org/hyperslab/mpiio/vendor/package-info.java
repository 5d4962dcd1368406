/** MPI-IO of the MPI library, with time limits and corrections. */
package org.hyperslab.mpiio.vendor;
