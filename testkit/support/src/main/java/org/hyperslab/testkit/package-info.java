/**
 * What tests of every room share: seeds that replay, temporary folders, the corpus, other judges.
 */
package org.hyperslab.testkit;
