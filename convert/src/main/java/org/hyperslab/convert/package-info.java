/**
 * Converts files of other formats to HDF5 and back: {@link org.hyperslab.convert.FileConverter}.
 * Content that a target cannot hold is an error, or is left out and listed; it is never changed
 * silently.
 *
 * <p>The formats of the input and of the output are opened by {@code Inputs} and {@code Outputs};
 * each format has a package of its own, over the model that all share.
 */
@NullMarked
package org.hyperslab.convert;

import org.jspecify.annotations.NullMarked;
