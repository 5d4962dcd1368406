/**
 * Filters that store numbers in fewer bits: nbit and scale-offset, and the bit streams they use.
 */
package org.hyperslab.format.filter.packing;
