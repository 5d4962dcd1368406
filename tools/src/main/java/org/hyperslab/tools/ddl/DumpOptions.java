package org.hyperslab.tools.ddl;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.model.IterationIndex;

/**
 * What is printed and how: the options of one run, filled in by {@link DumpArguments}.
 *
 * <p>Thread rule: confined to one thread.
 */
final class DumpOptions {

  /** What a wish names. */
  enum Target {
    ATTRIBUTE,
    DATASET,
    GROUP,
    SOFT_LINK,
    DATATYPE,
    ANY
  }

  /** Which elements of a dataset; a null part takes its default. */
  static final class Subset {
    long[] start;
    long[] stride;
    long[] count;
    long[] block;
  }

  /** Something that is asked for by path. */
  static final class Wish {
    final Target target;
    final String path;
    Subset subset;

    Wish(Target target, String path) {
      this.target = target;
      this.path = path;
    }
  }

  /** Some bits of every integer. */
  record PackedBits(int offset, int length) {
    long apply(long value) {
      long mask = length >= 64 ? -1L : (1L << length) - 1;
      return (value >> offset) & mask;
    }
  }

  final List<Wish> wishes = new ArrayList<>();
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
  int width = 80;
  boolean onePerLine;
  PrintfNumber floats = PrintfNumber.SHORTEST;
  IterationIndex sortBy = IterationIndex.NAME;
  boolean descending;
  boolean ddl = true;
  boolean data = true;
  String ddlFile;
  String dataFile;
}
