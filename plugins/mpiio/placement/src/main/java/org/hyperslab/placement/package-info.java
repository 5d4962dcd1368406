/**
 * A running job on a described machine: assigns file domains to its ranks and records which ranks
 * access neighbouring pieces ({@link org.hyperslab.placement.DescribedMachines}), and measures the
 * levels that connect them ({@link org.hyperslab.placement.PingPong}).
 */
package org.hyperslab.placement;
