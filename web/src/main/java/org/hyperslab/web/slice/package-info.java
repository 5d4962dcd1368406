/** Slices of datasets as bytes, read piece by piece. */
package org.hyperslab.web.slice;
