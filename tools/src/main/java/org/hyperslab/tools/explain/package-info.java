/** Explains what a configuration file chooses for files and datasets. */
package org.hyperslab.tools.explain;
