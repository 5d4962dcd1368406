/** Where the ranks of the examples run: processes of an MPI job, or threads. */
package org.hyperslab.examples.ranks;
