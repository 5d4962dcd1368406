/** Calls between Java and C: functions and memory of libhdf5 and of the program. */
package org.hyperslab.plugins.libhdf5.call;
