package org.hyperslab.format.header;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The kinds of object header message, in the order of their numbers.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2; the metadata cache image message appears only
 * in the reference implementation.
 */
public enum MessageType {
  /** Free space in a header. */
  NIL(0, "NIL"),
  /** The extent of a dataset. */
  DATASPACE(1, "dataspace"),
  /** The storage of a new-style group's links. */
  LINK_INFO(2, "link info"),
  /** The type of a dataset's elements, or a committed datatype. */
  DATATYPE(3, "datatype"),
  /** The fill value as stored by releases before 1.6. */
  FILL_VALUE_OLD(4, "fill value (old)"),
  /** The fill value and the time at which it is written. */
  FILL_VALUE(5, "fill value"),
  /** A link of a group. */
  LINK(6, "link"),
  /** The external files that hold a dataset's elements. */
  EXTERNAL_FILE_LIST(7, "external file list"),
  /** The place where a dataset's elements are stored. */
  DATA_LAYOUT(8, "data layout"),
  /** A message for testing the reference implementation. */
  BOGUS(9, "bogus"),
  /** The thresholds at which a group changes between compact and dense storage. */
  GROUP_INFO(10, "group info"),
  /** The filters applied to chunks. */
  FILTER_PIPELINE(11, "filter pipeline"),
  /** An attribute in the object header. */
  ATTRIBUTE(12, "attribute"),
  /** A comment on the object. */
  COMMENT(13, "object comment"),
  /** The modification time as stored by releases before 1.6. */
  MODIFICATION_TIME_OLD(14, "modification time (old)"),
  /** The address of the table of shared messages; in the superblock extension. */
  SHARED_MESSAGE_TABLE(15, "shared message table"),
  /** The place where the header continues. */
  CONTINUATION(16, "continuation"),
  /** The symbol table of an old-style group. */
  SYMBOL_TABLE(17, "symbol table"),
  /** The modification time. */
  MODIFICATION_TIME(18, "modification time"),
  /** K values; in the superblock extension. */
  BTREE_K_VALUES(19, "B-tree K values"),
  /** Information for the file driver; in the superblock extension. */
  DRIVER_INFO(20, "driver info"),
  /** The storage of an object's attributes. */
  ATTRIBUTE_INFO(21, "attribute info"),
  /** The number of hard links to an object, if not 1. */
  REFERENCE_COUNT(22, "reference count"),
  /** The management of file space; in the superblock extension. */
  FILE_SPACE_INFO(23, "file space info"),
  /** The address of the metadata cache image; in the superblock extension. */
  METADATA_CACHE_IMAGE(24, "metadata cache image");

  /** The number of known types, whose numbers are smaller. */
  static final int COUNT = values().length;

  private static final List<Optional<MessageType>> ALL =
      Arrays.stream(values()).map(Optional::of).toList();

  private final int code;
  private final String text;

  MessageType(int code, String text) {
    this.code = code;
    this.text = text + " message";
  }

  /** {@return the number in the file} */
  public int code() {
    return code;
  }

  /**
   * {@return the type with a number, if it is known}
   *
   * @param code the number in the file
   */
  public static Optional<MessageType> of(int code) {
    return code >= 0 && code < COUNT ? ALL.get(code) : Optional.empty();
  }

  /** {@return the specification's name and the word "message"} */
  public String structure() {
    return text;
  }

  /** {@return whether a message of this type may be shared between headers} */
  public boolean sharable() {
    return switch (this) {
      case DATASPACE, DATATYPE, FILL_VALUE_OLD, FILL_VALUE, FILTER_PIPELINE, ATTRIBUTE -> true;
      case NIL,
          LINK_INFO,
          LINK,
          EXTERNAL_FILE_LIST,
          DATA_LAYOUT,
          BOGUS,
          GROUP_INFO,
          COMMENT,
          MODIFICATION_TIME_OLD,
          SHARED_MESSAGE_TABLE,
          CONTINUATION,
          SYMBOL_TABLE,
          MODIFICATION_TIME,
          BTREE_K_VALUES,
          DRIVER_INFO,
          ATTRIBUTE_INFO,
          REFERENCE_COUNT,
          FILE_SPACE_INFO,
          METADATA_CACHE_IMAGE ->
          false;
    };
  }
}
