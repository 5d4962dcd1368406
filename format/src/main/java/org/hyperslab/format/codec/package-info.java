/** Dataspaces as they are stored. */
package org.hyperslab.format.codec;
