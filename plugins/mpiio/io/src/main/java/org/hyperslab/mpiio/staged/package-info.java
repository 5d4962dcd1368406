/** Accesses through a view as extents of the file and of memory, for the engines. */
package org.hyperslab.mpiio.staged;
