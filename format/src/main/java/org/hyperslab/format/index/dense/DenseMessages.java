package org.hyperslab.format.index.dense;

import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.index.btree.RecordBytes;
import org.hyperslab.format.index.fractal.HeapObject;
import org.hyperslab.format.index.fractal.HeapParameters;

/**
 * The differences between links and attributes in dense storage: their records, their heap, and the
 * position of the name in a message.
 */
enum DenseMessages {
  /** The link messages of a group. Layout: specification IV.A.2.g. */
  LINKS(DenseRecord.Codec.LINK_NAME, DenseRecord.Codec.LINK_ORDER, DenseRecord.LINK_ID_BYTES) {

    private static final int LENGTH_MASK = 0x03;
    private static final int HAS_ORDER = 0x04;
    private static final int HAS_TYPE = 0x08;
    private static final int HAS_CHARSET = 0x10;

    @Override
    Name name(HeapObject message, String file) {
      byte[] bytes = message.bytes();
      int end = message.at() + message.length();
      int at = orderAt(message, file);
      int flags = bytes[message.at() + 1];
      at += (flags & HAS_ORDER) != 0 ? 8 : 0;
      at += (flags & HAS_CHARSET) != 0 ? 1 : 0;
      int lengthBytes = 1 << (flags & LENGTH_MASK);
      if (at + lengthBytes > end) {
        throw corrupt(file, "link message of " + message.length() + " bytes ends before its name");
      }
      long length = RecordBytes.unsigned(bytes, at, lengthBytes);
      if (length < 0 || length > end - at - lengthBytes) {
        throw corrupt(file, "link name of " + length + " bytes exceeds its message");
      }
      return new Name(bytes, at + lengthBytes, (int) length);
    }

    @Override
    long order(HeapObject message, String file) {
      int at = orderAt(message, file);
      boolean known = (message.bytes()[message.at() + 1] & HAS_ORDER) != 0;
      if (!known) {
        return -1;
      }
      if (at + 8 > message.at() + message.length()) {
        throw corrupt(file, "link message ends before its creation order");
      }
      return RecordBytes.int64(message.bytes(), at);
    }

    private int orderAt(HeapObject message, String file) {
      if (message.length() < 4) {
        throw corrupt(file, "link message of " + message.length() + " bytes");
      }
      int flags = message.bytes()[message.at() + 1];
      return message.at() + 2 + ((flags & HAS_TYPE) != 0 ? 1 : 0);
    }
  },

  /** The attribute messages of an object. Layout: specification IV.A.2.m. */
  ATTRIBUTES(
      DenseRecord.Codec.ATTRIBUTE_NAME,
      DenseRecord.Codec.ATTRIBUTE_ORDER,
      DenseRecord.ATTRIBUTE_ID_BYTES) {

    @Override
    Name name(HeapObject message, String file) {
      byte[] bytes = message.bytes();
      int version = message.length() < 9 ? 0 : bytes[message.at()];
      if (version < 1 || version > 3) {
        throw corrupt(
            file, "attribute message of " + message.length() + " bytes, version " + version);
      }
      int first = message.at() + (version == 3 ? 9 : 8);
      int field = (int) RecordBytes.unsigned(bytes, message.at() + 2, 2);
      if (field > message.at() + message.length() - first) {
        throw corrupt(file, "attribute name of " + field + " bytes exceeds its message");
      }
      int length = 0;
      while (length < field && bytes[first + length] != 0) {
        length++;
      }
      return new Name(bytes, first, length);
    }

    @Override
    long order(HeapObject message, String file) {
      return -1;
    }
  };

  private final DenseRecord.Codec nameCodec;
  private final DenseRecord.Codec orderCodec;
  private final int idBytes;

  DenseMessages(DenseRecord.Codec nameCodec, DenseRecord.Codec orderCodec, int idBytes) {
    this.nameCodec = nameCodec;
    this.orderCodec = orderCodec;
    this.idBytes = idBytes;
  }

  /**
   * A name inside a message.
   *
   * @param at the index of its first byte in {@code bytes}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Name(byte[] bytes, int at, int length) {}

  abstract Name name(HeapObject message, String file);

  /** Returns the creation order stored in a message, or -1. */
  abstract long order(HeapObject message, String file);

  DenseRecord.Codec nameCodec() {
    return nameCodec;
  }

  DenseRecord.Codec orderCodec() {
    return orderCodec;
  }

  HeapParameters heapParameters() {
    return this == LINKS ? HeapParameters.LINKS : HeapParameters.ATTRIBUTES;
  }

  int idBytes() {
    return idBytes;
  }

  static CorruptFileException corrupt(String file, String problem) {
    return new CorruptFileException(
        file, "message in dense storage", CorruptFileException.NO_OFFSET, problem);
  }
}
