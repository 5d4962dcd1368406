package org.hyperslab.plugins.forwarding.client;

import java.util.Arrays;
import java.util.List;
import org.hyperslab.format.space.Selection;

/**
 * The division of a dataset among servers: stripes of whole indices of one dimension, distributed
 * block-cyclically. The dimension is the first with more than one index, so that a stripe is one
 * run in the file. All clients with the same list of servers compute the same division.
 *
 * <p>Thread rule: immutable.
 *
 * @param dims the dataset's extent, slowest dimension first
 * @param dimension the 0-based dimension that is divided
 * @param stripeIndices the number of its indices in a stripe, at least 1
 * @param servers the number of servers, at least 1
 * @param first the 0-based index of the server of the first stripe
 */
record StripePartition(List<Long> dims, int dimension, long stripeIndices, int servers, int first) {

  /** Copies the list of dimensions. */
  public StripePartition {
    dims = List.copyOf(dims);
  }

  /**
   * Divides a dataset.
   *
   * @param dims the extent, of at least one element
   * @param elementBytes the size of an element in bytes
   * @param stripeBytes the size of a stripe in bytes; a stripe has as many indices as fit, at least
   *     one
   * @param servers the number of servers
   * @param token the address of the dataset, which determines the server of the first stripe
   * @return the division
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

  /** {@return whether more than one server has a part of the dataset} */
  public boolean isSpread() {
    return servers > 1 && !dims.isEmpty() && dims.get(dimension) > stripeIndices;
  }

  private long[] extent() {
    return dims.stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * Returns the server that holds all elements in a range of the divided dimension.
   *
   * @param lowest the first index
   * @param highest the last index
   * @return the 0-based index of the server; -1 if several servers hold a part
   */
  public int only(long lowest, long highest) {
    long stripe = lowest / stripeIndices;
    return stripe == highest / stripeIndices ? server(stripe) : -1;
  }

  private int server(long stripe) {
    return (int) ((stripe + first) % servers);
  }

  /**
   * Selects the elements of a server.
   *
   * @param server the 0-based index of the server
   * @return the elements; an empty selection if it has none
   */
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
