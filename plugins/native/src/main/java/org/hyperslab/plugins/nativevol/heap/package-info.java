/** The global heap of a file as the memory of out-of-line values of elements. */
package org.hyperslab.plugins.nativevol.heap;
