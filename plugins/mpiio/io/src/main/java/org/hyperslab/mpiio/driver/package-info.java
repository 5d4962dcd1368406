/**
 * Executes schedules by communication and access to files. Only these classes use both a
 * communicator and a byte store.
 */
package org.hyperslab.mpiio.driver;
