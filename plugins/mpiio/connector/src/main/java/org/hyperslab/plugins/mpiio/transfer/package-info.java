/**
 * Elements of datasets without filters, and chunks that a rank reads alone: from selections to
 * bytes of the file.
 */
package org.hyperslab.plugins.mpiio.transfer;
