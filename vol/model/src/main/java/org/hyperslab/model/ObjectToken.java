package org.hyperslab.model;

/**
 * Identifies an object within one file as long as the object exists: in a native file, the address
 * of its object header in bytes from the base address.
 *
 * @param address the token's value; never negative
 */
public record ObjectToken(long address) {}
