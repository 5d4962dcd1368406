/** Writes a file anew, object by object, through the public API. */
package org.hyperslab.tools.repack;
