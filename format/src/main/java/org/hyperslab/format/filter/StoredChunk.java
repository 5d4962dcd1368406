package org.hyperslab.format.filter;

import java.lang.foreign.MemorySegment;

/**
 * The bytes of a chunk as stored in a file.
 *
 * @param bytes the stored bytes
 * @param filterMask bit i is set if stage i of the pipeline was skipped
 * @param file the path or URI of the file, for errors
 * @param address the address of the bytes in the file, for errors
 */
public record StoredChunk(MemorySegment bytes, int filterMask, String file, long address) {}
