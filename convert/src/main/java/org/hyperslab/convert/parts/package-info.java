/** Files of several parts: the stripes of the subfiling driver, and files of ranks in a list. */
@NullMarked
package org.hyperslab.convert.parts;

import org.jspecify.annotations.NullMarked;
