/**
 * Collective I/O in virtual time: MPI-IO plans as for a real file, and its schedules are executed
 * on a machine that need not exist ({@link org.hyperslab.simulation.SimulatedJob}).
 */
package org.hyperslab.simulation;
