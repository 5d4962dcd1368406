package org.hyperslab.plugins.libhdf5;

import org.hyperslab.vol.Location;

/** The place where an object is created: at a path, or without a link. */
final class CreationPlace {

  private CreationPlace() {}

  /**
   * Returns the place of a name below another; the empty path, which makes no link, if it is null.
   */
  static Location of(LocationResolver.Place place, long name) {
    return name == 0 ? new Location(place.at().base(), "") : place.below(RawMemory.text(name));
  }
}
