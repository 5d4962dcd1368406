/** Filtered chunks, of which each has one owner among the ranks. */
package org.hyperslab.plugins.mpiio.filtered;
