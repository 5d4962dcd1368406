/** Bounded little-endian encoding and decoding of metadata, and the checksums that guard it. */
package org.hyperslab.format.io;
