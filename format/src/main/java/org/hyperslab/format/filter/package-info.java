/**
 * The filter pipeline of chunked data (format specification, message 0x000B): what encodes and
 * decodes the bytes of a chunk. {@link org.hyperslab.format.filter.Filter} is the interface of one
 * filter, {@link org.hyperslab.format.filter.FilterRegistry} finds filters by their registered
 * number, {@link org.hyperslab.format.filter.FilterPipeline} runs them over a chunk. The filters
 * themselves and the codecs that they are made of are known to this package only.
 */
package org.hyperslab.format.filter;
