/**
 * Writes that are declared before they are made, so that buffers fill over many calls: TAPIOCA
 * (Tessier, Vishwanath, Jeannot, 2017).
 */
package org.hyperslab.mpiio.declared;
