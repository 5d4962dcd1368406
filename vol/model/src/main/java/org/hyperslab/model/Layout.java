package org.hyperslab.model;

import java.util.Arrays;
import java.util.List;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;

/** The layout of a dataset's elements in the file. */
public sealed interface Layout {

  /**
   * Contiguous, unless the extent or a filter requires chunks; the shape of the chunks is then
   * chosen automatically.
   */
  record Auto() implements Layout {}

  /** Stores the elements in the object header; at most 64 KiB. */
  record Compact() implements Layout {}

  /** Stores the elements in one block of the file. */
  record Contiguous() implements Layout {}

  /**
   * Stores the elements in chunks of equal shape.
   *
   * @param dims the chunk's shape in elements, one number for each dimension
   * @param filterPartialEdgeChunks whether chunks that stick out over the extent are filtered too
   */
  record Chunked(List<Long> dims, boolean filterPartialEdgeChunks) implements Layout {

    /** Copies the shape. */
    public Chunked {
      dims = List.copyOf(dims);
    }

    /**
     * {@return chunks of the given shape, all of them filtered}
     *
     * @param dims the lengths, slowest dimension first
     */
    public static Chunked of(long... dims) {
      return new Chunked(Arrays.stream(dims).boxed().toList(), true);
    }

    /**
     * {@return chunks of a shape that is chosen by the extent: the extent itself, halved from the
     * slowest dimension on until a chunk has at most 1 MiB} A dimension that is empty and can grow
     * counts as 1,024 elements, or as its greatest length if that is less.
     *
     * @param space an extent of one dimension or more
     * @param elementBytes the size of an element, in bytes
     */
    public static Chunked automatic(Dataspace space, int elementBytes) {
      return of(ChunkChoice.dims(space, elementBytes));
    }

    /** {@return the shape as a new array} */
    public long[] dimsArray() {
      return dims.stream().mapToLong(Long::longValue).toArray();
    }
  }

  /**
   * Stores the elements in raw external files, as consecutive segments.
   *
   * @param segments where the elements lie, in order
   */
  record External(List<Segment> segments) implements Layout {

    /** Copies the list. */
    public External {
      segments = List.copyOf(segments);
    }

    /**
     * A part of an external file.
     *
     * @param file its name, resolved beside the HDF5 file or by the option for a prefix
     * @param offsetBytes where the part starts
     * @param sizeBytes its length; {@code Dataspace.UNLIMITED} for no limit, in the last segment
     *     only
     */
    public record Segment(String file, long offsetBytes, long sizeBytes) {}
  }

  /**
   * Composes the dataset of parts of other datasets.
   *
   * @param mappings the parts
   */
  record Virtual(List<Mapping> mappings) implements Layout {

    /** Copies the list. */
    public Virtual {
      mappings = List.copyOf(mappings);
    }

    /**
     * A part of a virtual dataset and the elements of its source.
     *
     * @param selection the elements of the virtual dataset
     * @param sourceFile the file of the source, "." for the same; may hold one "%b" that stands for
     *     the number of the block in an unlimited selection
     * @param sourceDataset the path of the source; may hold "%b" likewise
     * @param sourceSpace the extent of the source, as far as it is known
     * @param sourceSelection the elements of the source
     */
    public record Mapping(
        Selection selection,
        String sourceFile,
        String sourceDataset,
        Dataspace sourceSpace,
        Selection sourceSelection) {}
  }
}
