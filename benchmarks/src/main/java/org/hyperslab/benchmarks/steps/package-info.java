/** Measurements of steps, with readers that follow. */
package org.hyperslab.benchmarks.steps;
