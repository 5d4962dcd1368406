/**
 * The processor of each rank of a job ({@link org.hyperslab.machine.mapping.ProcessPlacement}): the
 * amounts that ranks exchange, the costs between processors, and the methods that match one to the
 * other.
 */
package org.hyperslab.machine.mapping;
