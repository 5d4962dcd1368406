/** What staging costs, beside what the network and the page cache allow. */
package org.hyperslab.benchmarks.staging;
