/**
 * A task engine: tasks with dependencies, run on a pool of threads. The semantics are those of the
 * asynchronous execution engine (AXE) of the Exascale Fast Forward I/O stack; in addition, failures
 * are propagated to dependent tasks with their cause.
 */
package org.hyperslab.plugins.forwarding.task;
