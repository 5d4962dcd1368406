/**
 * Tables of values separated by commas or tabs, as source and target.
 *
 * <p>Source: RFC 4180; numbers as Python's csv and float write them.
 */
@NullMarked
package org.hyperslab.convert.table;

import org.jspecify.annotations.NullMarked;
