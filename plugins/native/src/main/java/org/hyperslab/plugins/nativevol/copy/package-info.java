/** Copies of objects with everything below them. */
package org.hyperslab.plugins.nativevol.copy;
