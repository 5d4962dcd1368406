package org.hyperslab.format.memory;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * A map bounded by the sum of its entries' weights. When an entry would exceed the limit, the
 * entries that have been unused longest are removed first; {@link #get} and {@link #put} count as
 * use.
 *
 * <p>Thread rule: not safe; the caller locks, also around {@link #get}.
 *
 * @param <K> the type of keys, which are compared by {@code equals}
 * @param <V> the type of values
 */
public final class LruCache<K, V> {

  private record Weighed<V>(V value, long weight) {}

  private final long limit;
  private final LinkedHashMap<K, Weighed<V>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long weight;

  /**
   * Creates an empty cache.
   *
   * @param limit the largest sum of weights, in the caller's unit; 0 keeps only weightless entries
   * @throws IllegalArgumentException if the limit is negative
   */
  public LruCache(long limit) {
    if (limit < 0) {
      throw new IllegalArgumentException(
          "limit of a cache: actual=" + limit + ", expected=0 or more");
    }
    this.limit = limit;
  }

  /**
   * Returns a value and marks it as most recently used.
   *
   * @param key the key
   * @return its value; null if there is none
   */
  public V get(K key) {
    Weighed<V> found = entries.get(key);
    return found == null ? null : found.value;
  }

  /**
   * Checks whether a key has a value, without counting as a use.
   *
   * @param key the key
   * @return whether {@link #get} would find a value
   */
  public boolean containsKey(K key) {
    return entries.containsKey(key);
  }

  /**
   * Stores a value, replacing an earlier one of the key, and removes entries that exceed the limit.
   * A value that is heavier than the limit is not stored; only the key's earlier value is removed.
   *
   * @param key the key
   * @param value the value, not null
   * @param entryWeight the weight, at least 0
   * @return whether the value is in the cache now
   * @throws IllegalArgumentException if the weight is negative
   */
  public boolean put(K key, V value, long entryWeight) {
    if (entryWeight < 0) {
      throw new IllegalArgumentException(
          "weight of a cache entry: actual=" + entryWeight + ", expected=0 or more");
    }
    remove(key);
    if (entryWeight > limit) {
      return false;
    }
    entries.put(key, new Weighed<>(value, entryWeight));
    weight += entryWeight;
    Iterator<Weighed<V>> eldest = entries.values().iterator();
    while (weight > limit) {
      weight -= eldest.next().weight;
      eldest.remove();
    }
    return true;
  }

  /**
   * Removes an entry.
   *
   * @param key the key
   * @return the value that was removed; null if there was none
   */
  public V remove(K key) {
    Weighed<V> removed = entries.remove(key);
    if (removed == null) {
      return null;
    }
    weight -= removed.weight;
    return removed.value;
  }

  /**
   * Removes the entries that a predicate accepts. It is called once for every entry, the least
   * recently used first, and must not use this cache.
   *
   * @param unwanted the predicate on key and value
   */
  public void removeIf(BiPredicate<? super K, ? super V> unwanted) {
    Iterator<Map.Entry<K, Weighed<V>>> all = entries.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<K, Weighed<V>> entry = all.next();
      if (unwanted.test(entry.getKey(), entry.getValue().value)) {
        weight -= entry.getValue().weight;
        all.remove();
      }
    }
  }

  /** Removes all entries. */
  public void clear() {
    entries.clear();
    weight = 0;
  }

  /** {@return the number of entries} */
  public int size() {
    return entries.size();
  }

  /** {@return the sum of the entries' weights} */
  public long weight() {
    return weight;
  }

  /** {@return the largest sum of weights} */
  public long limit() {
    return limit;
  }
}
