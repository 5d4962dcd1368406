/** Reusable native memory and bounded caches. Knows nothing of files or formats. */
package org.hyperslab.format.memory;
