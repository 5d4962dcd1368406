/** Bytes of files and of entries in zip archives, checked against their bounds. */
package org.hyperslab.convert.io;
