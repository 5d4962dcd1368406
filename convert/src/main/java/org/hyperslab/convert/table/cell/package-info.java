/** Cells of tables, which are divided, scanned and rounded as bytes, without strings. */
@NullMarked
package org.hyperslab.convert.table.cell;

import org.jspecify.annotations.NullMarked;
