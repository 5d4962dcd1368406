package org.hyperslab.format.type.value;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * The value of a compound as an unmodifiable map from the names of its members, in their order. The
 * names are shared by all values of a type, so that an element takes an array of its members.
 *
 * <p>Thread rule: immutable.
 */
final class MemberMap extends AbstractMap<String, Object> {

  /** The names of a compound's members, and the place of each. */
  static final class Names {
    private final String[] names;
    private final Map<String, Integer> places = new HashMap<>();

    Names(List<String> names) {
      this.names = names.toArray(String[]::new);
      for (int i = 0; i < this.names.length; i++) {
        places.put(this.names[i], i);
      }
    }

    /** Returns the map of values, which this class then owns, in the order of the names. */
    Map<String, Object> with(Object[] values) {
      return new MemberMap(this, values);
    }
  }

  private final Names keys;
  private final Object[] values;

  private MemberMap(Names keys, Object[] values) {
    this.keys = keys;
    this.values = values;
  }

  @Override
  public int size() {
    return values.length;
  }

  @Override
  public boolean containsKey(Object key) {
    return keys.places.containsKey(key);
  }

  @Override
  public Object get(Object key) {
    Integer place = keys.places.get(key);
    return place == null ? null : values[place];
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return values.length;
      }

      @Override
      public Iterator<Entry<String, Object>> iterator() {
        return new Entries();
      }
    };
  }

  private final class Entries implements Iterator<Entry<String, Object>> {
    private int next;

    @Override
    public boolean hasNext() {
      return next < values.length;
    }

    @Override
    public Entry<String, Object> next() {
      if (next == values.length) {
        throw new NoSuchElementException();
      }
      Entry<String, Object> entry = new SimpleImmutableEntry<>(keys.names[next], values[next]);
      next++;
      return entry;
    }
  }
}
