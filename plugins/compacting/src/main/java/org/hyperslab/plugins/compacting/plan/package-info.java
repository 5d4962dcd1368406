/**
 * Plans batches of requests: functions from values to values, without I/O, threads or locks. {@link
 * org.hyperslab.plugins.compacting.plan.BatchPlanner} makes a {@link
 * org.hyperslab.plugins.compacting.plan.Plan} from a list of requests.
 */
package org.hyperslab.plugins.compacting.plan;
