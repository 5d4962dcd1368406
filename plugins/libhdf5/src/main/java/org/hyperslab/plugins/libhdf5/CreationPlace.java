package org.hyperslab.plugins.libhdf5;

import org.hyperslab.vol.Location;

/** The place where an object is created: at a path, or without a link. */
final class CreationPlace {

  private CreationPlace() {}

  /**
   * Returns the place of a name below another; the empty path, which makes no link, if it is null.
   */
  static LocationResolver.Place of(
      LocationResolver locations, long object, long parameters, long name, long accessList) {
    LocationResolver.Place place =
        locations.named(object, parameters, RawMemory.text(name), accessList, false);
    return name == 0 ? place.at(new Location(place.at().base(), "")) : place;
  }
}
