/**
 * What a rank does in a collective, as a value: rounds of sends, receives, copies, reads and
 * writes; and the executor that does it, the only room that touches a communicator and a byte store
 * together.
 */
package org.hyperslab.mpiio.schedule;
