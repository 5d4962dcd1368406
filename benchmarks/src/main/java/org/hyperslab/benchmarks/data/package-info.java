/** Reading and writing datasets, side by side with the C library. */
package org.hyperslab.benchmarks.data;
