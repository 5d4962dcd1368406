/**
 * One open file: its store and lock, its metadata in memory, its space, and the flush that makes
 * edits durable all at once or not at all.
 */
package org.hyperslab.plugins.nativevol.file;
