/**
 * Local heaps, which hold the names of a group of the old style, and global heaps, which hold data
 * without a fixed size: variable-length elements, region references, virtual dataset mappings.
 */
package org.hyperslab.format.heap;
