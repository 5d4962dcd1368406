/** The command {@code plot}: draws datasets. */
package org.hyperslab.tools.plot;
