package org.hyperslab.format.filter;

import java.lang.foreign.MemorySegment;

/**
 * The bytes of a chunk as a file holds them.
 *
 * @param bytes the stored bytes
 * @param filterMask bit i set: stage i of the pipeline was skipped
 * @param file the path or URI of the file, for errors
 * @param address where the bytes begin in the file, for errors
 */
public record StoredChunk(MemorySegment bytes, int filterMask, String file, long address) {}
