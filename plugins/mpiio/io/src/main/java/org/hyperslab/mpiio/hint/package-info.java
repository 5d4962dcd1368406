/** The hints of MPI-IO under ROMIO's and OMPIO's names, as one immutable value. */
package org.hyperslab.mpiio.hint;
