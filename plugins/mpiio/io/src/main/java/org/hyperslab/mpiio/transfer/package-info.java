/**
 * Methods of moving one rank's extents between memory and the file: positional requests, data
 * sieving, list requests. Each turns extents into steps.
 */
package org.hyperslab.mpiio.transfer;
