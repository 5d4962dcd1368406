/** Open files: which they are, whose ranks share them, the drivers below them. */
package org.hyperslab.plugins.libhdf5.file;
