package org.hyperslab.testkit.differential;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Known differences, which histories avoid, each with its reason. An entry about this project is
 * removed when the difference is.
 */
enum Known {
  /**
   * HDF5 1.10 cannot read unwritten chunks of variable-length fill values in a file opened for
   * reading.
   */
  LIBRARY_READS_FILL_OF_VARIABLE_LENGTH(at ->
      at.edit instanceof Edit.Dataset one
          && one.type().outOfLine()
          && one.creation().layout().kind().equals("chunk")
          && !one.creation().fill().isEmpty()),

  /**
   * HDF5 1.10 reads an unlimited extent in a file with lengths of four bytes as 2^32-1, which no
   * chunk index for unlimited dimensions fits: it cannot open such datasets of its own.
   */
  LIBRARY_LIMITS_SHORT_LENGTHS(at ->
      at.creation.lengthBytes() < 8
          && at.edit instanceof Edit.Dataset one
          && one.extent().most() != null
          && one.extent().most().contains(-1L)),

  /**
   * HDF5 1.10 damages the global heap of a file with addresses of four bytes ("bad global heap
   * collection signature"). It does so in files of its own, too, when it writes elements that refer
   * to the heap and have a fill value.
   */
  LIBRARY_FILLS_SEQUENCES_AT_SHORT_ADDRESSES(at ->
      at.side == 1
          && at.creation.addressBytes() < 8
          && at.edit instanceof Edit.Dataset one
          && one.type().outOfLine()
          && !one.creation().fill().isEmpty()),

  /**
   * HDF5 2.2 frees references of HDF5 1.12 twice when it rewrites arrays of them in compounds. It
   * cannot read sequences of compounds with them ("bad heap pointer"). Both happen in files of its
   * own, too.
   */
  LIBRARY_WRITES_PARTS_THAT_REFER(at ->
      at.side == 2
          && Json.text(at.edit.tree()).contains("[\"ref\",\"std\"]")
          && Json.text(at.edit.tree()).matches(".*\\[\"(arr|cmp)\".*")),

  /**
   * When it resizes a dataset whose dataspace is a shared message, HDF5 1.10 writes over the
   * message behind it, and 2.2 ends in an assertion (H5O_msg_flush), also in files of its own.
   */
  LIBRARY_RESIZES_SHARED_SPACES(
      at -> at.side > 0 && at.edit instanceof Edit.Resize && at.creation.sharesSpaces()),

  /**
   * HDF5 2.2 ends in assertions in files of its own. One is met when it copies a dataset of fixed
   * extent that was emptied (H5D__farray_idx_create), another when it empties a dataset of one
   * chunk (H5D__single_idx_get_addr). It refuses to let an emptied one grow again ("unable to
   * modify constant message") if chunks are allocated early.
   */
  LIBRARY_COPIES_EMPTY_EXTENTS(at ->
      at.side == 2
          && (at.edit instanceof Edit.Copy one && at.holdsEmptyChunks(one.from())
              || at.edit instanceof Edit.Resize two
                  && (at.empties(two) || at.isEmpty(two.path())))),

  /**
   * HDF5 2.2 ends in an assertion when it deletes a dataset of the implicit index whose chunks were
   * never allocated because its extent is empty (H5D__none_idx_delete), also in files of its own.
   */
  LIBRARY_DELETES_EMPTY_EXTENTS(
      at -> at.side == 2 && at.edit instanceof Edit.Delete one && at.holdsEmptyChunks(one.path())),

  /**
   * HDF5 2.2 copies attributes that are sequences of compounds with sequences wrongly ("bad heap
   * pointer"), also in files of its own.
   */
  LIBRARY_COPIES_SEQUENCES_OF_COMPOUNDS(at ->
      at.side == 2
          && at.edit instanceof Edit.Copy one
          && at.holds(one.from(), "[\"vlen\",[\"cmp\"")),

  /**
   * HDF5 1.10 keeps the elements of a filtered dataset of one chunk that it empties, and shows them
   * when the dataset grows again before the file is closed.
   */
  LIBRARY_EMPTIES_ONE_CHUNK(
      at -> at.side == 1 && at.edit instanceof Edit.Resize one && at.empties(one)),

  /**
   * HDF5 1.10 damages a chunk that was stored without some of the filters when it cuts the chunk,
   * or cannot cut it ("inflate() failed"), in files of its own.
   */
  LIBRARY_CUTS_UNFILTERED_CHUNKS(at ->
      at.side == 1
          && at.edit instanceof Edit.Resize one
          && at.model.find(one.path()) instanceof ModelObject.ModelDataset dataset
          && dataset.masked),

  /**
   * HDF5 keeps the filter mask of a stored chunk if the new one has as many bytes: readers then
   * apply filters to a chunk that was written without them, also in files of its own.
   */
  LIBRARY_KEEPS_MASKS_OF_CHUNKS_OF_EQUAL_SIZE(at ->
      at.side > 0
          && at.edit instanceof Edit.Chunk one
          && one.mask() != 0
          && one.stored().length() <= 512
          && at.isWritten(one.path())),

  /**
   * HDF5 1.10 leaves the link, and frees the object, when it deletes an object that has a hard link
   * to the group that contains the link. It edits that group's header twice at once. This happens
   * in files of its own, too; 2.2 is right.
   */
  LIBRARY_DELETES_CYCLES(
      at -> at.side == 1 && at.edit instanceof Edit.Delete one && at.holdsItsGroup(one.path())),

  /** HDF5 fails to rename attributes in files whose attributes are shared messages. */
  LIBRARY_RENAMES_SHARED_ATTRIBUTES(at ->
      at.side > 0 && at.edit instanceof Edit.RenameAttribute && at.creation.sharesAttributes()),

  /** HDF5 ends in errors, 1.10 in segmentation faults, when it copies references. */
  LIBRARY_COPIES_REFERENCES(
      at -> at.side > 0 && at.edit instanceof Edit.Copy one && at.holds(one.from(), "\"ref\"")),

  /** HDF5 1.10 copies committed types into headers with gaps, and crashes when they are used. */
  LIBRARY_COPIES_COMMITTED_TYPES(at ->
      at.side == 1
          && at.edit instanceof Edit.Copy one
          && (at.holds(one.from(), ",\"type\",") || at.holdsCommitted(one.from()))),

  /**
   * HDF5 1.10 reads uninitialized memory when it copies dense attributes of variable length. It
   * also crashes in files of its own, always if malloc fills allocated memory (MALLOC_PERTURB_).
   */
  LIBRARY_COPIES_SEQUENCES(at ->
      at.side == 1
          && at.edit instanceof Edit.Copy one
          && (at.holds(one.from(), "[\"vlen\"") || at.holds(one.from(), "[\"vstr\""))),

  /**
   * HDF5 cannot delete attributes that it has renamed if their order is indexed and storage is
   * dense.
   */
  LIBRARY_RENAMES_ORDERED_ATTRIBUTES(at ->
      at.side > 0
          && at.edit instanceof Edit.RenameAttribute one
          && at.model.find(one.path()).tracked),

  /**
   * HDF5 1.10 crashes, or keeps the attribute, when it deletes an attribute whose type is the
   * object that has the attribute. It first removes the message that counts the object's links, and
   * the attribute's message moves into its place while it is being deleted. This happens in files
   * of its own too, if the sizes of the messages let it move.
   */
  LIBRARY_DELETES_ATTRIBUTES_OF_OWN_TYPE(at ->
      at.side == 1
          && at.edit instanceof Edit.DeleteAttribute one
          && at.isOfOwnType(at.model.find(one.path()), one.name())),

  /**
   * HDF5 1.10 refuses some unions of hyperslabs in the same rows ("duplicate key"), or with a later
   * slab before an earlier one ("selection + offset not within extent"); 2.2 omits elements. Both
   * correctly write slabs of which each starts after the last row of the one before it.
   */
  LIBRARY_WRITES_UNIONS(at ->
      at.side > 0
          && at.edit instanceof Edit.Write one
          && one.picks() instanceof SelectionSpec.Union union
          && !union.ascends()),

  /** HDF5 1.10 copies committed types into headers with gaps if types are shared messages. */
  LIBRARY_COPIES_SHARED_MESSAGES(
      at -> at.side == 1 && at.edit instanceof Edit.Copy && !at.creation.shared().isEmpty()),

  /**
   * HDF5 1.10 cannot delete ("message not in index") what has a type of variable length if types
   * are shared messages, in files of its own.
   */
  LIBRARY_DELETES_SHARED_SEQUENCES(at ->
      at.side == 1
          && at.creation.sharesTypes()
          && at.edit instanceof Edit.Delete one
          && (at.holds(one.path(), "[\"vlen\"") || at.holds(one.path(), "[\"vstr\""))),

  /** HDF5 1.10 writes arrays of compounds with variable-length members wrongly. */
  LIBRARY_WRITES_ARRAYS_OF_VARIABLE_LENGTH(at ->
      at.side == 1
          && Json.text(at.edit.tree()).matches(".*\\[\"(arr|vlen)\".*")
          && Json.text(at.edit.tree()).contains("[\"cmp\",0")),

  /**
   * HDF5 writes old bytes over elements that it wrote after a flush, also in files of its own. The
   * flush leaves metadata in its accumulator (H5Faccum.c). A read of an object header that adjoins
   * it adds 512 bytes, which may hold elements behind the header. Elements are written past the
   * accumulator, which then writes its old bytes with changed metadata on both sides of them.
   */
  LIBRARY_WRITES_OVER_ELEMENTS(at ->
      at.side > 0
          && at.before.contains(new Edit.Flush())
          && (at.edit instanceof Edit.Write
              || at.edit instanceof Edit.Chunk
              || at.edit instanceof Edit.Resize));

  /**
   * An edit, and the file in which it would be made.
   *
   * @param side the side that would make it, as in {@link Turn#side}
   * @param before the edits before it in the same turn
   */
  record Place(History.Creation creation, Model model, int side, List<Edit> before, Edit edit) {

    private boolean isOfOwnType(ModelObject object, String name) {
      ModelObject.AttributeState attribute = object.attributes.get(name);
      return attribute != null && attribute.committed() == object;
    }

    private boolean holdsEmptyChunks(String path) {
      return model.paths().entrySet().stream()
          .anyMatch(each ->
              each.getValue().startsWith(path)
                  && each.getKey() instanceof ModelObject.ModelDataset dataset
                  && dataset.creation.layout().kind().equals("chunk")
                  && Shapes.count(dataset.dims) == 0);
    }

    /**
     * Returns whether hard links lead from an object back to the group that contains its path's
     * last link.
     */
    private boolean holdsItsGroup(String path) {
      String group = path.substring(0, Math.max(0, path.lastIndexOf('/')));
      return leads(model.find(path), model.find(group.isEmpty() ? "/" : group), new HashSet<>());
    }

    private static boolean leads(ModelObject from, ModelObject to, Set<ModelObject> seen) {
      return from instanceof ModelObject.ModelGroup group
          && seen.add(from)
          && group.links.values().stream()
              .anyMatch(one ->
                  one instanceof ModelObject.Target.Hard hard
                      && (hard.node() == to || leads(hard.node(), to, seen)));
    }

    /** Returns whether an element of a dataset was written. */
    private boolean isWritten(String path) {
      return model.find(path) instanceof ModelObject.ModelDataset dataset
          && dataset.values.stream().anyMatch(value -> !value.equals(dataset.unwritten()));
    }

    /** Returns whether a dataset of one chunk becomes empty. */
    private boolean empties(Edit.Resize edit) {
      return edit.dims().contains(0L)
          && model.find(edit.path()) instanceof ModelObject.ModelDataset dataset
          && dataset.most.equals(dataset.creation.layout().chunk());
    }

    /** Returns whether the extent of a dataset has no elements. */
    private boolean isEmpty(String path) {
      return model.find(path) instanceof ModelObject.ModelDataset dataset
          && dataset.dims != null
          && Shapes.count(dataset.dims) == 0;
    }

    /** Returns whether something at or below a path has a committed type. */
    private boolean holdsCommitted(String path) {
      return holds(path, "nowhere") || holds(path, "],\"/");
    }

    /** Returns whether the line of an object at or below a path contains a text. */
    private boolean holds(String path, String text) {
      return model.lines().stream()
          .anyMatch(line -> line.startsWith("[\"" + path) && line.contains(text));
    }
  }

  private final Predicate<Place> test;

  Known(Predicate<Place> test) {
    this.test = test;
  }

  /** Returns the known difference that an edit would cause, if any. */
  static Optional<Known> of(Place place) {
    return Arrays.stream(values()).filter(one -> one.test.test(place)).findFirst();
  }
}
