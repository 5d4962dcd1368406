/** The command that prepares programs of the C library for this one. */
package org.hyperslab.tools.bridge;
