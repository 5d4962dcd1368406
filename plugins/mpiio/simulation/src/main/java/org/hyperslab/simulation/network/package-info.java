/**
 * Messages on the links of a network in virtual time: the rates of flows that share links fairly,
 * LogGP, and the queue of events. Bytes per nanosecond, nanoseconds.
 */
package org.hyperslab.simulation.network;
