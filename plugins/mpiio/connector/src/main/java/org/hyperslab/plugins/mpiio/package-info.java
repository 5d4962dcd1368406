/**
 * The connector {@code mpiio}: many ranks, one HDF5 file.
 *
 * <p>Ranks keep in step: every collective call is compared before it is executed, an error of one
 * rank becomes an error of all, and the results of rank 0 are sent to the others. The elements of
 * datasets move directly between each rank's memory and the file, through every rank's view of the
 * dataset's storage; a filtered chunk has one owner; transfers that only the engine of rank 0 can
 * make go through rank 0.
 */
package org.hyperslab.plugins.mpiio;
