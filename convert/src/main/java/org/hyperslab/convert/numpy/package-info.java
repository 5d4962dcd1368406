/**
 * NumPy's arrays ({@code .npy}, versions 1 to 3), archives of arrays ({@code .npz}), raw elements.
 *
 * <p>Source: NumPy Enhancement Proposal 1 and numpy.lib.format's documentation.
 */
@NullMarked
package org.hyperslab.convert.numpy;

import org.jspecify.annotations.NullMarked;
