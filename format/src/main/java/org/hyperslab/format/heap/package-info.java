/**
 * Local heaps, which hold the names of an old-style group, and global heaps, which hold data of
 * variable size: variable-length elements, region references, virtual dataset mappings.
 */
package org.hyperslab.format.heap;
