/** Runs the ranks of the examples as processes of an MPI job, or as threads. */
package org.hyperslab.examples.ranks;
