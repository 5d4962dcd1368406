/**
 * Techniques of early parallel I/O, as collective algorithms to compare with. With this module on
 * the path, the hint {@code hyperslab_collective} accepts their names.
 */
package org.hyperslab.baselines;
