/** What the compactor costs. */
package org.hyperslab.benchmarks.compact;
