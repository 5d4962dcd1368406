package org.hyperslab.plugins.nativevol.model;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What storage holds of each place: the bytes that are durable, then those that were written and
 * not forced. The newest are what programs read; after a power cut it may be any of them. Bytes are
 * named by the number of the flush whose state they belong to.
 *
 * @param places the content of each place, the durable one first
 */
record Storage(Map<StoredPart, List<Integer>> places) {

  /** The content of a journal that is incomplete, and of a superblock that is a marker. */
  static final int TORN = -1;

  /** The superblock with the marker of the journal of a flush is this plus the flush. */
  static final int MARKED = 100;

  static Storage ofState(int flush) {
    Map<StoredPart, List<Integer>> places = new EnumMap<>(StoredPart.class);
    for (StoredPart place : StoredPart.values()) {
      places.put(place, List.of(flush));
    }
    places.put(StoredPart.JOURNAL, List.of(TORN));
    return new Storage(places);
  }

  int read(StoredPart place) {
    return places.get(place).getLast();
  }

  private Storage with(StoredPart place, List<Integer> content) {
    Map<StoredPart, List<Integer>> changed = new EnumMap<>(places);
    changed.put(place, content);
    return new Storage(changed);
  }

  Storage write(StoredPart place, int content) {
    List<Integer> all = new ArrayList<>(places.get(place));
    if (place == StoredPart.JOURNAL && content != TORN) {
      all.add(TORN);
    }
    all.add(content);
    return with(place, List.copyOf(all));
  }

  Storage force() {
    Storage forced = this;
    for (StoredPart place : StoredPart.values()) {
      forced = forced.with(place, List.of(read(place)));
    }
    return forced;
  }

  /** {@return all that a power cut may leave} */
  List<Storage> cuts() {
    List<Storage> cuts = List.of(this);
    for (StoredPart place : StoredPart.values()) {
      List<Storage> chosen = new ArrayList<>();
      for (Storage cut : cuts) {
        for (int content : places.get(place).stream().distinct().toList()) {
          chosen.add(cut.with(place, List.of(content)));
        }
      }
      cuts = chosen;
    }
    return cuts;
  }
}
