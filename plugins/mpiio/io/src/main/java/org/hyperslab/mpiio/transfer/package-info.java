/**
 * How one rank's extents get to and from the file: positional requests, data sieving, list
 * requests. Each is a component that turns extents into steps, and a rule chooses among them.
 */
package org.hyperslab.mpiio.transfer;
