/**
 * Moves elements between byte ranges of a file and the user's memory: runs paired with runs,
 * through bounded buffers that are reused, on several threads where it pays. Knows selections and
 * bytes, not object headers or indexes.
 */
package org.hyperslab.plugins.nativevol.transfer;
