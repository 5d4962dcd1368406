/**
 * Moves elements between byte ranges of a file and the user's memory: pairs of runs, through
 * bounded and reused buffers, on several threads if that is faster. Knows selections and bytes, but
 * no object headers or indexes.
 */
package org.hyperslab.plugins.nativevol.transfer;
