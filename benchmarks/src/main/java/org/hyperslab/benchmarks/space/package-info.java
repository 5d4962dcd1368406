/** JMH benchmarks of selections: unions, iteration of runs, chunk pieces. */
package org.hyperslab.benchmarks.space;
