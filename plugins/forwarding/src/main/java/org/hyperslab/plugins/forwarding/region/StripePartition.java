package org.hyperslab.plugins.forwarding.region;

import java.util.Arrays;
import java.util.List;
import org.hyperslab.format.space.Selection;

/**
 * Which server has which elements of a dataset: stripes of whole indices of one dimension, dealt
 * out in turn (block-cyclic). The dimension is the first of more than one index, so that a stripe
 * is one run of the file. Every client that knows the same servers computes the same.
 *
 * <p>Thread rule: immutable.
 *
 * @param dims the dataset's extent, slowest dimension first
 * @param dimension which is cut
 * @param stripeIndices indices of it in a stripe, at least 1
 * @param servers how many servers there are, at least 1
 * @param first the server of the first stripe
 */
public record StripePartition(
    List<Long> dims, int dimension, long stripeIndices, int servers, int first) {

  /** Copies the list. */
  public StripePartition {
    dims = List.copyOf(dims);
  }

  /**
   * Cuts a dataset.
   *
   * @param dims its extent, of at least one element
   * @param elementBytes bytes of an element
   * @param stripeBytes bytes of a stripe: as many indices as fit, at least one
   * @param servers how many there are
   * @param token the dataset's, from which the server of the first stripe follows
   */
  public static StripePartition of(
      long[] dims, int elementBytes, long stripeBytes, int servers, long token) {
    int cut = 0;
    while (cut < dims.length - 1 && dims[cut] == 1) {
      cut++;
    }
    long indexBytes = elementBytes;
    for (int i = cut + 1; i < dims.length; i++) {
      indexBytes = Math.multiplyExact(indexBytes, dims[i]);
    }
    long stripe = Math.max(1, stripeBytes / Math.max(1, indexBytes));
    int first = Math.floorMod(Long.hashCode(token * 0x9E3779B97F4A7C15L), servers);
    return new StripePartition(Arrays.stream(dims).boxed().toList(), cut, stripe, servers, first);
  }

  /** Whether more than one server has a part. */
  public boolean isSpread() {
    return servers > 1 && !dims.isEmpty() && dims.get(dimension) > stripeIndices;
  }

  private long[] extent() {
    return dims.stream().mapToLong(Long::longValue).toArray();
  }

  /** The server that has everything between two indices of the dimension, or -1 if several do. */
  public int only(long lowest, long highest) {
    long stripe = lowest / stripeIndices;
    return stripe == highest / stripeIndices ? server(stripe) : -1;
  }

  private int server(long stripe) {
    return (int) ((stripe + first) % servers);
  }

  /** All elements that a server has; nothing if it has none. */
  public Selection of(int server) {
    long stripe = Math.floorMod(server - first, servers);
    long[] start = new long[dims.size()];
    start[dimension] = Math.multiplyExact(stripe, stripeIndices);
    long indices = dims.get(dimension);
    if (start[dimension] >= indices) {
      return Selection.none();
    }
    long[] stride = extent();
    long[] block = extent();
    long[] count = new long[dims.size()];
    Arrays.fill(count, 1);
    stride[dimension] = Math.multiplyExact(stripeIndices, (long) servers);
    block[dimension] = stripeIndices;
    count[dimension] = Math.ceilDiv(indices - start[dimension], stride[dimension]);
    return Selection.hyperslab(start, stride, count, block).clip(extent());
  }
}
