/** Comparison of two files object by object, element by element. */
package org.hyperslab.tools.diff;
