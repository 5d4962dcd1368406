/**
 * The work of one rank as a value: rounds of steps that send, receive, copy, read and write. Steps
 * do nothing by themselves; drivers and the simulator execute them.
 */
package org.hyperslab.mpiio.schedule;
