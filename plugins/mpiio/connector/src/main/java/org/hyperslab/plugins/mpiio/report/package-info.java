/** What became of a transfer of elements: whether it was collective, and if not, why. */
package org.hyperslab.plugins.mpiio.report;
