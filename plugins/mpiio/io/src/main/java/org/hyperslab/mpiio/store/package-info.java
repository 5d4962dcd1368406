/**
 * What the library knows and does about a file besides its bytes: the file system's properties,
 * creation and striping, locks of byte ranges.
 */
package org.hyperslab.mpiio.store;
