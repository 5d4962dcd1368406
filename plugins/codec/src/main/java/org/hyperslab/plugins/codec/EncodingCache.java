package org.hyperslab.plugins.codec;

import com.google.protobuf.ByteString;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;

/**
 * Caches the encodings of the latest memory types and memory spaces of one sender or receiver,
 * because consecutive transfers mostly use the same: equal values give the same bytes, and equal
 * bytes the same value.
 *
 * <p>The cache is bounded: {@value #PLACES} entries of each kind, of at most {@value #MAX_BYTES}
 * encoded bytes; an entry replaces another with the same hash. Thread rule: any thread.
 */
public final class EncodingCache {

  private static final int PLACES = 16;
  private static final int MAX_BYTES = 256;

  private final Table<Datatype, ByteString> typeBytes = new Table<>();
  private final Table<Dataspace, ByteString> spaceBytes = new Table<>();
  private final Table<ByteString, Datatype> types = new Table<>();
  private final Table<ByteString, Dataspace> spaces = new Table<>();

  /** Creates an empty cache. */
  public EncodingCache() {}

  ByteString bytes(Datatype type) {
    return typeBytes.get(type, Structures::bytes, (from, to) -> to.size() <= MAX_BYTES);
  }

  ByteString bytes(Dataspace space) {
    return spaceBytes.get(space, Structures::bytes, (from, to) -> to.size() <= MAX_BYTES);
  }

  Datatype type(ByteString bytes) {
    return types.get(bytes, Structures::type, (from, to) -> from.size() <= MAX_BYTES);
  }

  Dataspace space(ByteString bytes) {
    return spaces.get(bytes, Structures::space, (from, to) -> from.size() <= MAX_BYTES);
  }

  /** A table of results of a pure function by argument. */
  private static final class Table<K, V> {

    /** Immutable, so that it is published safely through a race. */
    private record Known<K, V>(K from, V to) {}

    private final AtomicReferenceArray<Known<K, V>> places = new AtomicReferenceArray<>(PLACES);

    V get(K from, Function<K, V> function, BiPredicate<K, V> small) {
      int hash = from.hashCode();
      int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
      Known<K, V> known = places.get(place);
      if (known != null && known.from.equals(from)) {
        return known.to;
      }
      V to = function.apply(from);
      if (small.test(from, to)) {
        places.set(place, new Known<>(from, to));
      }
      return to;
    }
  }
}
