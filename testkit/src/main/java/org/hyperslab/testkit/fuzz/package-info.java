/**
 * A coverage-guided fuzzer for HDF5 files: mutations that know where metadata lies and mend its
 * checksums, edge coverage by instrumenting the classes under test, and a child process with little
 * memory in which every mutant must end in a typed error or an answer in bounded time.
 *
 * <p>After M. Zalewski, "Technical whitepaper for afl-fuzz", 2016 (edge counts in buckets, a queue
 * of what covered something new).
 */
package org.hyperslab.testkit.fuzz;
