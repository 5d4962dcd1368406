/** What is asked of a compactor: which requests it merges and collects, and how many may wait. */
package org.hyperslab.plugins.compacting.options;
