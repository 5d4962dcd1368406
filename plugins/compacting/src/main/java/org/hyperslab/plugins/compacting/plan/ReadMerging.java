package org.hyperslab.plugins.compacting.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.format.space.Selection;
import org.hyperslab.plugins.compacting.report.RequestOrigin;
import org.hyperslab.plugins.compacting.report.RequestOutcome;
import org.hyperslab.plugins.compacting.report.Trace;

/**
 * Creates the merged reads of a batch from the parts of reads that queued writes do not supply.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ReadMerging {

  private final BatchAnalysis analysis;
  private final MergeOptions options;
  private final Trace[] traces;
  private final List<MergedRead> merged = new ArrayList<>();

  /** Reads that are merged into one. */
  private static final class Group {
    final ElementKind kind;
    final List<RemainingRead> members = new ArrayList<>();
    long bytes;

    Group(ElementKind kind) {
      this.kind = kind;
    }
  }

  ReadMerging(BatchAnalysis analysis, MergeOptions options, Trace[] traces) {
    this.analysis = analysis;
    this.options = options;
    this.traces = traces;
  }

  List<MergedRead> merge() {
    List<RemainingRead> small = new ArrayList<>();
    for (int i = 0; i < analysis.taken(); i++) {
      if (analysis.request(i) instanceof ReadRequest read) {
        sort(i, read, small);
      }
    }
    for (Group group : groups(small, options.maxMergedBytes())) {
      trace(group);
      merged.add(merged(group));
    }
    return merged;
  }

  /** Merges the parts of reads that the storage must supply. */
  static List<MergedRead> merge(List<RemainingRead> reads, MergeOptions options) {
    List<MergedRead> merged = new ArrayList<>();
    List<RemainingRead> small = new ArrayList<>();
    for (RemainingRead left : reads) {
      if (left.isWhole() && left.read().bytes() >= options.mergeBelowBytes()) {
        merged.add(MergedRead.of(left.read()));
      } else {
        small.add(left);
      }
    }
    groups(small, options.maxMergedBytes()).forEach(group -> merged.add(merged(group)));
    return merged;
  }

  /** Returns a merged read of a single part. */
  static MergedRead alone(RemainingRead left) {
    Group group = new Group(left.read().kind());
    group.members.add(left);
    return merged(group);
  }

  /** Handles a read that is not merged, or adds it to those that are. */
  private void sort(int i, ReadRequest read, List<RemainingRead> small) {
    if (read.region().elements() == 0) {
      traces[i] = new Trace(read.origin(), RequestOutcome.EMPTY, List.of());
    } else if (analysis.left(i).size() == 0) {
      traces[i] = new Trace(read.origin(), RequestOutcome.STOLEN, sourcesOf(i));
    } else if (!options.enabled()) {
      merged.add(MergedRead.of(read));
      traces[i] = new Trace(read.origin(), RequestOutcome.OFF, List.of());
    } else if (analysis.copied(i) == 0 && read.bytes() >= options.mergeBelowBytes()) {
      merged.add(MergedRead.of(read));
      traces[i] = new Trace(read.origin(), RequestOutcome.LARGE, List.of());
    } else {
      small.add(new RemainingRead(i, read, analysis.left(i), leftOf(i)));
    }
  }

  /** Groups reads by their offsets, each group up to the largest merged size. */
  private static List<Group> groups(List<RemainingRead> small, long mostBytes) {
    small.sort(Comparator.comparingLong((RemainingRead each) -> each.read().region().lowOffset()));
    List<Group> groups = new ArrayList<>();
    for (RemainingRead each : small) {
      Group group = groupWithRoom(groups, each, mostBytes);
      group.members.add(each);
      group.bytes += each.bytes();
    }
    groups.forEach(group -> group.members.sort(Comparator.comparingInt(RemainingRead::order)));
    return groups;
  }

  private static Group groupWithRoom(List<Group> groups, RemainingRead left, long mostBytes) {
    for (int g = groups.size() - 1; g >= 0; g--) {
      Group group = groups.get(g);
      if (group.kind.equals(left.read().kind())) {
        if (group.bytes + left.bytes() <= mostBytes) {
          return group;
        }
        break;
      }
    }
    Group fresh = new Group(left.read().kind());
    groups.add(fresh);
    return fresh;
  }

  private void trace(Group group) {
    List<RequestOrigin> some =
        group.members.stream().limit(Trace.MAX_PARTNERS).map(left -> left.read().origin()).toList();
    boolean alone = group.members.size() == 1;
    for (RemainingRead left : group.members) {
      boolean part = analysis.copied(left.order()) > 0;
      traces[left.order()] =
          new Trace(
              left.read().origin(),
              part
                  ? RequestOutcome.PARTLY_STOLEN
                  : alone ? RequestOutcome.ALONE : RequestOutcome.MERGED,
              part ? sourcesOf(left.order()) : alone ? List.of() : some);
    }
  }

  private static MergedRead merged(Group group) {
    RemainingRead first = group.members.getFirst();
    if (group.members.size() == 1 && first.isWhole()) {
      return MergedRead.of(first.read());
    }
    List<Selection> selections = new ArrayList<>();
    List<ReadRequest> sources = new ArrayList<>();
    for (RemainingRead left : group.members) {
      sources.add(left.read());
      selections.add(left.selection());
    }
    ReadRequest read = first.read();
    Region region = Region.of(Selection.union(selections), read.region().extent());
    return new MergedRead(read.key(), region, group.kind, targets(group, region), sources);
  }

  /** {@return the elements of a read that the storage must supply} */
  private Selection leftOf(int i) {
    Selection whole = analysis.request(i).region().selection();
    if (analysis.copied(i) == 0) {
      return whole;
    }
    List<Selection> taken = new ArrayList<>();
    RawRequest last = null;
    for (Plan.Copy copy : analysis.copies(i)) {
      if (copy.from().request() != last) {
        last = copy.from().request();
        taken.add(last.region().selection());
      }
    }
    return whole.andNot(Selection.union(taken));
  }

  private List<RequestOrigin> sourcesOf(int i) {
    return analysis.copies(i).stream()
        .map(copy -> copy.from().request().origin())
        .distinct()
        .limit(Trace.MAX_PARTNERS)
        .toList();
  }

  /** {@return the destinations of the region's elements, in the order of arrival} */
  private static List<MergedRead.Target> targets(Group group, Region region) {
    RunList runs = new RunList();
    region.forEachRun(Integer.MAX_VALUE, runs);
    List<MergedRead.Target> targets = new ArrayList<>();
    int bytes = group.kind.bytes();
    for (RemainingRead member : group.members) {
      RunList left = member.runs();
      for (int r = 0; r < left.size(); r++) {
        long offset = left.offset(r);
        int in = runs.find(offset);
        long from = runs.ordinal(in) + offset - runs.offset(in);
        RequestPiece piece =
            new RequestPiece(member.read(), left.ordinal(r) * bytes, left.length(r) * bytes);
        targets.add(new MergedRead.Target(from * bytes, piece));
      }
    }
    return targets;
  }
}
