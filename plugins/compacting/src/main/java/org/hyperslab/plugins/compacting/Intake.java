package org.hyperslab.plugins.compacting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Takes the requests of a batch one by one, in the order of arrival, and finds out what each has to
 * do with those before it.
 *
 * <p>Writes stand in waves, which follow each other. A write joins the wave of the latest write
 * under it if that is of the same client and kind, and then covers it; otherwise it goes into the
 * wave behind. So a wave has no overlaps but those that folded, and different clients keep their
 * order. Reads take from the latest writes under them; what is left to read is as it was before the
 * batch.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Intake {

  /** A request of more runs is carried out as it is. */
  static final int MAX_RUNS = 1 << 14;

  /** A batch of more runs is cut. */
  static final int MAX_BATCH_RUNS = 1 << 18;

  private final List<? extends RawRequest> requests;
  private final boolean enabled;
  private final RunList runs = new RunList();
  private long totalRuns;
  private int taken;

  /** What holds after all writes so far. While there is one wave, this is its map too. */
  private final SegmentMap latest = new SegmentMap();

  private final List<SegmentMap> waves = new ArrayList<>();

  // By the index of the request.
  private final int[] wave;
  private final int[] foldedInto;
  private final RunList[] left;
  private final long[] stolen;
  private final int[] firstTheft;
  private final List<List<Origin>> followed;
  private final List<Plan.Theft> thefts = new ArrayList<>();
  private boolean complicated;

  // Of the request being taken.
  private int wanted;
  private boolean refused;

  Intake(List<? extends RawRequest> requests, boolean enabled) {
    this.requests = requests;
    this.enabled = enabled;
    int size = requests.size();
    this.wave = new int[size];
    this.foldedInto = new int[size];
    Arrays.setAll(foldedInto, i -> i);
    this.left = new RunList[size];
    this.stolen = new long[size];
    this.firstTheft = new int[size + 1];
    this.followed = new ArrayList<>();
    waves.add(latest);
  }

  /** Takes as many as can be planned together. */
  void takeAll() {
    boolean more = true;
    while (more && taken < requests.size()) {
      more = take(taken);
    }
  }

  /** Takes one request; false if no more can follow in this batch. */
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
      complicated = true;
      taken = 1;
      return false;
    }
    boolean fits =
        switch (request) {
          case WriteRequest write -> takeWrite(i, write);
          case ReadRequest read -> takeRead(i, read);
        };
    if (fits) {
      firstTheft[i + 1] = thefts.size();
      totalRuns += runs.size();
      taken = i + 1;
    }
    return fits;
  }

  private boolean takeWrite(int i, WriteRequest write) {
    wanted = 0;
    List<Origin> before = new ArrayList<>(0);
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

  /** The first request of those that a request is folded with, itself included. */
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
          (start, end, source, ordinal) -> refused |= !isStealable(read, requests.get(source)));
    }
    if (refused) {
      followed.removeLast();
      return false;
    }
    RunList rest = new RunList();
    for (int r = 0; r < runs.size(); r++) {
      steal(i, r, rest);
    }
    left[i] = rest;
    return true;
  }

  private boolean isStealable(ReadRequest read, RawRequest write) {
    return enabled && read.kind().stored() && read.kind().equals(write.kind());
  }

  /** Takes what writes hold of a run, and notes what they do not. */
  private void steal(int i, int r, RunList rest) {
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
          thefts.add(
              new Plan.Theft(
                  piece(source, ordinal, end - start),
                  piece(i, first + start - from, end - start)));
          stolen[i] += end - start;
          at[0] = end;
        });
    if (at[0] < to) {
      rest.run(at[0], to - at[0], first + at[0] - from);
    }
  }

  /** A part of a request's buffer, given in elements. */
  Piece piece(int source, long ordinal, long elements) {
    RawRequest request = requests.get(source);
    int bytes = request.kind().bytes();
    return new Piece(request, ordinal * bytes, elements * bytes);
  }

  RawRequest request(int i) {
    return requests.get(i);
  }

  /** How many requests were taken. */
  int taken() {
    return taken;
  }

  /** Whether the one request taken has too many runs to be looked at. */
  boolean isComplicated() {
    return complicated;
  }

  List<SegmentMap> waves() {
    return waves;
  }

  int wave(int i) {
    return wave[i];
  }

  /** The writes of others that a write has to follow, some of them. */
  List<Origin> followed(int i) {
    return followed.get(i);
  }

  /** What is left to read for a read. */
  RunList left(int i) {
    return left[i];
  }

  /** How many elements of a read were taken from writes. */
  long stolen(int i) {
    return stolen[i];
  }

  List<Plan.Theft> thefts() {
    return thefts;
  }

  /** The thefts that answer a part of a read. */
  List<Plan.Theft> thefts(int i) {
    return thefts.subList(firstTheft[i], firstTheft[i + 1]);
  }
}
