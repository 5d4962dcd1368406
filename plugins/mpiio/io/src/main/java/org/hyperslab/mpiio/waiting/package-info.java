/** How ranks wait for each other: time, pauses, idle cores, and the watch for ranks that ended. */
package org.hyperslab.mpiio.waiting;
