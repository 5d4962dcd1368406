package org.hyperslab.plugins.compacting.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.format.space.Selection;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.hyperslab.plugins.compacting.report.Trace;

/**
 * Creates the merged writes of one wave.
 *
 * <p>A write that was folded with others is answered together with them; their elements are divided
 * if they exceed the largest merged size. A write that was not folded and has at least {@link
 * MergeOptions#mergeBelowBytes} bytes is left unchanged. The others are merged by kind, in the
 * order of offsets, up to the largest merged size.
 *
 * <p>Thread rule: confined to one thread.
 */
final class WriteMerging {

  private final BatchAnalysis analysis;
  private final MergeOptions options;
  private final int wave;
  private final Trace[] traces;
  private final List<MergedWrite> merged = new ArrayList<>();

  // Indexed by request.
  private final int[] partners;
  private final long[] kept;
  private final Group[] groups;

  /** Writes that are merged into one. */
  private static final class Group {
    final ElementKind kind;
    final List<WriteRequest> sources = new ArrayList<>();
    final List<RequestPiece> pieces = new ArrayList<>();

    /** The offsets of the pieces, in elements. */
    final RunList places = new RunList();

    long bytes;

    private Region all;
    private List<RequestOrigin> partners;

    Group(ElementKind kind) {
      this.kind = kind;
    }

    /**
     * {@return the elements of a range of pieces, from one index (inclusive) to another
     * (exclusive)}
     */
    Region region(int from, int to) {
      Region any = sources.getFirst().region();
      long start = places.offset(from);
      long end = places.offset(to - 1) + places.length(to - 1);
      if (any.rank() > 0 && isSolid(from, to)) {
        return any.solid(start, end);
      }
      if (all == null) {
        List<Selection> selections = new ArrayList<>(sources.size());
        for (WriteRequest source : sources) {
          selections.add(source.region().selection());
        }
        all = Region.of(Selection.union(selections), any.extent());
      }
      return from == 0 && to == pieces.size() ? all : all.within(start, end);
    }

    private boolean isSolid(int from, int to) {
      for (int i = from + 1; i < to; i++) {
        if (places.offset(i) != places.offset(i - 1) + places.length(i - 1)) {
          return false;
        }
      }
      return true;
    }

    /** {@return some of the requests; called when the group is complete} */
    List<RequestOrigin> partners() {
      if (partners == null) {
        partners = sources.stream().limit(Trace.MAX_PARTNERS).map(WriteRequest::origin).toList();
      }
      return partners;
    }
  }

  WriteMerging(BatchAnalysis analysis, MergeOptions options, int wave, Trace[] traces) {
    this.analysis = analysis;
    this.options = options;
    this.wave = wave;
    this.traces = traces;
    this.partners = new int[analysis.taken()];
    this.kept = new long[analysis.taken()];
    this.groups = new Group[analysis.taken()];
  }

  List<MergedWrite> merge() {
    List<Integer> members = members();
    if (members.isEmpty()) {
      return List.of();
    }
    List<Integer> small = new ArrayList<>();
    for (int i : members) {
      if (partners[analysis.root(i)] > 1) {
        small.add(i);
      } else if (!options.enabled() || analysis.request(i).bytes() >= options.mergeBelowBytes()) {
        alone(i, options.enabled() ? RequestOutcome.LARGE : RequestOutcome.OFF);
      } else {
        small.add(i);
      }
    }
    if (small.size() == 1) {
      alone(small.getFirst(), RequestOutcome.ALONE);
    } else if (!small.isEmpty()) {
      group(small);
      fill();
      finish(small);
    }
    return merged;
  }

  /** {@return the writes of this wave that select at least one element} */
  private List<Integer> members() {
    List<Integer> members = new ArrayList<>();
    for (int i = 0; i < analysis.taken(); i++) {
      if (analysis.request(i) instanceof WriteRequest write && analysis.wave(i) == wave) {
        if (write.region().elements() == 0) {
          traces[i] = new Trace(write.origin(), RequestOutcome.EMPTY, List.of());
        } else {
          members.add(i);
          partners[analysis.root(i)]++;
        }
      }
    }
    return members;
  }

  private void alone(int i, RequestOutcome outcome) {
    WriteRequest write = (WriteRequest) analysis.request(i);
    boolean follows = !analysis.followed(i).isEmpty();
    boolean ordered = follows && outcome != RequestOutcome.OFF;
    traces[i] =
        new Trace(
            write.origin(),
            ordered ? RequestOutcome.AFTER_OTHER_CLIENT : outcome,
            analysis.followed(i));
    merged.add(MergedWrite.of(write));
  }

  /** Assigns each request to a group; folded requests share one. */
  private void group(List<Integer> small) {
    List<Integer> byOffset = new ArrayList<>(small);
    if (!isAscending(small)) {
      byOffset.sort(
          Comparator.comparingLong(
              (Integer i) -> analysis.request(analysis.root(i)).region().lowOffset()));
    }
    List<Group> open = new ArrayList<>();
    for (int i : byOffset) {
      int root = analysis.root(i);
      if (groups[root] == null) {
        groups[root] = groupWithRoom(open, analysis.request(i));
      }
      groups[i] = groups[root];
      groups[i].bytes += analysis.request(i).bytes();
    }
    for (int i : small) {
      groups[i].sources.add((WriteRequest) analysis.request(i));
    }
  }

  private boolean isAscending(List<Integer> small) {
    long last = -1;
    for (int i : small) {
      long low = analysis.request(analysis.root(i)).region().lowOffset();
      if (low < last) {
        return false;
      }
      last = low;
    }
    return true;
  }

  private Group groupWithRoom(List<Group> open, RawRequest request) {
    for (int g = open.size() - 1; g >= 0; g--) {
      Group group = open.get(g);
      if (group.kind.equals(request.kind())) {
        if (group.bytes + request.bytes() <= options.maxMergedBytes()) {
          return group;
        }
        open.remove(g);
        break;
      }
    }
    Group fresh = new Group(request.kind());
    open.add(fresh);
    return fresh;
  }

  /** Adds the segments of the wave, in the order of offsets, to their groups. */
  private void fill() {
    analysis
        .waves()
        .get(wave)
        .forEach((start, end, source, ordinal) -> {
          Group group = groups[source];
          if (group != null) {
            group.pieces.add(analysis.piece(source, ordinal, end - start));
            group.places.run(start, end - start, ordinal);
            kept[source] += end - start;
          }
        });
  }

  private void finish(List<Integer> small) {
    for (int i : small) {
      Group group = groups[i];
      RawRequest request = analysis.request(i);
      if (group.sources.getFirst() == request) {
        add(group);
      }
      traces[i] = new Trace(request.origin(), outcome(i, group), group.partners());
    }
  }

  private RequestOutcome outcome(int i, Group group) {
    if (group.sources.size() == 1) {
      return analysis.followed(i).isEmpty()
          ? RequestOutcome.ALONE
          : RequestOutcome.AFTER_OTHER_CLIENT;
    }
    if (kept[i] == 0) {
      return RequestOutcome.COVERED;
    }
    return partners[analysis.root(i)] > 1 ? RequestOutcome.MORPHED : RequestOutcome.MERGED;
  }

  private void add(Group group) {
    WriteRequest first = group.sources.getFirst();
    if (group.sources.size() == 1) {
      merged.add(MergedWrite.of(first));
      return;
    }
    int from = 0;
    while (from < group.pieces.size()) {
      int to = endOfPart(group, from);
      merged.add(
          new MergedWrite(
              first.key(),
              group.region(from, to),
              group.kind,
              group.pieces.subList(from, to),
              group.sources));
      from = to;
    }
  }

  /** Returns the end of the next merged write; a large piece forms one alone, and is not copied. */
  private int endOfPart(Group group, int from) {
    long bytes = 0;
    int to = from;
    while (to < group.pieces.size()) {
      long more = group.pieces.get(to).lengthBytes();
      boolean large = more >= options.mergeBelowBytes();
      if (to > from && (large || bytes + more > options.maxMergedBytes())) {
        return to;
      }
      bytes += more;
      to++;
      if (large) {
        return to;
      }
    }
    return to;
  }
}
