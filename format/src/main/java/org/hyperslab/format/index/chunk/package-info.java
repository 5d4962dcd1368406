/**
 * Indexes of chunks: {@link org.hyperslab.format.index.chunk.ChunkIndex} tells the place and size
 * of each chunk of a chunked dataset and the filters skipped for it, in each of HDF5's six forms.
 */
package org.hyperslab.format.index.chunk;
