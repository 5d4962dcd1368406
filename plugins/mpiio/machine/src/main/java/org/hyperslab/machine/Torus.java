package org.hyperslab.machine;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;

/** A torus of n dimensions; nodes are numbered in row-major order. */
final class Torus implements Network {

  private static final int MAX_DIMENSIONS = 8;

  private final Level link;
  private final int[] extents;
  private final int nodes;

  Torus(Level link, int... extents) {
    if (extents.length < 1 || extents.length > MAX_DIMENSIONS) {
      throw new InvalidUseException(
          "torus: actual=" + extents.length + " dimensions, expected=1 to " + MAX_DIMENSIONS);
    }
    this.link = link;
    this.extents = extents.clone();
    this.nodes = CheckedCounts.product("torus", MAX_NODES, extents);
  }

  @Override
  public int nodes() {
    return nodes;
  }

  @Override
  public int[] extents() {
    return extents.clone();
  }

  @Override
  public int[] coordinates(int node) {
    int[] at = new int[extents.length];
    int rest = node;
    for (int i = extents.length - 1; i >= 0; i--) {
      at[i] = rest % extents[i];
      rest /= extents[i];
    }
    return at;
  }

  @Override
  public int hops(int from, int to) {
    int hops = 0;
    int a = from;
    int b = to;
    for (int i = extents.length - 1; i >= 0 && a != b; i--) {
      int apart = Math.abs(a % extents[i] - b % extents[i]);
      hops += Math.min(apart, extents[i] - apart);
      a /= extents[i];
      b /= extents[i];
    }
    return hops;
  }

  /**
   * {@inheritDoc} Distances add up over the dimensions, so this makes a table for each dimension.
   */
  @Override
  public IntToDoubleFunction hopBytes(int[] to, long[] bytes) {
    double[][] tables = new double[extents.length][];
    int stride = 1;
    for (int i = extents.length - 1; i >= 0; i--) {
      int extent = extents[i];
      double[] weights = new double[extent];
      for (int k = 0; k < to.length; k++) {
        weights[to[k] / stride % extent] += bytes[k];
      }
      tables[i] = new double[extent];
      for (int here = 0; here < extent; here++) {
        for (int there = 0; there < extent; there++) {
          int apart = Math.abs(here - there);
          tables[i][here] += weights[there] * Math.min(apart, extent - apart);
        }
      }
      stride *= extent;
    }
    return node -> {
      double sum = 0;
      int rest = node;
      for (int i = extents.length - 1; i >= 0; i--) {
        sum += tables[i][rest % extents[i]];
        rest /= extents[i];
      }
      return sum;
    };
  }

  @Override
  public List<Level> levels() {
    return List.of(link);
  }

  @Override
  public int level(int from, int to) {
    return 0;
  }

  @Override
  public void route(int from, int to, LinkVisitor visitor) {
    int at = from;
    int stride = 1;
    for (int i = extents.length - 1; i >= 0; i--) {
      int extent = extents[i];
      int target = to / stride % extent;
      int apart = Math.floorMod(target - at / stride % extent, extent);
      int step = apart <= extent - apart ? 1 : extent - 1;
      for (int here = at / stride % extent; here != target; ) {
        int next = (here + step) % extent;
        int neighbour = at + (next - here) * stride;
        visitor.link(LinkVisitor.number(at, neighbour), 1, link.bytesPerSecond());
        at = neighbour;
        here = next;
      }
      stride *= extent;
    }
  }

  @Override
  public Network with(List<Level> changed) {
    return new Torus(changed.getFirst(), extents);
  }

  @Override
  public String describe() {
    return "torus of "
        + Arrays.stream(extents).mapToObj(Integer::toString).collect(Collectors.joining("x"));
  }
}
