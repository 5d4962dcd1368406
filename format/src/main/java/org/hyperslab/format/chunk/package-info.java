/**
 * Chunk indexes: where each chunk of a chunked dataset lies in the file, how many bytes it takes
 * and which filters were skipped, in each of the six forms that HDF5 has. {@link
 * org.hyperslab.format.chunk.ChunkIndex} is the one door.
 */
package org.hyperslab.format.chunk;
