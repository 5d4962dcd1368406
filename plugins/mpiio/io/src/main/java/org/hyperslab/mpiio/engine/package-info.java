/** MPI-IO over this library's own components. */
package org.hyperslab.mpiio.engine;
