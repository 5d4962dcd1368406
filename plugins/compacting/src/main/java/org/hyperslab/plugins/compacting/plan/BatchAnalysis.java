package org.hyperslab.plugins.compacting.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.hyperslab.plugins.compacting.report.Trace;

/**
 * Determines how each request of a batch overlaps the requests before it.
 *
 * <p>Writes are grouped into waves, which are carried out one after another. A write joins the wave
 * of the latest write that it overlaps if both are of the same client and kind, and then replaces
 * the overlap; otherwise it goes into the next wave. Thus a wave has no overlaps except those that
 * were folded, and writes of different clients keep their order. A read takes elements from the
 * latest writes that it overlaps; the remaining elements are read before any write of the batch.
 *
 * <p>Thread rule: confined to one thread.
 */
final class BatchAnalysis {

  /**
   * The largest number of runs of a request that is analysed; a request with more is carried out
   * unchanged.
   */
  static final int MAX_RUNS = 1 << 14;

  /** The largest number of runs in a batch, which ends before the request that would exceed it. */
  static final int MAX_BATCH_RUNS = 1 << 18;

  private final List<? extends RawRequest> requests;
  private final boolean enabled;
  private final RunList runs = new RunList();
  private long totalRuns;
  private int taken;

  /** The latest write of each element. While there is one wave, this is its map too. */
  private final SegmentMap latest = new SegmentMap();

  private final List<SegmentMap> waves = new ArrayList<>();

  // Indexed by request.
  private final int[] wave;
  private final int[] foldedInto;
  private final RunList[] left;
  private final long[] copied;
  private final int[] firstCopy;
  private final List<List<RequestOrigin>> followed;
  private final List<Plan.Copy> copies = new ArrayList<>();
  private boolean tooComplex;

  // State of the request being examined.
  private int wanted;
  private boolean refused;

  BatchAnalysis(List<? extends RawRequest> requests, boolean enabled) {
    this.requests = requests;
    this.enabled = enabled;
    int size = requests.size();
    this.wave = new int[size];
    this.foldedInto = new int[size];
    Arrays.setAll(foldedInto, i -> i);
    this.left = new RunList[size];
    this.copied = new long[size];
    this.firstCopy = new int[size + 1];
    this.followed = new ArrayList<>();
    waves.add(latest);
  }

  /** Examines as many requests as can be planned together. */
  void takeAll() {
    boolean more = true;
    while (more && taken < requests.size()) {
      more = take(taken);
    }
  }

  /** Examines one request; returns false if no more can follow in this batch. */
  private boolean take(int i) {
    RawRequest request = requests.get(i);
    if (i > 0 && !request.region().hasExtentOf(requests.get(0).region())) {
      return false;
    }
    runs.clear();
    boolean all = request.region().forEachRun(MAX_RUNS, runs);
    if (!all || totalRuns + runs.size() > MAX_BATCH_RUNS) {
      if (i > 0) {
        return false;
      }
      tooComplex = true;
      taken = 1;
      return false;
    }
    boolean fits =
        switch (request) {
          case WriteRequest write -> takeWrite(i, write);
          case ReadRequest read -> takeRead(i, read);
        };
    if (fits) {
      firstCopy[i + 1] = copies.size();
      totalRuns += runs.size();
      taken = i + 1;
    }
    return fits;
  }

  private boolean takeWrite(int i, WriteRequest write) {
    wanted = 0;
    List<RequestOrigin> before = new ArrayList<>(0);
    for (int r = 0; r < runs.size(); r++) {
      latest.forEachIn(
          runs.offset(r),
          runs.offset(r) + runs.length(r),
          (start, end, source, ordinal) -> {
            boolean folds = enabled && isAlike(write, requests.get(source));
            int behind = wave[source] + (folds ? 0 : 1);
            if (behind > wanted) {
              wanted = behind;
            }
            if (!folds && before.size() < Trace.MAX_PARTNERS) {
              before.add(requests.get(source).origin());
            }
          });
    }
    wave[i] = wanted;
    followed.add(before);
    put(i);
    return true;
  }

  private static boolean isAlike(RawRequest a, RawRequest b) {
    return a.origin().client() == b.origin().client() && a.kind().equals(b.kind());
  }

  private void put(int i) {
    int mine = wave[i];
    if (mine > 0 && waves.size() == 1) {
      waves.set(0, latest.copy());
    }
    if (mine == waves.size()) {
      waves.add(new SegmentMap());
    }
    SegmentMap map = waves.get(mine);
    for (int r = 0; r < runs.size(); r++) {
      long from = runs.offset(r);
      long to = from + runs.length(r);
      map.forEachIn(from, to, (start, end, source, ordinal) -> fold(i, source));
      map.put(from, to, i, runs.ordinal(r));
      if (map != latest) {
        latest.put(from, to, i, runs.ordinal(r));
      }
    }
  }

  private void fold(int a, int b) {
    int rootA = root(a);
    int rootB = root(b);
    foldedInto[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
  }

  /** {@return the first of the requests that a request is folded with, including itself} */
  int root(int i) {
    int root = i;
    while (foldedInto[root] != root) {
      foldedInto[root] = foldedInto[foldedInto[root]];
      root = foldedInto[root];
    }
    return root;
  }

  private boolean takeRead(int i, ReadRequest read) {
    followed.add(List.of());
    refused = false;
    for (int r = 0; r < runs.size() && !refused; r++) {
      latest.forEachIn(
          runs.offset(r),
          runs.offset(r) + runs.length(r),
          (start, end, source, ordinal) -> refused |= !mayCopy(read, requests.get(source)));
    }
    if (refused) {
      followed.removeLast();
      return false;
    }
    RunList rest = new RunList();
    for (int r = 0; r < runs.size(); r++) {
      copyRun(i, r, rest);
    }
    left[i] = rest;
    return true;
  }

  private boolean mayCopy(ReadRequest read, RawRequest write) {
    return enabled && read.kind().stored() && read.kind().equals(write.kind());
  }

  /** Copies the parts of a run that writes hold, and adds the other parts to the rest. */
  private void copyRun(int i, int r, RunList rest) {
    long from = runs.offset(r);
    long to = from + runs.length(r);
    long first = runs.ordinal(r);
    long[] at = {from};
    latest.forEachIn(
        from,
        to,
        (start, end, source, ordinal) -> {
          if (start > at[0]) {
            rest.run(at[0], start - at[0], first + at[0] - from);
          }
          copies.add(
              new Plan.Copy(
                  piece(source, ordinal, end - start),
                  piece(i, first + start - from, end - start)));
          copied[i] += end - start;
          at[0] = end;
        });
    if (at[0] < to) {
      rest.run(at[0], to - at[0], first + at[0] - from);
    }
  }

  /** {@return a part of a request's buffer, given in elements} */
  RequestPiece piece(int source, long ordinal, long elements) {
    RawRequest request = requests.get(source);
    int bytes = request.kind().bytes();
    return new RequestPiece(request, ordinal * bytes, elements * bytes);
  }

  RawRequest request(int i) {
    return requests.get(i);
  }

  /** {@return the number of requests in the batch} */
  int taken() {
    return taken;
  }

  /** {@return whether the only request has too many runs to be analysed} */
  boolean isTooComplex() {
    return tooComplex;
  }

  List<SegmentMap> waves() {
    return waves;
  }

  int wave(int i) {
    return wave[i];
  }

  /** {@return some of the writes of other clients that a write must follow} */
  List<RequestOrigin> followed(int i) {
    return followed.get(i);
  }

  /** {@return the elements of a read that the storage must supply} */
  RunList left(int i) {
    return left[i];
  }

  /** {@return the number of elements that a read takes from writes} */
  long copied(int i) {
    return copied[i];
  }

  List<Plan.Copy> copies() {
    return copies;
  }

  /** {@return the copies that supply a part of a read} */
  List<Plan.Copy> copies(int i) {
    return copies.subList(firstCopy[i], firstCopy[i + 1]);
  }
}
