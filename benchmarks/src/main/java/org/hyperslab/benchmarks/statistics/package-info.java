/** What statistics of values cost while writing, and what they save when questions are asked. */
package org.hyperslab.benchmarks.statistics;
