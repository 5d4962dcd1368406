/** The elements of a dataset in chunks: their index, their places, and changes of the extent. */
package org.hyperslab.plugins.nativevol.chunk;
