/**
 * Manages one open file: its store and lock, its metadata in memory, its space, and the flush that
 * makes edits durable atomically.
 */
package org.hyperslab.plugins.nativevol.file;
