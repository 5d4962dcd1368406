package org.hyperslab.plugins.codec;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import org.hyperslab.format.io.NameBytes;

/** Encodes names and texts as the bytes that a file stores. Thread rule: stateless. */
final class TextFields {

  private TextFields() {}

  static ByteString bytes(String text) {
    return text.isEmpty() ? ByteString.EMPTY : wrap(NameBytes.encode(text));
  }

  /** Wraps bytes that are no longer changed. */
  static ByteString wrap(byte[] bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  static String text(ByteString bytes) {
    return bytes.isEmpty() ? "" : NameBytes.decode(bytes.toByteArray());
  }
}
