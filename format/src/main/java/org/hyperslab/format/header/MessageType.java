package org.hyperslab.format.header;

import java.util.Optional;

/**
 * The kinds of object header message, in the order of their numbers.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2; the metadata cache image message is known from
 * the reference implementation only.
 */
public enum MessageType {
  /** Free space in a header. */
  NIL("NIL"),
  /** The extent of a dataset. */
  DATASPACE("dataspace"),
  /** How a group of the new style keeps its links. */
  LINK_INFO("link info"),
  /** The type of a dataset's elements, or a committed datatype. */
  DATATYPE("datatype"),
  /** The fill value as releases before 1.6 wrote it. */
  FILL_VALUE_OLD("fill value (old)"),
  /** The fill value and when it is written. */
  FILL_VALUE("fill value"),
  /** One link of a group. */
  LINK("link"),
  /** The external files that hold a dataset's elements. */
  EXTERNAL_FILE_LIST("external file list"),
  /** Where a dataset's elements are. */
  DATA_LAYOUT("data layout"),
  /** For testing the reference implementation. */
  BOGUS("bogus"),
  /** When a group changes between compact and dense storage. */
  GROUP_INFO("group info"),
  /** The filters that chunks pass. */
  FILTER_PIPELINE("filter pipeline"),
  /** One attribute. */
  ATTRIBUTE("attribute"),
  /** A comment on the object. */
  COMMENT("object comment"),
  /** The modification time as releases before 1.6 wrote it. */
  MODIFICATION_TIME_OLD("modification time (old)"),
  /** Where the table of shared messages is; in the superblock extension. */
  SHARED_MESSAGE_TABLE("shared message table"),
  /** Where the header goes on. */
  CONTINUATION("continuation"),
  /** The symbol table of a group of the old style. */
  SYMBOL_TABLE("symbol table"),
  /** The modification time. */
  MODIFICATION_TIME("modification time"),
  /** K values; in the superblock extension. */
  BTREE_K_VALUES("B-tree K values"),
  /** Information for the file driver; in the superblock extension. */
  DRIVER_INFO("driver info"),
  /** How an object keeps its attributes. */
  ATTRIBUTE_INFO("attribute info"),
  /** How many hard links an object has, if not one. */
  REFERENCE_COUNT("reference count"),
  /** How file space is managed; in the superblock extension. */
  FILE_SPACE_INFO("file space info"),
  /** Where the metadata cache's image is; in the superblock extension. */
  METADATA_CACHE_IMAGE("metadata cache image");

  private static final MessageType[] ALL = values();

  private final String text;

  MessageType(String text) {
    this.text = text;
  }

  /** The number in the file. */
  public int code() {
    return ordinal();
  }

  /** The type of that number, if it is known. */
  public static Optional<MessageType> of(int code) {
    return code >= 0 && code < ALL.length ? Optional.of(ALL[code]) : Optional.empty();
  }

  /** The specification's name and the word "message". */
  public String structure() {
    return text + " message";
  }

  /** Whether a message of this type may be shared between headers. */
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
