/**
 * Operations, results and errors as bytes: a Protocol Buffers message, and beside it the elements
 * as they lie in memory.
 */
package org.hyperslab.plugins.codec;
