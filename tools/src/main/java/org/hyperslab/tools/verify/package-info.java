/** The command {@code verify}: compares what two engines read of a file. */
package org.hyperslab.tools.verify;
