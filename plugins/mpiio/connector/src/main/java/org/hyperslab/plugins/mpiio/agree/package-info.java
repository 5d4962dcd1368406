/** Calls that ranks make together: what is compared, what differs, how a failure is told to all. */
package org.hyperslab.plugins.mpiio.agree;
