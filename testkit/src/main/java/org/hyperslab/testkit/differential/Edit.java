package org.hyperslab.testkit.differential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One change of a file, as a value. Paths are absolute. Values of elements are trees, see {@link
 * TypeSpec}.
 */
sealed interface Edit {

  /** Returns the tree that the script of the C library accepts; failed tests print it. */
  List<Object> tree();

  /**
   * The storage of attributes.
   *
   * @param tracked whether their creation order is tracked
   * @param maxCompact the greatest number stored in the object's header
   * @param minDense the least number stored outside the header, after having been dense
   */
  record Storage(boolean tracked, int maxCompact, int minDense) {
    List<Object> tree() {
      return List.of(tracked ? 1 : 0, maxCompact, minDense);
    }
  }

  /** Makes a group; {@code attributes} may be null. */
  record Group(String path, boolean ordered, int maxCompact, int minDense, Storage attributes)
      implements Edit {
    @Override
    public List<Object> tree() {
      return row(
          "group",
          path,
          ordered ? 1 : 0,
          List.of(maxCompact, minDense),
          attributes == null ? null : attributes.tree());
    }
  }

  /** Makes a dataset, which is not written if there are no values. */
  record Dataset(String path, TypeSpec type, Extent extent, Creation creation, List<Object> values)
      implements Edit {
    @Override
    public List<Object> tree() {
      return row(
          "dataset", path, type.tree(), extent.dims, extent.most, creation.tree(), plain(values));
    }
  }

  /**
   * The extent of a dataset or attribute.
   *
   * @param dims null for the null dataspace, empty for a scalar
   * @param most the largest extent; -1 for no limit
   */
  record Extent(List<Long> dims, List<Long> most) {}

  /**
   * The creation options of a dataset.
   *
   * @param layout the layout, in the script's form
   * @param filters the filters, in the script's form
   * @param fill a list of the fill value's tree; empty for the default
   * @param fillTime 0 when allocated, 1 never, 2 if set; null for the default
   * @param allocation 1 early, 2 late, 3 incremental, 0 the default
   * @param attributes the storage of attributes; may be null
   * @param committed the path of a committed type; may be null
   */
  record Creation(
      Place layout,
      List<List<Object>> filters,
      List<Object> fill,
      Integer fillTime,
      int allocation,
      Storage attributes,
      String committed) {
    Json.Fields tree() {
      List<Object> result = new ArrayList<>(List.of("layout", layout.tree(), "filters", filters));
      if (!fill.isEmpty()) {
        result.addAll(List.of("fill", plain(fill).getFirst()));
      }
      add(result, "filltime", fillTime);
      add(result, "alloc", allocation == 0 ? null : allocation);
      add(result, "attributes", attributes == null ? null : attributes.tree());
      add(result, "committed", committed);
      return new Json.Fields(result);
    }

    private static void add(List<Object> result, String name, Object value) {
      if (value != null) {
        result.add(name);
        result.add(value);
      }
    }
  }

  /**
   * The place of elements.
   *
   * @param kind compact, contiguous, chunk, external or virtual
   * @param chunk the shape of a chunk
   * @param segments file, first byte and length of each segment of external storage
   * @param parts the parts of a virtual dataset
   */
  record Place(String kind, List<Long> chunk, List<List<Object>> segments, List<Part> parts) {

    static Place of(String kind) {
      return new Place(kind, null, null, null);
    }

    List<Object> tree() {
      return switch (kind) {
        case "chunk" -> List.of(kind, chunk);
        case "external" -> List.of(kind, segments);
        case "virtual" -> List.of(kind, parts.stream().map(Part::tree).toList());
        default -> List.of(kind);
      };
    }
  }

  /** A part of a virtual dataset, whose source is in the same file. */
  record Part(SelectionSpec target, String source, List<Long> sourceDims, SelectionSpec picks) {
    List<Object> tree() {
      return List.of(target.tree(), ".", source, sourceDims, picks.tree());
    }
  }

  /** Writes the selected elements of a dataset. */
  record Write(String path, TypeSpec type, SelectionSpec picks, List<Object> values)
      implements Edit {
    @Override
    public List<Object> tree() {
      return row("write", path, type.tree(), picks.tree(), plain(values));
    }
  }

  /** Resizes a dataset. */
  record Resize(String path, List<Long> dims) implements Edit {
    @Override
    public List<Object> tree() {
      return row("extent", path, dims);
    }
  }

  /**
   * Stores the given bytes of a chunk.
   *
   * @param mask the filters that are skipped, a bit for each
   * @param elements the values of all its elements, those outside the extent too
   * @param stored the bytes in hexadecimal
   */
  record Chunk(String path, List<Long> offset, int mask, List<Object> elements, String stored)
      implements Edit {
    @Override
    public List<Object> tree() {
      return row("chunk", path, offset, mask, stored);
    }
  }

  /** Makes an attribute; {@code committed} may be null. */
  record Attribute(
      String path,
      String name,
      TypeSpec type,
      List<Long> dims,
      String committed,
      List<Object> values)
      implements Edit {
    @Override
    public List<Object> tree() {
      return row("attribute", path, name, type.tree(), dims, committed, plain(values));
    }
  }

  /** Writes an existing attribute. */
  record Rewrite(String path, String name, TypeSpec type, List<Object> values) implements Edit {
    @Override
    public List<Object> tree() {
      return row("rewriteattribute", path, name, type.tree(), plain(values));
    }
  }

  /** Deletes an attribute. */
  record DeleteAttribute(String path, String name) implements Edit {
    @Override
    public List<Object> tree() {
      return row("deleteattribute", path, name);
    }
  }

  /** Renames an attribute. */
  record RenameAttribute(String path, String from, String to) implements Edit {
    @Override
    public List<Object> tree() {
      return row("renameattribute", path, from, to);
    }
  }

  /** Makes a committed type. */
  record Commit(String path, TypeSpec type) implements Edit {
    @Override
    public List<Object> tree() {
      return row("commit", path, type.tree());
    }
  }

  /** Deletes a link. */
  record Delete(String path) implements Edit {
    @Override
    public List<Object> tree() {
      return row("delete", path);
    }
  }

  /** Renames or moves a link. */
  record Move(String from, String to) implements Edit {
    @Override
    public List<Object> tree() {
      return row("move", from, to);
    }
  }

  /** Makes another hard link to an object. */
  record Hard(String from, String to) implements Edit {
    @Override
    public List<Object> tree() {
      return row("hard", from, to);
    }
  }

  /** Makes a soft link. */
  record Soft(String target, String path) implements Edit {
    @Override
    public List<Object> tree() {
      return row("soft", target, path);
    }
  }

  /** Makes an external link. */
  record External(String file, String target, String path) implements Edit {
    @Override
    public List<Object> tree() {
      return row("external", file, target, path);
    }
  }

  /** Copies an object with all below it. */
  record Copy(String from, String to) implements Edit {
    @Override
    public List<Object> tree() {
      return row("copy", from, to);
    }
  }

  /** Sets an object's comment. */
  record Comment(String path, String text) implements Edit {
    @Override
    public List<Object> tree() {
      return row("comment", path, text);
    }
  }

  /** Flushes the file. */
  record Flush() implements Edit {
    @Override
    public List<Object> tree() {
      return row("flush");
    }
  }

  private static List<Object> row(Object... parts) {
    return Arrays.asList(parts);
  }

  /** Returns values with their selections as trees. */
  private static List<Object> plain(List<Object> values) {
    if (values == null) {
      return null;
    }
    List<Object> result = new ArrayList<>(values.size());
    for (Object value : values) {
      result.add(plainOne(value));
    }
    return result;
  }

  private static Object plainOne(Object value) {
    if (value instanceof SelectionSpec picks) {
      return picks.tree();
    }
    if (!(value instanceof List<?> list)) {
      return value;
    }
    List<Object> result = new ArrayList<>(list.size());
    for (Object part : list) {
      result.add(plainOne(part));
    }
    return result;
  }
}
