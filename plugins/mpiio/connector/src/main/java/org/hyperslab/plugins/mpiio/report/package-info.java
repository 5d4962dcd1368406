/** Reports of transfers of elements: whether they were collective, and if not, why. */
package org.hyperslab.plugins.mpiio.report;
