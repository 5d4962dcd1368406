/** Files, archives and stores of keys as bytes, with bounds on what they may expand to. */
@NullMarked
package org.hyperslab.convert.bytes;

import org.jspecify.annotations.NullMarked;
