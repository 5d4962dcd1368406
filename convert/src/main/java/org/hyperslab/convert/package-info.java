/**
 * Converts files of other formats to HDF5 and back: {@link org.hyperslab.convert.FileConverter}.
 * What a target cannot hold is refused, or left out and listed, and never changed silently.
 */
package org.hyperslab.convert;
