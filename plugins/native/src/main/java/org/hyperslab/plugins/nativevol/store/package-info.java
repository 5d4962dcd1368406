/**
 * The bytes of files on this machine: names, drivers of several files, properties of openings, and
 * the stores that hold the bytes.
 */
package org.hyperslab.plugins.nativevol.store;
