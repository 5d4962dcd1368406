package org.hyperslab.vol;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.Condition;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.model.RawChunk;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.model.ValueSummary;

/**
 * Operations on datasets. A dataset is named by its handle.
 *
 * @param <R> the type of the result
 */
public sealed interface DatasetOperation<R> extends Operation<R> {

  /**
   * Creates a dataset and the link to it, and opens it under the handle {@code dataset}. An empty
   * path creates it without a link. AlreadyExistsException if the link exists.
   *
   * @param dataset the handle of the dataset
   * @param at the object's place
   * @param intended the path, from the base of {@code at}, under which the program will link the
   *     dataset, for connectors that decide by paths; empty if it is not known
   * @param spec the properties of the dataset
   * @param link how the link is made
   */
  record Create(Handle dataset, Location at, String intended, Spec spec, LinkOptions link)
      implements DatasetOperation<ObjectInfo>, Edit {

    /**
     * Creates a dataset that is linked at once, or of which no path is known.
     *
     * @param dataset the handle of the dataset
     * @param at the object's place
     * @param spec the properties of the dataset
     * @param link how the link is made
     */
    public Create(Handle dataset, Location at, Spec spec, LinkOptions link) {
      this(dataset, at, at.path(), spec, link);
    }

    /**
     * {@return this creation with other properties of the dataset}
     *
     * @param other the properties
     */
    public Create withSpec(Spec other) {
      return new Create(dataset, at, intended, other, link);
    }

    @Override
    public Handle subject() {
      return at.base();
    }
  }

  /**
   * Determines how an open dataset finds other files that hold its elements, until its last handle
   * is closed. If the dataset has other handles, they must agree on prefixes; their rule for the
   * extent remains. UnsupportedFeatureException by connectors that send operations to another
   * process.
   *
   * @param dataset the handle of the dataset
   * @param properties the properties of {@code OpenOptions} that differ from those of the file, by
   *     names that the connector documents: {@code externalFilePrefix}, {@code virtualPrefix},
   *     {@code virtual.view}, {@code virtual.gap}
   */
  record SetAccess(Handle dataset, Map<String, String> properties)
      implements DatasetOperation<Void> {
    /** Copies the properties. */
    public SetAccess {
      properties = Map.copyOf(properties);
    }

    @Override
    public Handle subject() {
      return dataset;
    }

    /** {@return the error of a connector that sends operations to another process} */
    public UnsupportedFeatureException elsewhere() {
      return new UnsupportedFeatureException(
          "access of a dataset: actual="
              + properties
              + " for one dataset, expected=properties of the file, because another process opens"
              + " the other files");
    }
  }

  /**
   * Describes a dataset: type, extent, options, storage. Counting the chunks of a dataset reads its
   * whole index, which few callers need.
   *
   * @param dataset the handle of the dataset
   * @param counted whether chunks and their bytes are counted; if not, they are -1 for a chunked
   *     dataset unless the connector knows them without counting
   * @param following whether the extent of a virtual dataset is first derived from its sources, as
   *     by {@code H5Dget_space}; transfers then have the new extent. If not, the result has the
   *     extent that transfers have: the one in the file, or the one that was set
   */
  record Describe(Handle dataset, boolean counted, boolean following)
      implements DatasetOperation<DatasetInfo> {

    /**
     * Describes a dataset without counting chunks, with the extent that transfers have.
     *
     * @param dataset the handle of the dataset
     */
    public Describe(Handle dataset) {
      this(dataset, false, false);
    }

    @Override
    public Handle subject() {
      return dataset;
    }
  }

  /**
   * Reads the file selection's elements into the memory selection's places of {@code target},
   * converting them. Elements outside the memory selection are left alone. The buffer must not be
   * touched until the stage completes.
   *
   * @param dataset the handle of the dataset
   * @param transfer the selections in file and memory, and how they are moved
   * @param target receives the elements, in memory form
   */
  record Read(Handle dataset, Transfer transfer, DataBuffer target)
      implements DatasetOperation<Void> {
    @Override
    public Handle subject() {
      return dataset;
    }
  }

  /**
   * Writes the memory selection's elements of {@code source} into the file selection's places,
   * converting them. The buffer must not be changed until the stage completes.
   *
   * @param dataset the handle of the dataset
   * @param transfer the selections in file and memory, and how they are moved
   * @param source the elements to write, in memory form
   */
  record Write(Handle dataset, Transfer transfer, DataBuffer source)
      implements DatasetOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return dataset;
    }
  }

  /**
   * Carries out several reads or several writes of datasets of one file together, as {@code
   * H5Dread_multi} and {@code H5Dwrite_multi} do. The result is as if the parts were carried out in
   * their order. All parts are checked before any element moves.
   *
   * <p>If a part fails while elements move, the operation fails. Which of the other parts have been
   * carried out, wholly or partly, is then undefined; so is the memory of all reads. The failure
   * says which part it was; see {@link org.hyperslab.vol.MultiTransfers#part}.
   */
  sealed interface Multi extends DatasetOperation<Void> {

    /** {@return the reads or the writes, at least one} */
    List<? extends DatasetOperation<Void>> parts();

    /** {@return the transfer options, which all parts share} */
    TransferOptions options();

    @Override
    default Handle subject() {
      return parts().getFirst().subject();
    }
  }

  /**
   * Reads elements of several datasets of one file together.
   *
   * @param parts the reads, whose memory does not overlap
   */
  record ReadMulti(List<Read> parts) implements Multi {
    /**
     * Checks that there are parts, and that their options are the same.
     *
     * @throws InvalidUseException if not
     */
    public ReadMulti {
      parts = List.copyOf(parts);
      requireSameOptions(parts.stream().map(Read::transfer).toList());
    }

    @Override
    public TransferOptions options() {
      return parts.getFirst().transfer().options();
    }
  }

  /**
   * Writes elements of several datasets of one file together. Where parts overlap, the later one's
   * elements stay.
   *
   * @param parts the writes
   */
  record WriteMulti(List<Write> parts) implements Multi, Edit {
    /**
     * Checks that there are parts, and that their options are the same.
     *
     * @throws InvalidUseException if not
     */
    public WriteMulti {
      parts = List.copyOf(parts);
      requireSameOptions(parts.stream().map(Write::transfer).toList());
    }

    @Override
    public TransferOptions options() {
      return parts.getFirst().transfer().options();
    }
  }

  /**
   * Changes the current extent, up to the maximum. Elements outside the new extent are lost; new
   * elements read as the fill value.
   *
   * @param dataset the handle of the dataset
   * @param dims the new lengths, slowest dimension first
   */
  record SetExtent(Handle dataset, List<Long> dims) implements DatasetOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return dataset;
    }
  }

  /**
   * Extends dimension 0 by a number of rows atomically with respect to other changes of the extent.
   * The result has the new extent, whose last rows belong to this call alone. They read as the fill
   * value until they are written.
   *
   * @param dataset the handle of the dataset
   * @param rows the number of rows
   */
  record Extend(Handle dataset, long rows) implements DatasetOperation<DatasetInfo>, Edit {
    @Override
    public Handle subject() {
      return dataset;
    }

    /**
     * {@return the extent with the rows}
     *
     * @param space the extent
     * @throws InvalidUseException if there is no dimension 0, or too many rows or fewer than none
     */
    public List<Long> grown(Dataspace space) {
      long[] dims = space.dims();
      if (dims.length == 0 || rows < 0 || rows > Long.MAX_VALUE - dims[0]) {
        throw new InvalidUseException(
            "rows to append: actual="
                + rows
                + " to "
                + space
                + ", expected=0 or more, rank 1 or more");
      }
      dims[0] += rows;
      return Arrays.stream(dims).boxed().toList();
    }
  }

  /**
   * Lists a page of the allocated chunks, in row-major order; the request's index is ignored.
   *
   * @param dataset the handle of the dataset
   * @param page the page to list
   */
  record ListChunks(Handle dataset, PageRequest page) implements DatasetOperation<Page<ChunkInfo>> {
    @Override
    public Handle subject() {
      return dataset;
    }
  }

  /**
   * Reads the chunk whose first element has the coordinates {@code offset}, as stored.
   * NotFoundException if it is not allocated.
   *
   * @param dataset the handle of the dataset
   * @param offset the coordinates of the chunk's first element
   */
  record ReadChunk(Handle dataset, List<Long> offset) implements DatasetOperation<RawChunk> {
    @Override
    public Handle subject() {
      return dataset;
    }
  }

  /**
   * Stores a chunk as given, filters having been applied by the caller.
   *
   * @param dataset the handle of the dataset
   * @param offset the coordinates of the chunk's first element
   * @param chunk the chunk's bytes, filtered, and its filter mask
   */
  record WriteChunk(Handle dataset, List<Long> offset, RawChunk chunk)
      implements DatasetOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return dataset;
    }
  }

  /**
   * Asks about the values of a dataset without transferring them. A connector answers where the
   * elements are; {@link org.hyperslab.vol.query.Questions} answers by reading.
   *
   * <p>InvalidUseException if a field does not exist, cannot be compared, or has another type than
   * a constant. Elements that change meanwhile are taken as they were or as they are.
   *
   * @param <R> the answer
   */
  sealed interface Question<R> extends DatasetOperation<R> {

    /** {@return the handle of the dataset} */
    Handle dataset();

    @Override
    default Handle subject() {
      return dataset();
    }
  }

  /**
   * Finds the elements that meet a condition. LimitExceededException if their places are too many
   * separate runs.
   *
   * @param dataset the handle of the dataset
   * @param condition the condition
   * @param places whether their places are wanted, too, not only their number
   */
  record Select(Handle dataset, Condition condition, boolean places) implements Question<Matches> {}

  /**
   * Computes minimum, maximum and sum of the numbers of a dataset, or of a member of its elements.
   *
   * @param dataset the handle of the dataset
   * @param field the numbers
   */
  record Summarize(Handle dataset, Condition.Field field) implements Question<ValueSummary> {}

  /**
   * The elements that meet a condition.
   *
   * @param count their number
   * @param selection their places, if they were wanted
   * @param elementsRead how many elements were read to find them
   */
  record Matches(long count, Optional<Selection> selection, long elementsRead) {}

  /**
   * The properties with which a dataset is created.
   *
   * @param type the type of its elements as stored
   * @param committedType the handle of a committed type that it shares, which {@code type} equals
   * @param space its extent
   * @param options layout, filters, fill value and the rest
   */
  record Spec(
      Datatype type, Optional<Handle> committedType, Dataspace space, DatasetOptions options) {

    /**
     * Checks that no filter must be applied to variable-length data: a chunk holds only references
     * to them. The C library refuses such datasets (H5Z.c, H5Z_ignore_filters).
     *
     * @throws InvalidUseException naming the filter
     */
    public Spec {
      if (type instanceof VlenType || type instanceof VlenStringType) {
        for (FilterSpec filter : options.filters()) {
          requireOptional(filter, type);
        }
      }
    }

    private static void requireOptional(FilterSpec filter, Datatype type) {
      if (!filter.optional()) {
        throw new InvalidUseException(
            "filter of variable-length data: actual=filter "
                + filter.id()
                + (filter.name().isEmpty() ? "" : " (" + filter.name() + ")")
                + ", which must be applied, to "
                + type.describe()
                + ", expected=optional filters only; leave it out or make it optional");
      }
    }
  }

  /**
   * Describes the elements to transfer, and the types between which they are converted.
   *
   * @param memoryType the type of the elements in memory, in memory form
   * @param memorySpace the extent of the buffer; its elements lie in row-major order from byte 0
   * @param memorySelection the elements of the buffer
   * @param fileSelection the elements of the dataset, as many as in memory
   * @param options collective or not, and hints
   */
  record Transfer(
      Datatype memoryType,
      Dataspace memorySpace,
      Selection memorySelection,
      Selection fileSelection,
      TransferOptions options) {

    /** {@return the number and the size of the elements that it moves, after a space} */
    public String describeSize() {
      long count = memorySelection.elementCount(memorySpace.dims());
      return Transfer.describeSize(count, memoryType);
    }

    /**
     * {@return a number of elements and their size, after a space}
     *
     * @param count the number of elements
     * @param type their type
     */
    public static String describeSize(long count, Datatype type) {
      return " of "
          + count
          + " elements of "
          + type.describe()
          + ", "
          + BigInteger.valueOf(count).multiply(BigInteger.valueOf(type.memorySize()))
          + " bytes";
    }

    /**
     * Checks the transfer against a dataset and a buffer: both selections within their extents, as
     * many elements on both sides, the memory type in memory form, and a buffer that holds them.
     *
     * @param extent the dataset's extent now
     * @param buffer what the elements are read into or written from
     * @return how many elements move
     * @throws InvalidUseException if they do not match; the message names both sides
     */
    public long requireFits(Dataspace extent, DataBuffer buffer) {
      if (!memoryType.equals(memoryType.inMemory())) {
        throw new InvalidUseException(
            "memory type: actual="
                + memoryType.describe()
                + " in the form of a file, expected=its memory form, as inMemory() gives");
      }
      long needed = Math.multiplyExact(memorySpace.elementCount(), (long) memoryType.size());
      if (buffer.elements().byteSize() < needed) {
        throw new InvalidUseException(
            "buffer: actual="
                + buffer.elements().byteSize()
                + " bytes, expected="
                + needed
                + " bytes for "
                + memorySpace
                + " of "
                + memoryType.describe());
      }
      long inFile = requireWithin(fileSelection, extent, "the dataset");
      long inMemory = requireWithin(memorySelection, memorySpace, "memory");
      if (inFile != inMemory) {
        throw new InvalidUseException(
            "elements selected in memory: actual="
                + inMemory
                + " of "
                + memorySpace
                + ", expected="
                + inFile
                + " as selected of the dataset's "
                + extent);
      }
      return inFile;
    }

    private static long requireWithin(Selection selection, Dataspace space, String where) {
      if (space.kind() == Dataspace.Kind.NULL) {
        return 0;
      }
      try {
        selection.requireWithin(space.dims());
      } catch (InvalidUseException e) {
        throw new InvalidUseException(e.getMessage() + " of " + where + ", " + space, e);
      }
      return selection.elementCount(space.dims());
    }
  }

  private static void requireSameOptions(List<Transfer> transfers) {
    if (transfers.isEmpty()) {
      throw new InvalidUseException(
          "transfer of several datasets: actual=no parts, expected=one or more");
    }
    TransferOptions first = transfers.getFirst().options();
    for (int i = 1; i < transfers.size(); i++) {
      if (!transfers.get(i).options().equals(first)) {
        throw new InvalidUseException(
            "transfer of several datasets: actual="
                + transfers.get(i).options()
                + " of part "
                + (i + 1)
                + ", expected="
                + first
                + " as of part 1; all parts have the same options");
      }
    }
  }
}
