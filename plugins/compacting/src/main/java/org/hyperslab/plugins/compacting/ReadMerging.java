package org.hyperslab.plugins.compacting;

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

  /**
   * What the storage has to give of a read.
   *
   * @param order its place in the order of arrival
   * @param runs the elements, where they are in the dataset and in the read
   * @param rest the same elements as a selection
   */
  record Left(int order, ReadRequest read, RunList runs, Selection rest) {
    long bytes() {
      long elements = 0;
      for (int r = 0; r < runs.size(); r++) {
        elements += runs.length(r);
      }
      return elements * read.kind().bytes();
    }

    boolean isWhole() {
      return bytes() == read.bytes();
    }
  }

  /** Reads that become one. */
  private static final class Group {
    final ElementKind kind;
    final List<Left> members = new ArrayList<>();
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
    List<Left> small = new ArrayList<>();
    for (int i = 0; i < intake.taken(); i++) {
      if (intake.request(i) instanceof ReadRequest read) {
        sort(i, read, small);
      }
    }
    for (Group group : groups(small, options.maxMergedBytes())) {
      trace(group);
      merged.add(merged(group));
    }
    return merged;
  }

  /** What is left of reads, in few of them. */
  static List<MergedRead> merge(List<Left> reads, CompactorOptions options) {
    List<MergedRead> merged = new ArrayList<>();
    List<Left> small = new ArrayList<>();
    for (Left left : reads) {
      if (left.isWhole() && left.read.bytes() >= options.mergeBelowBytes()) {
        merged.add(single(left.read));
      } else {
        small.add(left);
      }
    }
    groups(small, options.maxMergedBytes()).forEach(group -> merged.add(merged(group)));
    return merged;
  }

  /** What is left of one read. */
  static MergedRead alone(Left left) {
    Group group = new Group(left.read.kind());
    group.members.add(left);
    return merged(group);
  }

  /** Deals with what needs no merging; notes the rest. */
  private void sort(int i, ReadRequest read, List<Left> small) {
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
      small.add(new Left(i, read, intake.left(i), leftOf(i)));
    }
  }

  /** Reads that go together, up to so many bytes, by their places. */
  private static List<Group> groups(List<Left> small, long mostBytes) {
    small.sort(Comparator.comparingLong((Left each) -> each.read.region().lowOffset()));
    List<Group> groups = new ArrayList<>();
    for (Left each : small) {
      Group group = groupWithRoom(groups, each, mostBytes);
      group.members.add(each);
      group.bytes += each.bytes();
    }
    groups.forEach(group -> group.members.sort(Comparator.comparingInt(Left::order)));
    return groups;
  }

  private static Group groupWithRoom(List<Group> groups, Left left, long mostBytes) {
    for (int g = groups.size() - 1; g >= 0; g--) {
      Group group = groups.get(g);
      if (group.kind.equals(left.read.kind())) {
        if (group.bytes + left.bytes() <= mostBytes) {
          return group;
        }
        break;
      }
    }
    Group fresh = new Group(left.read.kind());
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

  private void trace(Group group) {
    List<Origin> some =
        group.members.stream().limit(Trace.MAX_PARTNERS).map(left -> left.read.origin()).toList();
    boolean alone = group.members.size() == 1;
    for (Left left : group.members) {
      boolean part = intake.stolen(left.order) > 0;
      traces[left.order] =
          new Trace(
              left.read.origin(),
              part ? Treatment.PARTLY_STOLEN : alone ? Treatment.ALONE : Treatment.MERGED,
              part ? victims(left.order) : alone ? List.of() : some);
    }
  }

  private static MergedRead merged(Group group) {
    Left first = group.members.getFirst();
    if (group.members.size() == 1 && first.isWhole()) {
      return single(first.read);
    }
    List<Selection> selections = new ArrayList<>();
    List<ReadRequest> sources = new ArrayList<>();
    for (Left left : group.members) {
      sources.add(left.read);
      selections.add(left.rest);
    }
    ReadRequest read = first.read;
    Region region = Region.of(Selection.union(selections), read.region().extent());
    return new MergedRead(read.key(), region, group.kind, targets(group, region), sources);
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
  private static List<MergedRead.Target> targets(Group group, Region region) {
    RunList runs = new RunList();
    region.forEachRun(Integer.MAX_VALUE, runs);
    List<MergedRead.Target> targets = new ArrayList<>();
    int bytes = group.kind.bytes();
    for (Left member : group.members) {
      RunList left = member.runs;
      for (int r = 0; r < left.size(); r++) {
        long offset = left.offset(r);
        int in = runs.find(offset);
        long from = runs.ordinal(in) + offset - runs.offset(in);
        Piece piece = new Piece(member.read, left.ordinal(r) * bytes, left.length(r) * bytes);
        targets.add(new MergedRead.Target(from * bytes, piece));
      }
    }
    return targets;
  }
}
