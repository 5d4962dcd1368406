/** Scans of tables: what a query leaves to the source, tasks, and their readers. */
package org.hyperslab.spark.read;
