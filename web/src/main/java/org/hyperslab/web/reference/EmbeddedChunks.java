package org.hyperslab.web.reference;

import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.reference.GridCell.Place;
import org.hyperslab.web.zarr.ZarrArray;

/**
 * The chunks of an array that are part of an index: encoded for the array's codecs, up to a limit.
 *
 * <p>Thread rule: confined to one thread.
 */
final class EmbeddedChunks {

  /** The number of characters that an embedded chunk takes at least. */
  private static final int LEAST_CHARACTERS = 16;

  private final ZarrArray array;
  private final long[] extent;
  private final ChunkCodecs codecs;
  private final long limit;
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Map<Place, byte[]> unwritten = new EnumMap<>(Place.class);
  private final Map<Place, String> constant = new EnumMap<>(Place.class);
  private long characters;

  /**
   * Creates an instance without chunks.
   *
   * @param array the array
   * @param extent the extent of its dataset, at most the array's shape
   * @param codecs the array's codecs
   * @param limit the maximum number of characters of all chunks with their keys
   */
  EmbeddedChunks(ZarrArray array, long[] extent, ChunkCodecs codecs, long limit) {
    this.array = array;
    this.extent = extent;
    this.codecs = codecs;
    this.limit = limit;
    unwritten.put(Place.WITHIN, array.unwritten());
    unwritten.put(Place.BEYOND, array.beyond());
  }

  /** {@return the texts of the chunks by their keys} */
  Map<String, String> texts() {
    return texts;
  }

  /** Adds chunks with the elements of the array; returns whether the limit permits it. */
  boolean addAll(List<String> keys) {
    return keys.stream().allMatch(this::addElements);
  }

  private boolean addElements(String key) {
    return add(key, text(array.chunk(key, RequestBudget.unlimited())));
  }

  private boolean add(String key, String text) {
    texts.put(key, text);
    characters += key.length() + text.length();
    return characters <= limit;
  }

  private String text(byte[] chunk) {
    return "base64:" + Base64.getEncoder().encodeToString(codecs.encode(chunk));
  }

  /**
   * Adds the chunks of the array that are not present, unless its fill value is that of all their
   * elements; returns whether the limit permits it.
   *
   * @param present the keys of the chunks that are present
   */
  boolean addMissing(Set<String> present) {
    long missing = array.chunkCount() - present.size();
    boolean isExpressed =
        isStated(Place.WITHIN) && (isStated(Place.BEYOND) || Arrays.equals(extent, array.shape()));
    if (missing == 0 || isExpressed) {
      return true;
    }
    if (missing > limit / LEAST_CHARACTERS) {
      return false;
    }
    long[] start = new long[extent.length];
    do {
      String key = array.keyOf(start);
      if (!present.contains(key) && !addMissing(key, start)) {
        return false;
      }
    } while (advance(start));
    return true;
  }

  /** Returns whether the fill value of the array is that of unwritten elements in a place. */
  private boolean isStated(Place place) {
    return switch (place) {
      case ACROSS -> isStated(Place.WITHIN) && isStated(Place.BEYOND);
      case WITHIN, BEYOND ->
          array.fill().filter(fill -> fill.is(unwritten.get(place), array.type())).isPresent();
    };
  }

  private boolean addMissing(String key, long[] start) {
    Place place = GridCell.of(array, extent, start).place();
    if (isStated(place)) {
      return true;
    }
    return place == Place.ACROSS
        ? addElements(key)
        : add(
            key,
            constant.computeIfAbsent(place, same -> text(array.constant(unwritten.get(same)))));
  }

  /** Moves to the first element of the next chunk; returns false after the last one. */
  private boolean advance(long[] start) {
    for (int i = start.length - 1; i >= 0; i--) {
      start[i] += array.chunk()[i];
      if (start[i] < array.shape()[i]) {
        return true;
      }
      start[i] = 0;
    }
    return false;
  }
}
