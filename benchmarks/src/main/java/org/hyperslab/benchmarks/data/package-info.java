/** Compares reading and writing datasets with the C library. */
package org.hyperslab.benchmarks.data;
