/** NumPy's descriptions of types, headers of its files, and the Python literals in them. */
package org.hyperslab.interchange.numpy;
