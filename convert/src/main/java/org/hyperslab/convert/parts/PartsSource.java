package org.hyperslab.convert.parts;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.hdf5.Hdf5Source;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.SourceFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A source that joins the files of the ranks of a job. The first file determines the objects; its
 * datasets are continued along a dimension by those of the other files, or are the same in all
 * files. Other differences are reported to {@link ConversionRun#reportLoss}.
 */
public final class PartsSource implements SourceFile {

  private static final String BLOCKS = "/gid";

  /** The datasets of FLASH that are complete in every file, regardless of the number of blocks. */
  private static final String SAME_IN_FLASH =
      "unknown names|simulation parameters|sim info|file format version|file creation time|FLASH"
          + " version|.* (scalars|runtime parameters)";

  private final PartsList parts;
  private final ConversionRun work;
  private final List<Hdf5Source> files = new ArrayList<>();
  private final List<Map<String, Variable>> variables = new ArrayList<>();
  private final Map<String, Dimension> longer = new HashMap<>();
  private GroupNode root = GroupNode.empty("/");

  private PartsSource(PartsList parts, ConversionRun work) {
    this.parts = parts;
    this.work = work;
  }

  /**
   * Opens the files.
   *
   * @param path the text file that lists them
   * @param work receives a report of differences
   * @return the source, to be closed
   * @throws CorruptFileException if datasets do not fit together
   */
  public static PartsSource open(Path path, ConversionRun work) {
    PartsSource source = new PartsSource(PartsList.read(path), work);
    try {
      source.join();
      return source;
    } catch (RuntimeException | Error failure) {
      source.close();
      throw failure;
    }
  }

  private void join() {
    for (Path file : parts.files()) {
      Hdf5Source opened = new Hdf5Source(Hdf5.open(file), "/", work);
      files.add(opened);
      Map<String, Variable> byPath = new HashMap<>();
      opened.root().allVariables().forEach(variable -> byPath.put(variable.path(), variable));
      variables.add(byPath);
    }
    GroupNode first = files.getFirst().root();
    for (int i = 1; i < files.size(); i++) {
      reportOthers(first, i);
    }
    first.allVariables().forEach(this::noteLength);
    root = joined(first);
  }

  /** Reports objects that only a later file has. */
  private void reportOthers(GroupNode first, int file) {
    Map<String, GroupNode> groups = new HashMap<>();
    first.all().forEach(group -> groups.put(group.path(), group));
    files
        .get(file)
        .root()
        .all()
        .forEach(group -> {
          GroupNode same = groups.get(group.path());
          if (same == null) {
            work.reportLoss("a group that the first file does not have", where(file, group.path()));
          } else {
            reportAttributes(same.attributes(), group.attributes(), file, group.path());
          }
        });
    for (String path : variables.get(file).keySet()) {
      if (!variables.getFirst().containsKey(path)) {
        work.reportLoss("a dataset that the first file does not have", where(file, path));
      }
    }
  }

  private String where(int file, String path) {
    return parts.files().get(file) + ":" + path;
  }

  private void reportAttributes(
      List<AttributeValue> first, List<AttributeValue> other, int file, String path) {
    for (AttributeValue attribute : other) {
      boolean same = first.stream().anyMatch(a -> isSame(a, attribute));
      if (!same) {
        work.reportLoss(
            "the attribute " + attribute.name() + ", which differs from that of the first file",
            where(file, path));
      }
    }
  }

  private static boolean isSame(AttributeValue a, AttributeValue b) {
    if (!a.name().equals(b.name()) || !a.type().equals(b.type()) || !a.space().equals(b.space())) {
      return false;
    }
    for (long i = 0; i < a.space().elementCount(); i++) {
      if (!Objects.deepEquals(a.element(i), b.element(i))) {
        return false;
      }
    }
    return true;
  }

  // --- which datasets are put together ---

  private boolean isJoined(Variable variable) {
    boolean apart =
        variable.space().rank() <= parts.axis() || parts.same().contains(variable.path());
    if (apart || !parts.flash()) {
      return !apart;
    }
    Variable blocks = variables.getFirst().get(BLOCKS);
    if (blocks == null || blocks.space().rank() == 0) {
      throw corrupt(0, BLOCKS, "actual=none, expected=FLASH's numbers of neighbours");
    }
    return !variable.name().matches(SAME_IN_FLASH)
        && variable.space().dim(0) == blocks.space().dim(0)
        && (files.size() == 1 || isJoinedInOthers(variable.path()));
  }

  /** A dataset of a fixed length may be as long as the first file has blocks, by chance. */
  private boolean isJoinedInOthers(String path) {
    return variables.stream()
        .allMatch(each -> {
          Variable variable = each.get(path);
          Variable blocks = each.get(BLOCKS);
          return variable == null
              || blocks == null
              || variable.space().rank() > 0 && variable.space().dim(0) == blocks.space().dim(0);
        });
  }

  private CorruptFileException corrupt(int file, String path, String problem) {
    return new CorruptFileException(
        parts.files().get(file).toString(),
        "part " + path,
        CorruptFileException.NO_OFFSET,
        problem);
  }

  private void noteLength(Variable variable) {
    List<Dimension> dimensions = variable.traits().dimensions();
    if (!isJoined(variable) || dimensions.isEmpty()) {
      return;
    }
    Dimension dimension = dimensions.get(parts.axis());
    if (!dimension.path().isEmpty()) {
      longer.put(
          dimension.path(),
          new Dimension(dimension.path(), length(variable.path()), dimension.unlimited()));
    }
  }

  private long length(String path) {
    long length = 0;
    for (Map<String, Variable> each : variables) {
      Variable part = each.get(path);
      length = Math.addExact(length, part == null ? 0 : part.space().dim(parts.axis()));
    }
    return length;
  }

  private GroupNode joined(GroupNode node) {
    GroupNode joined = GroupNode.empty(node.path());
    joined.attributes().addAll(node.attributes());
    joined.types().addAll(node.types());
    joined.links().addAll(node.links());
    node.dimensions().forEach(d -> joined.dimensions().add(longer.getOrDefault(d.path(), d)));
    node.variables()
        .forEach(v -> joined.variables().add(isJoined(v) ? inSequence(v) : requireSame(v)));
    node.groups().forEach(group -> joined.groups().add(joined(group)));
    return joined;
  }

  // --- datasets that follow each other ---

  private Variable inSequence(Variable first) {
    int axis = parts.axis();
    List<Variable> all = new ArrayList<>();
    List<Long> starts = new ArrayList<>();
    long length = 0;
    for (int file = 0; file < files.size(); file++) {
      Variable part = requireFits(first, variables.get(file).get(first.path()), file);
      all.add(part);
      starts.add(length);
      length = Math.addExact(length, part.space().dim(axis));
    }
    long[] dims = first.space().dims();
    dims[axis] = length;
    long[] most = new long[dims.length];
    for (int d = 0; d < dims.length; d++) {
      most[d] = Math.max(dims[d], first.space().maxDim(d));
      most[d] = first.space().maxDim(d) == Dataspace.UNLIMITED ? Dataspace.UNLIMITED : most[d];
    }
    List<Dimension> dimensions = new ArrayList<>();
    for (int d = 0; d < first.traits().dimensions().size(); d++) {
      dimensions.add(named(first.traits().dimensions().get(d), dims[d], first.path()));
    }
    return new Variable(
        first.path(),
        first.type(),
        Dataspace.simple(dims, most),
        first.traits().withDimensions(dimensions),
        new SequenceElements(all, starts, axis));
  }

  private Dimension named(Dimension dimension, long length, String path) {
    Dimension now = longer.getOrDefault(dimension.path(), dimension);
    if (now.path().isEmpty() || now.length() == length) {
      return new Dimension(now.path(), length, now.unlimited());
    }
    work.reportLoss("the dimension " + now.path() + ", which has two lengths now", path);
    return new Dimension("", length, now.unlimited());
  }

  private Variable requireFits(Variable first, @Nullable Variable part, int file) {
    boolean fits =
        part != null
            && part.type().equals(first.type())
            && part.space().rank() == first.space().rank();
    for (int d = 0; part != null && fits && d < first.space().rank(); d++) {
      fits = d == parts.axis() || part.space().dim(d) == first.space().dim(d);
    }
    if (part == null || !fits) {
      throw corrupt(
          file,
          first.path(),
          "actual="
              + (part == null ? "none" : part.space() + " of " + part.type().describe())
              + ", expected="
              + first.space()
              + " of "
              + first.type().describe()
              + " except dimension "
              + parts.axis());
    }
    reportAttributes(first.traits().attributes(), part.traits().attributes(), file, first.path());
    return part;
  }

  /** Reads variables one behind the other. */
  private record SequenceElements(List<Variable> all, List<Long> starts, int axis)
      implements ElementReader {

    @Override
    public void read(long[] start, long[] count, DataBuffer target) {
      for (int i = 0; i < all.size(); i++) {
        long length = all.get(i).space().dim(axis);
        long low = Math.max(start[axis], starts.get(i));
        long high = Math.min(start[axis] + count[axis], starts.get(i) + length);
        if (low < high) {
          readPart(i, new long[] {low, high - low}, start, count, target);
        }
      }
    }

    private void readPart(int i, long[] span, long[] start, long[] count, DataBuffer target) {
      long[] partStart = start.clone();
      long[] partCount = count.clone();
      partStart[axis] = span[0] - starts.get(i);
      partCount[axis] = span[1];
      ElementReader part = all.get(i).elements();
      if (span[1] == count[axis]) {
        part.read(partStart, partCount, target);
        return;
      }
      int size = all.get(i).type().memorySize();
      long bytes = Math.multiplyExact(Dataspace.product(partCount), (long) size);
      MemorySegment read = MemorySegment.ofArray(new long[Math.toIntExact((bytes + 7) / 8)]);
      part.read(partStart, partCount, new DataBuffer(read, target.heap()));
      long[] inBox = new long[count.length];
      inBox[axis] = span[0] - start[axis];
      Boxes.runs(
          count,
          inBox,
          partCount,
          (to, from, run) ->
              MemorySegment.copy(read, from * size, target.elements(), to * size, run * size));
    }
  }

  // --- datasets that are the same ---

  private Variable requireSame(Variable first) {
    for (int file = 1; file < files.size(); file++) {
      Variable other = variables.get(file).get(first.path());
      if (other == null || !isSame(first, other)) {
        work.reportLoss(
            "a dataset that is not the same as that of the first file", where(file, first.path()));
      }
    }
    return first;
  }

  private boolean isSame(Variable a, Variable b) {
    if (!a.type().equals(b.type()) || !a.space().equals(b.space())) {
      return false;
    }
    if (a.space().elementCount() == 0) {
      return true;
    }
    long[] dims = a.space().dims();
    for (Boxes.Box box : Boxes.cut(dims, a.elements().block(dims, work.blockElements(a)))) {
      if (!bytes(a, box).equals(bytes(b, box))) {
        return false;
      }
    }
    return true;
  }

  /** Elements as values that can be compared, whatever is in heaps. */
  private static Object bytes(Variable variable, Boxes.Box box) {
    DataBuffer read = DataBuffer.allocate(variable.type(), box.elements());
    variable.elements().read(box.start(), box.count(), read);
    if (!variable.type().hasOutOfLineParts()) {
      return ByteBuffer.wrap(read.elements().toArray(ValueLayout.JAVA_BYTE));
    }
    AttributeValue values =
        new AttributeValue("", variable.type(), Dataspace.simple(box.elements()), read);
    List<Optional<Object>> all = new ArrayList<>();
    for (long i = 0; i < box.elements(); i++) {
      all.add(Optional.ofNullable(values.element(i)));
    }
    return all;
  }

  @Override
  public GroupNode root() {
    return root;
  }

  @Override
  public void close() {
    files.forEach(Hdf5Source::close);
  }
}
