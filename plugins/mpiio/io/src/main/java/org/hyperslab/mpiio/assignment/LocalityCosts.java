package org.hyperslab.mpiio.assignment;

/** The bytes of a domain that a candidate does not have to send, negative. */
record LocalityCosts(DomainTraffic traffic, int[] candidates) implements CostRows {

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
    for (int i = 0; i < candidates.length; i++) {
      columns[i] = i;
      costs[i] = -traffic.bytes(candidates[i], domain);
    }
    return candidates.length;
  }
}
