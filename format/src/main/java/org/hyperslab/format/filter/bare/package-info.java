/** Decoders for formats that store the blocks of filters without HDF5's headers. */
package org.hyperslab.format.filter.bare;
