/** The encoding of a chunk of Zarr: filters of elements, order, codecs of bytes, shards. */
@NullMarked
package org.hyperslab.convert.zarr.codec;

import org.jspecify.annotations.NullMarked;
