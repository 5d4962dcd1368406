/**
 * A coverage-guided fuzzer for HDF5 files. It has mutations that target metadata and recompute its
 * checksums, edge coverage by instrumentation of the classes under test, and a child process with
 * little memory in which every mutant must end in a typed error or an answer in bounded time.
 *
 * <p>After M. Zalewski, "Technical whitepaper for afl-fuzz", 2016 (edge counts in buckets, a queue
 * of inputs with new coverage).
 */
package org.hyperslab.testkit.fuzz;
