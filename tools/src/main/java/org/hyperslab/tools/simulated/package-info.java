/** Kernels of parallel I/O in virtual time. */
package org.hyperslab.tools.simulated;
