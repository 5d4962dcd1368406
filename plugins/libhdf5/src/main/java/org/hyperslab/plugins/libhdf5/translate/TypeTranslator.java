package org.hyperslab.plugins.libhdf5.translate;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.DatatypeCodec;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * Translates datatypes between libhdf5's identifiers and the model, through the bytes of {@code
 * H5Tencode}: a message kind, an encoding version, and a datatype message.
 *
 * <p>Types of the program have the layout of C, where {@code hvl_t}, {@code char *} and {@code
 * H5R_ref_t} differ in size from the slots of our memory form.
 */
public final class TypeTranslator {

  /** The geometry of encodings that do not belong to a file. */
  static final FileGeometry GEOMETRY = FileGeometry.standard("libhdf5");

  private static final int HEAD_BYTES = 2;
  private static final int DATATYPE_MESSAGE = 3;
  private static final int MAX_KNOWN = 1024;

  /** Types of the library that programs use often, without {@code H5T_}. */
  private static final String PREDEFINED =
      """
      NATIVE_SCHAR NATIVE_UCHAR NATIVE_SHORT NATIVE_USHORT NATIVE_INT NATIVE_UINT NATIVE_LONG
      NATIVE_ULONG NATIVE_LLONG NATIVE_ULLONG NATIVE_FLOAT NATIVE_DOUBLE
      NATIVE_INT8 NATIVE_UINT8 NATIVE_INT16 NATIVE_UINT16
      NATIVE_INT32 NATIVE_UINT32 NATIVE_INT64 NATIVE_UINT64
      IEEE_F32LE IEEE_F32BE IEEE_F64LE IEEE_F64BE
      STD_I8LE STD_I16LE STD_I32LE STD_I64LE STD_U8LE STD_U16LE STD_U32LE STD_U64LE
      STD_I16BE STD_I32BE STD_I64BE STD_U16BE STD_U32BE STD_U64BE
      """;

  /** The size of {@code H5R_ref_t} in bytes. */
  private static final int REFERENCE_BYTES = 64;

  private final Hdf5Calls hdf5;
  private final TypeAssembly assembly;

  /** A cache of types by encoding, because programs use a few types repeatedly. */
  private final Map<ByteBuffer, Datatype> known = new ConcurrentHashMap<>();

  /** A cache of encodings by type, for the same reason. */
  private final Map<Datatype, byte[]> encodings = new ConcurrentHashMap<>();

  /** The library's own types by their identifiers, decoded when first used: they never change. */
  private final Map<Long, Predefined> predefined = new ConcurrentHashMap<>();

  /** The one that was used last, as programs use the same type many times. */
  private volatile Predefined last = new Predefined(-1, null);

  /** The identifiers of the library's own types; null until first needed. */
  private volatile Set<Long> unchanging;

  /** A type of the library itself, in the layout of C. */
  private record Predefined(long id, Datatype type) {}

  public TypeTranslator(Hdf5Calls hdf5) {
    this.hdf5 = hdf5;
    this.assembly = new TypeAssembly(hdf5, this::create);
  }

  /** Returns whether a type is one of the usual ones that the library has itself. */
  public boolean isPredefined(long typeId) {
    if (last.id == typeId) {
      return true;
    }
    Set<Long> all = unchanging;
    if (all == null) {
      Set<Long> found = new HashSet<>();
      for (String name : PREDEFINED.split("\\s+")) {
        found.add(hdf5.identifier("H5T_" + name + "_g"));
      }
      unchanging = found;
      all = found;
    }
    return all.contains(typeId);
  }

  /** Returns the type behind an identifier, in the layout of C. */
  public Datatype read(long typeId) {
    Predefined recent = last;
    if (recent.id == typeId) {
      return recent.type;
    }
    if (!isPredefined(typeId)) {
      return decoded(typeId);
    }
    Predefined own = predefined.computeIfAbsent(typeId, id -> new Predefined(id, decoded(id)));
    last = own;
    return own.type;
  }

  private Datatype decoded(long typeId) {
    byte[] encoded = encoded(typeId);
    ByteBuffer key = ByteBuffer.wrap(encoded);
    Datatype type = known.get(key);
    if (type == null) {
      type = decode(encoded);
      if (known.size() < MAX_KNOWN) {
        known.put(key, type);
      }
    }
    return type;
  }

  /** Returns the encoding. Its length must be queried first, by a call without a buffer. */
  private byte[] encoded(long typeId) {
    MemorySegment scratch = hdf5.scratch();
    long sizeAt = scratch.address();
    RawMemory.setLong(sizeAt, 0);
    hdf5.checked(Hdf5Function.T_ENCODE, typeId, 0, sizeAt);
    long size = RawMemory.getLong(sizeAt);
    if (size <= scratch.byteSize() - 8) {
      hdf5.checked(Hdf5Function.T_ENCODE, typeId, sizeAt + 8, sizeAt);
      return RawMemory.bytes(sizeAt + 8, size);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment large = arena.allocate(size);
      hdf5.checked(Hdf5Function.T_ENCODE, typeId, large.address(), sizeAt);
      return large.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static Datatype decode(byte[] encoded) {
    MetadataReader in = new MetadataReader(GEOMETRY, "datatype", encoded, 0);
    in.skip(HEAD_BYTES);
    return DatatypeCodec.decode(in);
  }

  /** Creates a type of libhdf5 and returns its identifier, which the caller owns. */
  public long create(Datatype type) {
    return TypeAssembly.isNeeded(type) ? assembly.create(type) : decode(type);
  }

  private long decode(Datatype type) {
    byte[] bytes =
        encodings.size() < MAX_KNOWN
            ? encodings.computeIfAbsent(type, TypeTranslator::encode)
            : encode(type);
    MemorySegment scratch = hdf5.scratch();
    if (bytes.length <= scratch.byteSize()) {
      return decoded(type, bytes, scratch.address());
    }
    try (Arena arena = Arena.ofConfined()) {
      return decoded(type, bytes, arena.allocate(bytes.length).address());
    }
  }

  private long decoded(Datatype type, byte[] bytes, long room) {
    RawMemory.put(bytes, room, bytes.length);
    long id =
        hdf5.has(Hdf5Function.T_DECODE_SIZED)
            ? hdf5.call(Hdf5Function.T_DECODE_SIZED, room, bytes.length)
            : hdf5.call(Hdf5Function.T_DECODE, room);
    if (id < 0) {
      throw new InvalidUseException(
          "datatype for libhdf5: actual="
              + type.describe()
              + ", expected=a type that H5Tdecode accepts");
    }
    return id;
  }

  /** Returns a type as stored, in the form of {@code H5Tencode}. */
  public static byte[] encode(Datatype type) {
    MetadataWriter out = new MetadataWriter(GEOMETRY, 64);
    out.u8(DATATYPE_MESSAGE).u8(0);
    DatatypeCodec.encode(inMemory(type, false), out, DatatypeCodec.VERSION_EARLIEST);
    return out.toByteArray();
  }

  /** Gives revised references in sequences the size of H5R_ref_t; libhdf5 adjusts others. */
  private static Datatype inMemory(Datatype type, boolean inSequence) {
    return switch (type) {
      case ReferenceType reference when inSequence && reference.kind().revised() ->
          new ReferenceType(REFERENCE_BYTES, reference.kind());
      case VlenType vlen -> new VlenType(vlen.size(), inMemory(vlen.base(), true));
      default -> type;
    };
  }

  /**
   * Returns the stored form of a type in the layout of C. In sequences of revised references the
   * element size stays the 64 bytes of {@code H5R_ref_t}, as libhdf5 writes it.
   */
  public static Datatype stored(Datatype type) {
    return withLibraryReferences(type.forFile(GEOMETRY.sizeOfOffsets()), type);
  }

  private static Datatype withLibraryReferences(Datatype stored, Datatype inC) {
    return switch (stored) {
      case VlenType vlen -> {
        Datatype base = ((VlenType) inC).base();
        yield new VlenType(
            vlen.size(),
            base instanceof ReferenceType reference && reference.kind().revised()
                ? base
                : withLibraryReferences(vlen.base(), base));
      }
      case ArrayType array ->
          new ArrayType(
              array.dimensions(), withLibraryReferences(array.base(), ((ArrayType) inC).base()));
      case CompoundType compound -> {
        List<CompoundType.Member> members = new ArrayList<>();
        for (int i = 0; i < compound.members().size(); i++) {
          CompoundType.Member member = compound.members().get(i);
          Datatype of = ((CompoundType) inC).members().get(i).type();
          members.add(
              new CompoundType.Member(
                  member.name(), member.offset(), withLibraryReferences(member.type(), of)));
        }
        yield new CompoundType(compound.size(), members);
      }
      default -> stored;
    };
  }

  void close(long typeId) {
    hdf5.call(Hdf5Function.T_CLOSE, typeId);
  }
}
