/** Measures the cost of staging, compared with the limits of the network and the page cache. */
package org.hyperslab.benchmarks.staging;
