/**
 * The commands that run examples and benchmarks: {@code example}, {@code flash-io}, {@code
 * ffbench}.
 */
package org.hyperslab.tools.kernel;
