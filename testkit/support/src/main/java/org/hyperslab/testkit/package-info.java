/**
 * Shared support of all tests: reproducible seeds, temporary folders, the corpus, independent
 * judges.
 */
package org.hyperslab.testkit;
