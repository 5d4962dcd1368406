package org.hyperslab.model;

import java.lang.foreign.MemorySegment;

/**
 * A chunk as stored.
 *
 * @param bytes its bytes, filtered
 * @param filterMask bit i is set if filter i was not applied
 */
public record RawChunk(MemorySegment bytes, int filterMask) {}
