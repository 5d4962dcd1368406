/**
 * The filter pipeline of chunked data (format specification, message 0x000B), which encodes and
 * decodes the bytes of chunks. {@link org.hyperslab.format.filter.Filter} is the interface of one
 * filter, {@link org.hyperslab.format.filter.FilterRegistry} finds filters by their registered
 * number, and {@link org.hyperslab.format.filter.FilterPipeline} applies them to a chunk. The
 * filters themselves are in packages of their own.
 */
package org.hyperslab.format.filter;
