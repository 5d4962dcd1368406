package org.hyperslab.format.type.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.temporal.Temporal;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.OpaqueType;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.VlenStringType;

/** Reads and writes strings, opaque bytes and references as Java values. */
final class TextNodes {

  private static final ValueLayout.OfLong ADDRESS =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private TextNodes() {}

  /** Returns the text that a value is; other values are not converted to text. */
  private static String text(Object value, Datatype type) {
    return switch (value) {
      case CharSequence text -> text.toString();
      case Character one -> one.toString();
      case Enum<?> constant -> constant.name();
      case Temporal time when IsoTimes.has(time.getClass()) -> IsoTimes.text(time);
      case null, default -> throw Node.mismatch(value, type);
    };
  }

  /** The node of strings of fixed size, read and written as UTF-8 with either character set. */
  record Fixed(StringType type) implements Node {
    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      byte[] bytes = elements.asSlice(at, type.size()).toArray(ValueLayout.JAVA_BYTE);
      int length = bytes.length;
      if (type.padding() == StringPadding.NULLTERM) {
        length = 0;
        while (length < bytes.length && bytes[length] != 0) {
          length++;
        }
      } else {
        byte padding = type.padding() == StringPadding.SPACEPAD ? (byte) ' ' : 0;
        while (length > 0 && bytes[length - 1] == padding) {
          length--;
        }
      }
      return NameBytes.decode(bytes, 0, length);
    }

    @Override
    public void put(Object value, Target to, long at) {
      String text = text(value, type);
      StringType.requireNoNul(text);
      byte[] bytes = NameBytes.encode(text);
      int room = type.padding() == StringPadding.NULLTERM ? type.size() - 1 : type.size();
      if (bytes.length > room) {
        throw new InvalidUseException(
            "string: actual="
                + bytes.length
                + " bytes, expected<="
                + room
                + " for "
                + type.describe());
      }
      MemorySegment field = to.elements().asSlice(at, type.size());
      field.fill(type.padding() == StringPadding.SPACEPAD ? (byte) ' ' : 0);
      MemorySegment.copy(bytes, 0, field, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }
  }

  /** The node of strings of any length. */
  record Variable(VlenStringType type) implements Node {
    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      return heap.getString(elements, at);
    }

    @Override
    public void put(Object value, Target to, long at) {
      String text = value == null ? null : text(value, type);
      if (text != null) {
        StringType.requireNoNul(text);
      }
      to.heap().putString(to.elements(), at, text);
    }
  }

  /** The node of opaque bytes, of exactly the type's size. */
  record Opaque(OpaqueType type) implements Node {
    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      return elements.asSlice(at, type.size()).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void put(Object value, Target to, long at) {
      if (!(value instanceof byte[] bytes)) {
        throw Node.mismatch(value, type);
      }
      if (bytes.length != type.size()) {
        throw new InvalidUseException(
            "opaque value: actual="
                + bytes.length
                + " bytes, expected="
                + type.size()
                + " for "
                + type.describe());
      }
      MemorySegment.copy(bytes, 0, to.elements(), ValueLayout.JAVA_BYTE, at, bytes.length);
    }
  }

  /** The node of references of every kind; a null value refers to nothing. */
  record OfReference(ReferenceType type) implements Node {
    @Override
    public Object get(MemorySegment elements, long at, VlenHeap heap) {
      if (type.kind() == ReferenceKind.OBJECT) {
        long address = elements.get(ADDRESS, at);
        return address == 0 || address == -1 ? null : new Reference.ToObject(address);
      }
      MemorySegment payload = heap.readReference(elements, at, type.kind());
      return payload == null
          ? null
          : Reference.fromPayload(type.kind(), payload.toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void put(Object value, Target to, long at) {
      if (value != null && !(value instanceof Reference)) {
        throw Node.mismatch(value, type);
      }
      Reference reference = (Reference) value;
      if (type.kind() == ReferenceKind.OBJECT) {
        if (reference != null && !(reference instanceof Reference.ToObject)) {
          throw Node.mismatch(value, type);
        }
        to.elements().set(ADDRESS, at, reference == null ? 0 : reference.token());
        return;
      }
      MemorySegment payload =
          reference == null ? null : MemorySegment.ofArray(reference.toPayload(type.kind()));
      to.heap().writeReference(to.elements(), at, payload, type.kind());
    }
  }
}
