package org.hyperslab.format.heap;

/**
 * The location of an object in a global heap.
 *
 * @param collectionAddress the address of its collection
 * @param index its index in the collection, 1 to 65,535; 0 if there is no object
 */
public record GlobalHeapId(long collectionAddress, int index) {}
