package org.hyperslab.plugins.compacting;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.format.space.Selection;

/**
 * Makes the merged writes of one wave.
 *
 * <p>A write that folded with others has its reply together with them; what they write is cut where
 * it exceeds the largest merged size. What is as large as the options say, and did not fold, is
 * left as it came. The rest is merged by kind, in the order of offsets, up to the largest merged
 * size.
 *
 * <p>Thread rule: confined to one thread.
 */
final class WriteMerging {

  private final Intake intake;
  private final CompactorOptions options;
  private final int wave;
  private final Trace[] traces;
  private final List<MergedWrite> merged = new ArrayList<>();

  // By the index of the request.
  private final int[] partners;
  private final long[] kept;
  private final Group[] groups;

  /** Writes that become one. */
  private static final class Group {
    final ElementKind kind;
    final List<WriteRequest> sources = new ArrayList<>();
    final List<Piece> pieces = new ArrayList<>();

    /** The offsets of the pieces, in elements. */
    final RunList places = new RunList();

    long bytes;

    private Region all;
    private List<Origin> partners;

    Group(ElementKind kind) {
      this.kind = kind;
    }

    /** Where some of the pieces go, from one index to before another. */
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

    /** Some of the requests; asked for when all are there. */
    List<Origin> partners() {
      if (partners == null) {
        partners = sources.stream().limit(Trace.MAX_PARTNERS).map(WriteRequest::origin).toList();
      }
      return partners;
    }
  }

  WriteMerging(Intake intake, CompactorOptions options, int wave, Trace[] traces) {
    this.intake = intake;
    this.options = options;
    this.wave = wave;
    this.traces = traces;
    this.partners = new int[intake.taken()];
    this.kept = new long[intake.taken()];
    this.groups = new Group[intake.taken()];
  }

  List<MergedWrite> merge() {
    List<Integer> members = members();
    if (members.isEmpty()) {
      return List.of();
    }
    List<Integer> small = new ArrayList<>();
    for (int i : members) {
      if (partners[intake.root(i)] > 1) {
        small.add(i);
      } else if (!options.enabled() || intake.request(i).bytes() >= options.mergeBelowBytes()) {
        alone(i, options.enabled() ? Treatment.LARGE : Treatment.OFF);
      } else {
        small.add(i);
      }
    }
    if (small.size() == 1) {
      alone(small.getFirst(), Treatment.ALONE);
    } else if (!small.isEmpty()) {
      group(small);
      fill();
      finish(small);
    }
    return merged;
  }

  /** The writes of this wave that select anything. */
  private List<Integer> members() {
    List<Integer> members = new ArrayList<>();
    for (int i = 0; i < intake.taken(); i++) {
      if (intake.request(i) instanceof WriteRequest write && intake.wave(i) == wave) {
        if (write.region().elements() == 0) {
          traces[i] = new Trace(write.origin(), Treatment.EMPTY, List.of());
        } else {
          members.add(i);
          partners[intake.root(i)]++;
        }
      }
    }
    return members;
  }

  private void alone(int i, Treatment treatment) {
    WriteRequest write = (WriteRequest) intake.request(i);
    boolean follows = !intake.followed(i).isEmpty();
    boolean ordered = follows && treatment != Treatment.OFF;
    traces[i] =
        new Trace(
            write.origin(), ordered ? Treatment.AFTER_OTHER_CLIENT : treatment, intake.followed(i));
    merged.add(single(write));
  }

  /** A write as it came. */
  static MergedWrite single(WriteRequest write) {
    return new MergedWrite(
        write.key(),
        write.region(),
        write.kind(),
        List.of(new Piece(write, 0, write.bytes())),
        List.of(write));
  }

  /** Gives each request its group; those that folded share one. */
  private void group(List<Integer> small) {
    List<Integer> byOffset = new ArrayList<>(small);
    if (!isAscending(small)) {
      byOffset.sort(
          Comparator.comparingLong(
              (Integer i) -> intake.request(intake.root(i)).region().lowOffset()));
    }
    List<Group> open = new ArrayList<>();
    for (int i : byOffset) {
      int root = intake.root(i);
      if (groups[root] == null) {
        groups[root] = groupWithRoom(open, intake.request(i));
      }
      groups[i] = groups[root];
      groups[i].bytes += intake.request(i).bytes();
    }
    for (int i : small) {
      groups[i].sources.add((WriteRequest) intake.request(i));
    }
  }

  private boolean isAscending(List<Integer> small) {
    long last = -1;
    for (int i : small) {
      long low = intake.request(intake.root(i)).region().lowOffset();
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

  /** Hands the segments of the wave, in the order of offsets, to their groups. */
  private void fill() {
    intake
        .waves()
        .get(wave)
        .forEach((start, end, source, ordinal) -> {
          Group group = groups[source];
          if (group != null) {
            group.pieces.add(intake.piece(source, ordinal, end - start));
            group.places.run(start, end - start, ordinal);
            kept[source] += end - start;
          }
        });
  }

  private void finish(List<Integer> small) {
    for (int i : small) {
      Group group = groups[i];
      RawRequest request = intake.request(i);
      if (group.sources.getFirst() == request) {
        add(group);
      }
      traces[i] = new Trace(request.origin(), treatment(i, group), group.partners());
    }
  }

  private Treatment treatment(int i, Group group) {
    if (group.sources.size() == 1) {
      return intake.followed(i).isEmpty() ? Treatment.ALONE : Treatment.AFTER_OTHER_CLIENT;
    }
    if (kept[i] == 0) {
      return Treatment.COVERED;
    }
    return partners[intake.root(i)] > 1 ? Treatment.MORPHED : Treatment.MERGED;
  }

  private void add(Group group) {
    WriteRequest first = group.sources.getFirst();
    if (group.sources.size() == 1) {
      merged.add(single(first));
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

  /** As many pieces as make the largest merged request; a large piece stands alone, uncopied. */
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
