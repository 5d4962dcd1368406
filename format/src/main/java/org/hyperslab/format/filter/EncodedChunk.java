package org.hyperslab.format.filter;

import java.lang.foreign.MemorySegment;

/**
 * A chunk that is ready to be stored.
 *
 * @param bytes the bytes to store; they belong to the scratch used and are valid until its next
 *     use, or are the chunk itself if no filter changed it
 * @param filterMask bit i is set if stage i of the pipeline was skipped
 */
public record EncodedChunk(MemorySegment bytes, int filterMask) {}
