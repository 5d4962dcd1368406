package org.hyperslab.convert.rewrite;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.scales.ScaleConventions;

/**
 * Reads a variable that is shorter than its unlimited dimensions, and returns the fill value beyond
 * its end, as netCDF does.
 *
 * @param shorter the variable as it is stored
 */
public record PaddedElements(Variable shorter) implements ElementReader {

  /** Returns a tree in which every variable has the lengths of its dimensions. */
  public static GroupNode pad(GroupNode node) {
    GroupNode padded = GroupNode.empty(node.path());
    padded.attributes().addAll(node.attributes());
    padded.dimensions().addAll(node.dimensions());
    node.variables().forEach(variable -> padded.variables().add(pad(variable)));
    node.groups().forEach(group -> padded.groups().add(pad(group)));
    padded.types().addAll(node.types());
    padded.links().addAll(node.links());
    return padded;
  }

  private static Variable pad(Variable variable) {
    List<Dimension> dimensions = variable.traits().dimensions();
    Dataspace space = variable.space();
    boolean isLong = true;
    for (int axis = 0; axis < dimensions.size(); axis++) {
      isLong &= dimensions.get(axis).length() <= space.dim(axis);
    }
    if (isLong) {
      return variable;
    }
    long[] dims = dimensions.stream().mapToLong(Dimension::length).toArray();
    long[] most = new long[dims.length];
    for (int axis = 0; axis < most.length; axis++) {
      most[axis] = Math.max(dims[axis], space.maxDim(axis));
      most[axis] = space.maxDim(axis) == Dataspace.UNLIMITED ? Dataspace.UNLIMITED : most[axis];
    }
    return new Variable(
        variable.path(),
        variable.type(),
        Dataspace.simple(dims, most),
        variable.traits(),
        new PaddedElements(variable));
  }

  @Override
  public void read(long[] start, long[] count, DataBuffer target) {
    int size = shorter.type().memorySize();
    fill(target, Dataspace.product(count));
    long[] dims = shorter.space().dims();
    long[] stored = new long[dims.length];
    for (int d = 0; d < dims.length; d++) {
      stored[d] = Math.min(count[d], dims[d] - start[d]);
      if (stored[d] <= 0) {
        return;
      }
    }
    MemorySegment part = MemorySegment.ofArray(new long[length(stored, size)]);
    shorter.elements().read(start, stored, new DataBuffer(part, target.heap()));
    Boxes.runs(
        count,
        new long[dims.length],
        stored,
        (to, from, run) ->
            MemorySegment.copy(part, from * size, target.elements(), to * size, run * size));
  }

  private static int length(long[] count, int size) {
    return Math.toIntExact((Dataspace.product(count) * size + 7) / 8);
  }

  private void fill(DataBuffer target, long count) {
    long size = shorter.type().memorySize();
    MemorySegment elements = target.elements().asSlice(0, count * size);
    DataBuffer value =
        shorter
            .traits()
            .fill()
            .orElseGet(() -> ScaleConventions.standardFill(shorter.type()).value());
    MemorySegment one = MemorySegment.ofArray(new long[length(new long[] {1}, (int) size)]);
    if (shorter.type() instanceof VlenStringType) { // all share the text in the target's heap
      String text = value.heap().getString(value.elements(), 0);
      if (text != null) {
        target.heap().putString(one, 0, text);
      }
    } else {
      MemorySegment.copy(value.elements(), 0, one, 0, size);
    }
    for (long at = 0; at < elements.byteSize(); at += size) {
      MemorySegment.copy(one, 0, elements, at, size);
    }
  }

  @Override
  public long[] block(long[] dims, long most) {
    long[] unit = shorter.traits().chunk().stream().mapToLong(Long::longValue).toArray();
    return unit.length == 0 ? Boxes.rows(dims, most) : Boxes.ofUnits(dims, unit, most);
  }
}
