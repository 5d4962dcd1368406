/**
 * The task engine: tasks that wait for each other and run on a pool of threads. Semantics after the
 * asynchronous execution engine (AXE) of the Exascale Fast Forward I/O stack, with failures that
 * travel to dependent tasks together with their cause. Knows no network and no HDF5.
 */
package org.hyperslab.plugins.forwarding.task;
