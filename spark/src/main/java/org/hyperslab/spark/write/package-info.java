/** Writing of long tables as arrays: tasks store chunks beside the output, the driver publishes. */
package org.hyperslab.spark.write;
