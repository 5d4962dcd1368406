/** Reusable native memory and bounded caches, independent of files and formats. */
package org.hyperslab.format.memory;
