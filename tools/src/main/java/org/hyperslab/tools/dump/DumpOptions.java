package org.hyperslab.tools.dump;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.tools.number.PrintfNumber;

/**
 * The options of one run, which determine the output and its form. {@link DumpArguments} sets them.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DumpOptions {

  /** The kinds of objects that can be requested. */
  enum Target {
    ATTRIBUTE,
    DATASET,
    GROUP,
    SOFT_LINK,
    DATATYPE,
    ANY
  }

  /** A subset of the elements of a dataset; a null part takes its default. */
  static final class Subset {
    long[] start;
    long[] stride;
    long[] count;
    long[] block;

    /**
     * Sets parts that are not given to their defaults: 0 for starts, 1 for the others. Appends
     * zeros to parts that are too short.
     */
    void complete(int rank) {
      start = start == null ? new long[rank] : Arrays.copyOf(start, rank);
      stride = orOnes(stride, rank);
      count = orOnes(count, rank);
      block = orOnes(block, rank);
    }

    private static long[] orOnes(long[] values, int rank) {
      if (values != null) {
        return Arrays.copyOf(values, rank);
      }
      long[] ones = new long[rank];
      Arrays.fill(ones, 1);
      return ones;
    }

    /**
     * Checks a subset against the rank of a dataset.
     *
     * @param rank the rank
     * @return the problem; null if there is none
     */
    String problem(int rank) {
      for (long[] part : Arrays.asList(start, stride, count, block)) {
        if (part != null && part.length > rank) {
          return "wrong subset: actual=" + part.length + " numbers, expected=at most " + rank;
        }
      }
      complete(rank);
      for (int d = 0; d < rank; d++) {
        if (count[d] > 1 && stride[d] < block[d]) {
          return "wrong subset: actual=blocks that overlap, expected=a stride of at least "
              + block[d];
        }
      }
      return null;
    }
  }

  /** A request for an object by path. */
  static final class Requested {
    final Target target;
    final String path;
    Subset subset;

    Requested(Target target, String path) {
      this.target = target;
      this.path = path;
    }
  }

  /** A range of bits of every integer. */
  record PackedBits(int offset, int length) {
    long apply(long value) {
      long mask = length >= 64 ? -1L : (1L << length) - 1;
      return (value >> offset) & mask;
    }
  }

  /**
   * A destination of text or bytes.
   *
   * @param file a file's name; null for nowhere
   */
  record Place(String file) {}

  final List<Requested> requested = new ArrayList<>();
  final List<String> files = new ArrayList<>();
  final List<PackedBits> packedBits = new ArrayList<>();
  boolean elements = true;
  boolean attributeElements = true;
  boolean attributes = true;
  boolean properties;
  boolean superblock;
  boolean characters;
  boolean escape;
  boolean indices = true;
  boolean objectIds;
  boolean contents;
  boolean contentsWithAttributes;
  boolean regions;
  boolean firstMissing;
  int virtualGap;
  int width = 80;
  boolean onePerLine;
  PrintfNumber floats = PrintfNumber.SHORTEST;
  PrintfNumber longFloats = PrintfNumber.SHORTEST;
  IterationIndex sortBy = IterationIndex.NAME;
  boolean descending;

  /** The form of elements that are written as bytes; null if they are printed. */
  BinaryForm binary;

  /** The destination of the description; null for standard output, as for the other two. */
  Place ddl;

  /** The destination of the elements of datasets. */
  Place data;

  /** The destination of the elements of attributes. */
  Place attributeData;

  /** {@return whether parts of the output go to different places} */
  boolean isDivided() {
    return ddl != null || data != null || attributeData != null;
  }

  /** {@return the order of the links of a group} */
  IterationIndex order(Group group) {
    return sortBy != IterationIndex.NAME && group.groupInfo().options().creationOrderTracked()
        ? sortBy
        : IterationIndex.NAME;
  }

  /** {@return the order of the attributes of an object} */
  IterationIndex attributeOrder(H5Object object) {
    return sortBy != IterationIndex.NAME && object.info().creationOrderTracked()
        ? sortBy
        : IterationIndex.NAME;
  }
}
