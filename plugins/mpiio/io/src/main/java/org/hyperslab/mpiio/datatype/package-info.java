/** MPI's derived datatypes with compressed type maps (MPI 4.1, chapter 5). */
package org.hyperslab.mpiio.datatype;
