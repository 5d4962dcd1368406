/** Filters that rearrange bytes or bits, or check them: shuffle, Fletcher-32, bitshuffle. */
package org.hyperslab.format.filter.shuffle;
