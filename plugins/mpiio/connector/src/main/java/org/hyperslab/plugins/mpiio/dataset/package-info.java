/**
 * The bytes of datasets and how ranks move them: a view of a dataset's storage that every rank has,
 * transfers straight between memory and file, filtered chunks with one owner each, and the way
 * through rank 0 for what only its engine can do.
 */
package org.hyperslab.plugins.mpiio.dataset;
