/**
 * Rewrites of a tree between source and target, where the target holds less or otherwise: each
 * gives variables other elements over those that they had.
 */
@NullMarked
package org.hyperslab.convert.rewrite;

import org.jspecify.annotations.NullMarked;
