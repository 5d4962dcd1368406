/** Cells of tables, which are divided, scanned and rounded as bytes, without strings. */
package org.hyperslab.convert.table.cell;
