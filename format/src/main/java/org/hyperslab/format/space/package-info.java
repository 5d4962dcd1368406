/**
 * Dataspaces and selections: which elements exist and which of them are selected.
 *
 * <p>A {@link org.hyperslab.format.space.Selection} is a value. It becomes runs of elements ({@link
 * org.hyperslab.format.space.RunCursor}), pairs of runs in two spaces ({@link
 * org.hyperslab.format.space.RunPairs}) or pieces by chunk ({@link
 * org.hyperslab.format.space.ChunkPiece}). Irregular selections are immutable hash-consed span
 * trees. Every index counts elements from zero, the last dimension varies fastest, and coordinates
 * are below 2<sup>63</sup>.
 */
package org.hyperslab.format.space;
