/** Shared file pointers: how ranks take turns at one position of a file. */
package org.hyperslab.mpiio.pointer;
