package org.hyperslab.plugins.configured.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.document.Place;
import org.hyperslab.plugins.configured.document.Scalars;

/**
 * A shape of chunks that a configuration file sets.
 *
 * <p>Thread rule: immutable.
 *
 * @param dims the lengths in elements, slowest dimension first; empty for a shape that is chosen by
 *     the extent
 * @param place where it stands
 */
public record ChunkSetting(List<Long> dims, Place place) {

  private static final long LONGEST = 0xFFFF_FFFFL;

  /** Copies the list. */
  public ChunkSetting {
    dims = List.copyOf(dims);
  }

  static ChunkSetting read(DocumentNode node, OptionalInt rank) {
    if (node instanceof DocumentNode.Scalar scalar) {
      if (scalar.text().equals("auto")) {
        return new ChunkSetting(List.of(), node.place());
      }
      throw node.place()
          .problem(
              "chunks are \"auto\" or a list of lengths, such as [64, 64], not " + node.kind());
    }
    if (!(node instanceof DocumentNode.Sequence sequence) || sequence.items().isEmpty()) {
      throw node.place().problem("chunks are \"auto\" or a list of lengths, such as [64, 64]");
    }
    List<Long> dims = new ArrayList<>();
    for (DocumentNode item : sequence.items()) {
      dims.add(Scalars.number(item, 1, LONGEST));
    }
    if (rank.isPresent() && rank.getAsInt() != dims.size()) {
      throw node.place()
          .problem(dims.size() + " lengths of chunks cannot hold for rank " + rank.getAsInt());
    }
    return new ChunkSetting(dims, node.place());
  }

  /**
   * {@return the layout of a dataset} A length of a chunk is at most the greatest length of its
   * dimension.
   *
   * @param path the path of the dataset, for messages
   * @param space its extent, of one dimension or more
   * @param elementBytes the size of an element
   * @throws org.hyperslab.error.InvalidUseException if it has another number of dimensions, with
   *     the setting's place
   */
  public Layout layout(String path, Dataspace space, int elementBytes) {
    if (dims.isEmpty()) {
      return Layout.Chunked.automatic(space, elementBytes);
    }
    if (dims.size() != space.rank()) {
      throw place.problem(
          dims.size()
              + " lengths of chunks do not fit dataset "
              + path
              + " of "
              + space.rank()
              + " dimensions; a rule with rank: "
              + dims.size()
              + " leaves it out");
    }
    long[] chunk = new long[dims.size()];
    for (int d = 0; d < chunk.length; d++) {
      long most = space.maxDims()[d];
      boolean isBounded = most != Dataspace.UNLIMITED && most > 0;
      chunk[d] = isBounded ? Math.min(dims.get(d), most) : dims.get(d);
    }
    return Layout.Chunked.of(chunk);
  }

  /** Returns the shape as it is written. */
  @Override
  public String toString() {
    return dims.isEmpty() ? "auto" : dims.toString();
  }
}
