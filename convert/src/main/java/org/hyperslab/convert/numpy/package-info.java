/**
 * NumPy's files: arrays ({@code .npy}, versions 1 to 3) and archives of arrays ({@code .npz}).
 *
 * <p>Source: NumPy Enhancement Proposal 1 and numpy.lib.format's documentation.
 */
package org.hyperslab.convert.numpy;
