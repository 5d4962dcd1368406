/** The encoding of a chunk of Zarr: filters of elements, order, codecs of bytes, shards. */
package org.hyperslab.convert.zarr.codec;
