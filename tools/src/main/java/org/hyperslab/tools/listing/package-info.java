/** What a file holds, one line for each link, as the C library's {@code h5ls} prints it. */
package org.hyperslab.tools.listing;
