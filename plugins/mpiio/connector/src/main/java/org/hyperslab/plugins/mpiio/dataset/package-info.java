/** Open datasets and files of a rank, and the questions that ranks ask rank 0. */
package org.hyperslab.plugins.mpiio.dataset;
