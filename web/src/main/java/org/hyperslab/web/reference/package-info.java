/** References of kerchunk: where the chunks of arrays are in their file. */
package org.hyperslab.web.reference;
