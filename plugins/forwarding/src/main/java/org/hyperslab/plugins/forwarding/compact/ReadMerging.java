package org.hyperslab.plugins.forwarding.compact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hyperslab.format.space.Selection;

/**
 * Makes the merged reads of a batch: of each read, what could not be taken from queued writes.
 *
 * <p>Thread rule: confined to one thread.
 */
final class ReadMerging {

  private final Intake intake;
  private final CompactorOptions options;
  private final Trace[] traces;
  private final List<MergedRead> merged = new ArrayList<>();

  /** Reads that become one. */
  private static final class Group {
    final ElementKind kind;
    final List<Integer> members = new ArrayList<>();
    long bytes;

    Group(ElementKind kind) {
      this.kind = kind;
    }
  }

  ReadMerging(Intake intake, CompactorOptions options, Trace[] traces) {
    this.intake = intake;
    this.options = options;
    this.traces = traces;
  }

  List<MergedRead> merge() {
    List<Integer> small = new ArrayList<>();
    for (int i = 0; i < intake.taken(); i++) {
      if (intake.request(i) instanceof ReadRequest read) {
        sort(i, read, small);
      }
    }
    small.sort(Comparator.comparingLong((Integer i) -> intake.request(i).region().lowOffset()));
    List<Group> groups = new ArrayList<>();
    for (int i : small) {
      Group group = groupWithRoom(groups, i);
      group.members.add(i);
      group.bytes += leftBytes(i);
    }
    groups.forEach(this::finish);
    return merged;
  }

  /** Deals with what needs no merging; notes the rest. */
  private void sort(int i, ReadRequest read, List<Integer> small) {
    if (read.region().elements() == 0) {
      traces[i] = new Trace(read.origin(), Treatment.EMPTY, List.of());
    } else if (intake.left(i).size() == 0) {
      traces[i] = new Trace(read.origin(), Treatment.STOLEN, victims(i));
    } else if (!options.enabled()) {
      merged.add(single(read));
      traces[i] = new Trace(read.origin(), Treatment.OFF, List.of());
    } else if (intake.stolen(i) == 0 && read.bytes() >= options.mergeBelowBytes()) {
      merged.add(single(read));
      traces[i] = new Trace(read.origin(), Treatment.LARGE, List.of());
    } else {
      small.add(i);
    }
  }

  private long leftBytes(int i) {
    RawRequest request = intake.request(i);
    return request.bytes() - intake.stolen(i) * request.kind().bytes();
  }

  private Group groupWithRoom(List<Group> groups, int i) {
    RawRequest request = intake.request(i);
    for (int g = groups.size() - 1; g >= 0; g--) {
      Group group = groups.get(g);
      if (group.kind.equals(request.kind())) {
        if (group.bytes + leftBytes(i) <= options.maxMergedBytes()) {
          return group;
        }
        break;
      }
    }
    Group fresh = new Group(request.kind());
    groups.add(fresh);
    return fresh;
  }

  /** A read as it came. */
  static MergedRead single(ReadRequest read) {
    Piece whole = new Piece(read, 0, read.bytes());
    return new MergedRead(
        read.key(),
        read.region(),
        read.kind(),
        List.of(new MergedRead.Target(0, whole)),
        List.of(read));
  }

  private void finish(Group group) {
    int first = group.members.getFirst();
    if (group.members.size() == 1 && intake.stolen(first) == 0) {
      ReadRequest read = (ReadRequest) intake.request(first);
      merged.add(single(read));
      traces[first] = new Trace(read.origin(), Treatment.ALONE, List.of());
      return;
    }
    group.members.sort(Comparator.naturalOrder());
    List<Selection> selections = new ArrayList<>();
    List<ReadRequest> sources = new ArrayList<>();
    for (int i : group.members) {
      ReadRequest read = (ReadRequest) intake.request(i);
      sources.add(read);
      selections.add(leftOf(i));
    }
    List<Origin> some =
        sources.stream().limit(Trace.MAX_PARTNERS).map(ReadRequest::origin).toList();
    for (int i : group.members) {
      boolean part = intake.stolen(i) > 0;
      boolean alone = group.members.size() == 1;
      traces[i] =
          new Trace(
              intake.request(i).origin(),
              part ? Treatment.PARTLY_STOLEN : alone ? Treatment.ALONE : Treatment.MERGED,
              part ? victims(i) : some);
    }
    ReadRequest read = sources.getFirst();
    Region region = Region.of(Selection.union(selections), read.region().extent());
    merged.add(new MergedRead(read.key(), region, group.kind, targets(group, region), sources));
  }

  /** The elements that are still to be read. */
  private Selection leftOf(int i) {
    Selection whole = intake.request(i).region().selection();
    if (intake.stolen(i) == 0) {
      return whole;
    }
    List<Selection> taken = new ArrayList<>();
    RawRequest last = null;
    for (Plan.Theft theft : intake.thefts(i)) {
      if (theft.from().request() != last) {
        last = theft.from().request();
        taken.add(last.region().selection());
      }
    }
    return whole.andNot(Selection.union(taken));
  }

  private List<Origin> victims(int i) {
    return intake.thefts(i).stream()
        .map(theft -> theft.from().request().origin())
        .distinct()
        .limit(Trace.MAX_PARTNERS)
        .toList();
  }

  /** Where the elements of the region go, in the order of arrival. */
  private List<MergedRead.Target> targets(Group group, Region region) {
    RunList runs = new RunList();
    region.forEachRun(Integer.MAX_VALUE, runs);
    List<MergedRead.Target> targets = new ArrayList<>();
    for (int i : group.members) {
      RunList left = intake.left(i);
      int bytes = group.kind.bytes();
      for (int r = 0; r < left.size(); r++) {
        long offset = left.offset(r);
        int in = runs.find(offset);
        long from = runs.ordinal(in) + offset - runs.offset(in);
        targets.add(
            new MergedRead.Target(from * bytes, intake.piece(i, left.ordinal(r), left.length(r))));
      }
    }
    return targets;
  }
}
