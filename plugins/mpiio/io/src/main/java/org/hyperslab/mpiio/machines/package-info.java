/**
 * What MPI-IO asks about the machine on which a job runs. Another module answers; without one,
 * hints that need an answer are refused.
 */
package org.hyperslab.mpiio.machines;
