/**
 * Dataspaces and selections: the elements that exist, and those that are selected.
 *
 * <p>A {@link org.hyperslab.format.space.Selection} is a value. It can be traversed as runs of
 * elements ({@link org.hyperslab.format.space.RunCursor}), as pairs of runs in two spaces ({@link
 * org.hyperslab.format.space.RunPairs}) or as pieces by chunk ({@link
 * org.hyperslab.format.space.ChunkPiece}). Irregular selections are immutable hash-consed span
 * trees. Every index counts elements from zero, the last dimension varies fastest, and coordinates
 * are below 2<sup>63</sup>.
 */
package org.hyperslab.format.space;
