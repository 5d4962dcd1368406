/** Dictionary coders: LZF, and the framings of LZ4, Zstandard and bzip2 as registered with HDF5. */
package org.hyperslab.format.filter.lz;
