/**
 * The connector {@code mpiio}: many ranks, one HDF5 file.
 *
 * <p>Ranks keep in step: every collective call is compared before anything is done, an error of one
 * rank becomes an error of all, and what rank 0 found out reaches the others. The elements of
 * datasets move straight between each rank's memory and the file, over a view of the dataset's
 * storage that every rank has; a filtered chunk has one owner; what only the engine of rank 0 can
 * do goes through rank 0.
 */
package org.hyperslab.plugins.mpiio;
