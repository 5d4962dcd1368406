/** The command {@code diff}: compares two files object by object. */
package org.hyperslab.tools.diff;
