/**
 * Bytes at offsets, and nothing else: files, memory, mappings, families of files, HTTP ranges, and
 * decorators that count, trace or break them. No class here knows what HDF5 is.
 */
package org.hyperslab.format.store;
