package org.hyperslab.plugins.log;

import org.hyperslab.plugins.compacting.plan.Region;

/**
 * Elements that are in the log and not yet in the part.
 *
 * @param place the record that holds them
 * @param region which elements of the dataset they are
 * @param mark the mark that commits them, or will
 */
record LoggedWrite(LogRecord.Place place, Region region, long mark) {

  LoggedWrite withExtent(long... extent) {
    return new LoggedWrite(place, Region.of(region.selection(), extent), mark);
  }
}
