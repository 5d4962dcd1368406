package org.hyperslab.machine.assignment;

import java.util.Arrays;

/**
 * The negated number of bytes of a domain that a candidate need not send. For n domains, only n of
 * the candidates without such bytes are named; more are never needed.
 */
final class LocalityCosts implements CostRows {

  private final DomainTraffic traffic;
  private final int[] candidates;
  private final int[] columnOf;

  LocalityCosts(DomainTraffic traffic, int[] candidates) {
    this.traffic = traffic;
    this.candidates = candidates;
    this.columnOf = new int[traffic.ranks()];
    Arrays.fill(columnOf, -1);
    for (int i = 0; i < candidates.length; i++) {
      columnOf[candidates[i]] = i;
    }
  }

  @Override
  public int rows() {
    return traffic.domains();
  }

  @Override
  public int columns() {
    return candidates.length;
  }

  @Override
  public int row(int domain, int[] columns, double[] costs) {
    int count = 0;
    int[] contributors = traffic.contributors(domain);
    for (int i = 0; i < contributors.length; i++) {
      if (columnOf[contributors[i]] >= 0) {
        columns[count] = columnOf[contributors[i]];
        costs[count++] = -traffic.bytes(domain)[i];
      }
    }
    int most = Math.min(candidates.length, count + rows());
    for (int i = 0; i < candidates.length && count < most; i++) {
      if (Arrays.binarySearch(contributors, candidates[i]) < 0) {
        columns[count] = i;
        costs[count++] = 0;
      }
    }
    return count;
  }
}
