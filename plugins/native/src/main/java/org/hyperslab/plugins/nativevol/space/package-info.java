/** The space of a file: what is allocated and free, and the raw data that may be moved. */
package org.hyperslab.plugins.nativevol.space;
