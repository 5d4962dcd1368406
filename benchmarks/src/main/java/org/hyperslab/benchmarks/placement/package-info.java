/** JMH benchmarks of placing processes on a machine. */
package org.hyperslab.benchmarks.placement;
