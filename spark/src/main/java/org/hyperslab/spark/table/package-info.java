/** Tables: the options of a query, files, columns, and how elements become rows of vectors. */
package org.hyperslab.spark.table;
