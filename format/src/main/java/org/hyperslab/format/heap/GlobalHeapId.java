package org.hyperslab.format.heap;

/**
 * Where an object of a global heap is.
 *
 * @param collectionAddress the address of its collection
 * @param index its number in the collection, 1 to 65,535; 0 names no object
 */
public record GlobalHeapId(long collectionAddress, int index) {}
