package org.hyperslab.format.type;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;

/**
 * A reference, which can be converted to and from its payload: self-contained bytes that are stored
 * in the heap of a buffer.
 *
 * <p>The payload of an old region reference is the token and the selection in HDF5's encoding. The
 * payload of a revised reference is the encoding of H5R:
 *
 * <pre>
 *   0      1       2            3           3+n
 *   +------+-------+------------+-----------+----------------------------------------+
 *   | kind | flags | n, u8 (=8) | token (n) | region: u32 bytes, u32 rank, selection |
 *   +------+-------+------------+-----------+ attribute: u16 bytes, name             |
 *                                           +----------------------------------------+
 * </pre>
 *
 * <p>Flag bit 0 is set if the object is in another file, whose name (u16 bytes, name) then follows
 * the token.
 *
 * <p>In a file the first two bytes are in the element and the rest, for regions and attributes, in
 * the global heap; bytes after the parts shown are ignored.
 *
 * <p>Tokens are object header addresses. Source: HDF5 File Format Specification, appendix D;
 * H5Rint.c. Thread rule: immutable, provided that the arrays are not modified.
 */
public sealed interface Reference {

  /** The flag of references into another file. */
  int EXTERNAL = 1;

  /** The size of a token in a payload in bytes. */
  int TOKEN_BYTES = 8;

  /** {@return the address of the object header; 0 refers to nothing} */
  long token();

  /**
   * A reference to an object.
   *
   * @param token the object's token
   */
  record ToObject(long token) implements Reference {}

  /**
   * A reference to a selection in a dataset.
   *
   * @param token the dataset's token
   * @param rank the rank of the dataset's dataspace, or -1 if the encoding does not contain it (old
   *     region references)
   * @param selection the selection in HDF5's encoding; not copied
   */
  @SuppressWarnings("ArrayRecordComponent") // equality below is by content
  record ToRegion(long token, int rank, byte[] selection) implements Reference {
    @Override
    public boolean equals(Object other) {
      return other instanceof ToRegion r
          && r.token == token
          && r.rank == rank
          && Arrays.equals(r.selection, selection);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(token) * 31 + Arrays.hashCode(selection);
    }

    @Override
    public String toString() {
      return "ToRegion[token=" + token + ", rank=" + rank + ", " + selection.length + " bytes]";
    }
  }

  /**
   * A reference to an attribute of an object, by name.
   *
   * @param token the object's token
   * @param name the name
   */
  record ToAttribute(long token, String name) implements Reference {}

  /**
   * A revised reference to an object, region or attribute in another file.
   *
   * @param file the other file's name, as given by the writer
   * @param target the reference within that file
   */
  record External(String file, Reference target) implements Reference {
    /** Requires that the target is not external itself. */
    public External {
      if (target instanceof External) {
        throw new InvalidUseException(
            "target of an external reference: actual="
                + target
                + ", expected=a reference that "
                + "is not external");
      }
    }

    @Override
    public long token() {
      return target.token();
    }
  }

  /**
   * {@return the payload of this reference in an element of type {@code kind}}
   *
   * @param kind the kind of reference
   */
  default byte[] toPayload(ReferenceKind kind) {
    return switch (kind) {
      case OBJECT ->
          throw new InvalidUseException(
              "payload of an object reference: actual=OBJECT, expected=a kind with a heap value; "
                  + "a reference of kind OBJECT is just an address");
      case REGION -> {
        byte[] selection = region().selection();
        byte[] payload = new byte[TOKEN_BYTES + selection.length];
        buffer(payload).putLong(token()).put(selection);
        yield payload;
      }
      case OBJECT2, REGION2, ATTRIBUTE -> revisedPayload();
    };
  }

  private byte[] revisedPayload() {
    byte[] file = null;
    Reference target = this;
    if (this instanceof External external) {
      file = NameBytes.encode(external.file);
      target = external.target;
    }
    byte[] head = new byte[3 + TOKEN_BYTES + (file == null ? 0 : 2 + file.length)];
    ByteBuffer out = buffer(head);
    out.putShort((short) (file == null ? 0 : EXTERNAL << 8));
    out.put((byte) TOKEN_BYTES).putLong(token());
    if (file != null) {
      out.putShort((short) file.length).put(file);
    }
    return target.revisedPayload(head);
  }

  /** Returns the head, with the kind filled in, followed by the parts of that kind. */
  private byte[] revisedPayload(byte[] head) {
    return switch (this) {
      case ToObject _ -> extended(head, ReferenceKind.OBJECT2, 0);
      case ToRegion r -> {
        byte[] payload = extended(head, ReferenceKind.REGION2, 8 + r.selection.length);
        buffer(payload)
            .putInt(head.length, r.selection.length)
            .putInt(head.length + 4, Math.max(r.rank, 0))
            .put(head.length + 8, r.selection);
        yield payload;
      }
      case ToAttribute a -> {
        byte[] name = NameBytes.encode(a.name);
        byte[] payload = extended(head, ReferenceKind.ATTRIBUTE, 2 + name.length);
        buffer(payload).putShort(head.length, (short) name.length).put(head.length + 2, name);
        yield payload;
      }
      case External e -> e.target.revisedPayload(head);
    };
  }

  private static byte[] extended(byte[] head, ReferenceKind kind, int bytes) {
    byte[] longer = Arrays.copyOf(head, head.length + bytes);
    longer[0] = (byte) kind.code();
    return longer;
  }

  private ToRegion region() {
    if (this instanceof ToRegion r) {
      return r;
    }
    throw new InvalidUseException(
        "region reference: actual=" + this + ", expected=a reference to a region");
  }

  /**
   * Reads a payload.
   *
   * @param kind the kind of reference
   * @param payload the reference as it is stored
   * @return the reference
   * @throws InvalidUseException if the bytes are not a payload of that kind
   */
  static Reference fromPayload(ReferenceKind kind, byte[] payload) {
    ByteBuffer in = buffer(payload);
    try {
      return kind == ReferenceKind.REGION ? oldRegion(in) : revised(in);
    } catch (BufferUnderflowException tooShort) {
      throw new InvalidUseException(
          "reference payload: actual=" + payload.length + " bytes, expected=more", tooShort);
    }
  }

  private static Reference oldRegion(ByteBuffer in) {
    long token = in.getLong();
    byte[] selection = new byte[in.remaining()];
    in.get(selection);
    return new ToRegion(token, -1, selection);
  }

  private static Reference revised(ByteBuffer in) {
    int kind = in.get();
    boolean external = (in.get() & EXTERNAL) != 0;
    int tokenBytes = in.get() & 0xFF;
    if (tokenBytes > TOKEN_BYTES && tokenBytes != 16) {
      throw new InvalidUseException("reference token bytes: actual=" + tokenBytes + ", expected=8");
    }
    long token = 0;
    for (int i = 0; i < tokenBytes; i++) {
      long b = in.get() & 0xFFL;
      token |= i < TOKEN_BYTES ? b << (8 * i) : 0;
    }
    if (external) {
      byte[] file = taken(in, in.getShort() & 0xFFFF);
      return new External(NameBytes.decode(file), target(kind, token, in));
    }
    return target(kind, token, in);
  }

  private static Reference target(int kind, long token, ByteBuffer in) {
    return switch (kind) {
      case 2 -> new ToObject(token);
      case 3 -> {
        int bytes = in.getInt();
        int rank = in.getInt();
        yield new ToRegion(token, rank, taken(in, bytes));
      }
      case 4 -> {
        int bytes = in.getShort() & 0xFFFF;
        yield new ToAttribute(token, NameBytes.decode(taken(in, bytes)));
      }
      default ->
          throw new InvalidUseException("reference kind: actual=" + kind + ", expected=2..4");
    };
  }

  private static byte[] taken(ByteBuffer in, int bytes) {
    if (bytes < 0 || bytes > in.remaining()) {
      throw new InvalidUseException(
          "reference part: actual=" + bytes + " bytes, expected<=" + in.remaining());
    }
    byte[] part = new byte[bytes];
    in.get(part);
    return part;
  }

  private static ByteBuffer buffer(byte[] payload) {
    return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
  }
}
