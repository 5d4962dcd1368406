package org.hyperslab.testkit.differential;

import java.util.HexFormat;
import java.util.List;

/** Encodes elements without out-of-line parts. */
final class ElementBytes {

  private ElementBytes() {}

  /** Writes an element's bytes at an offset; gaps are unchanged. */
  static void put(TypeSpec type, Object value, byte[] out, int at) {
    switch (type) {
      case TypeSpec.Compound compound -> {
        for (int i = 0; i < compound.members().size(); i++) {
          TypeSpec.Member member = compound.members().get(i);
          put(member.type(), ((List<?>) value).get(i), out, at + member.offset());
        }
      }
      case TypeSpec.Array array -> {
        for (int i = 0; i < array.count(); i++) {
          put(array.base(), ((List<?>) value).get(i), out, at + i * array.base().size());
        }
      }
      default -> {
        byte[] bytes = HexFormat.of().parseHex((String) value);
        System.arraycopy(bytes, 0, out, at, bytes.length);
      }
    }
  }
}
