/** The formats and options of a conversion, and its report. */
@NullMarked
package org.hyperslab.convert.options;

import org.jspecify.annotations.NullMarked;
