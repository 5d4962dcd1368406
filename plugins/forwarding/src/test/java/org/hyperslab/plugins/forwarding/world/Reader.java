package org.hyperslab.plugins.forwarding.world;

import org.hyperslab.H5File;
import org.hyperslab.error.NotFoundException;

/** Reads what a ledger has an opinion of. */
final class Reader {

  private Reader() {}

  /** {@return the elements of a dataset or an attribute; null if it is absent} */
  static int[] read(H5File file, Ledger.Thing thing) {
    if (thing.attribute != null) {
      return attribute(file, thing.attribute);
    }
    try {
      return file.dataset(thing.path).readInts();
    } catch (NotFoundException absent) {
      return null;
    }
  }

  static int[] attribute(H5File file, String name) {
    try {
      return new int[] {file.attribute(name).readInt()};
    } catch (NotFoundException absent) {
      return null;
    }
  }
}
