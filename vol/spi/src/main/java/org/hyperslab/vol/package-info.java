/**
 * The virtual object layer: every call of the public API becomes one {@link
 * org.hyperslab.vol.Operation}, a value, which a {@link org.hyperslab.vol.Connector} carries out,
 * here or elsewhere.
 */
@NullMarked
package org.hyperslab.vol;

import org.jspecify.annotations.NullMarked;
