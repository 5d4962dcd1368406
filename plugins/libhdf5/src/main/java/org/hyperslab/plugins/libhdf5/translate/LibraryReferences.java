package org.hyperslab.plugins.libhdf5.translate;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.space.SelectionCodec;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.DatasetState;
import org.hyperslab.plugins.libhdf5.object.Identifiers;
import org.hyperslab.plugins.libhdf5.object.PointerTable;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * Converts libhdf5's references in memory ({@code H5R_ref_t}) with the library's own functions,
 * because their content is opaque.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class LibraryReferences {

  private static final int REFERENCE_BYTES = 64;
  private static final int OBJECT = 2;
  private static final int REGION = 3;
  private static final int ATTRIBUTE = 4;
  private static final int MAX_NAME = 1 << 15;

  private final Hdf5Calls hdf5;
  private final PointerTable objects;
  private final SpaceTranslator spaces;

  /** The file in whose elements references are being stored in this thread. */
  private final ThreadLocal<OpenedFile> current = new ThreadLocal<>();

  public LibraryReferences(Hdf5Calls hdf5, PointerTable objects, SpaceTranslator spaces) {
    this.hdf5 = hdf5;
    this.objects = objects;
    this.spaces = spaces;
  }

  /** Runs an action that moves elements of a file. */
  public void in(OpenedFile file, Runnable action) {
    OpenedFile before = current.get();
    current.set(file);
    try {
      action.run();
    } finally {
      current.set(before);
    }
  }

  /** Returns the payload of the reference at an address, or null for a null reference. */
  MemorySegment payload(ReferenceType type, long c) {
    if (type.kind() == ReferenceKind.REGION) {
      return OldRegions.payload(c);
    }
    requireRevised(type);
    if (isNull(c)) {
      return null;
    }
    return MemorySegment.ofArray(read(c).toPayload(type.kind()));
  }

  private static boolean isNull(long c) {
    for (int i = 0; i < REFERENCE_BYTES; i += 8) {
      if (RawMemory.getLong(c + i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static void requireRevised(ReferenceType type) {
    if (!type.kind().revised() || type.size() != REFERENCE_BYTES) {
      throw new UnsupportedFeatureException(
          "reference in memory: actual="
              + type.describe()
              + " of "
              + type.size()
              + " bytes, expected=H5R_ref_t (H5T_STD_REF) or hobj_ref_t");
    }
  }

  private Reference read(long c) {
    int kind = hdf5.checked(Hdf5Function.R_GET_TYPE, c);
    long token = token(c);
    return switch (kind) {
      case OBJECT -> new Reference.ToObject(token);
      case REGION -> region(c, token);
      case ATTRIBUTE -> {
        long out = hdf5.scratch().address();
        hdf5.id(Hdf5Function.R_GET_ATTRIBUTE_NAME, c, out, MAX_NAME);
        yield new Reference.ToAttribute(token, RawMemory.text(out));
      }
      default ->
          throw new UnsupportedFeatureException(
              "reference in memory: actual=kind "
                  + kind
                  + ", expected=object, region or attribute");
    };
  }

  private long token(long c) {
    long id = hdf5.id(Hdf5Function.R_OPEN_OBJECT, c, Hdf5Calls.DEFAULT, Hdf5Calls.DEFAULT);
    try {
      BridgeObject object = objects.get(hdf5.call(Hdf5Function.VL_OBJECT, id));
      return object
          .file()
          .call(new ObjectOperation.Describe(Location.of(object.handle())))
          .token()
          .address();
    } finally {
      hdf5.call(Hdf5Function.I_DECREASE, id);
    }
  }

  private Reference region(long c, long token) {
    long id = hdf5.id(Hdf5Function.R_OPEN_REGION, c, Hdf5Calls.DEFAULT, Hdf5Calls.DEFAULT);
    try {
      SpaceTranslator.Selected selected = spaces.read(id);
      MetadataWriter out = new MetadataWriter(TypeTranslator.GEOMETRY, 64);
      SelectionCodec.encode(selected.selection(), selected.space().rank(), out);
      return new Reference.ToRegion(token, selected.space().rank(), out.toByteArray());
    } finally {
      hdf5.call(Hdf5Function.S_CLOSE, id);
    }
  }

  /** Stores the reference with a payload at an address, or a null reference if it is null. */
  void store(ReferenceType type, MemorySegment payload, long c) {
    if (type.kind() == ReferenceKind.REGION) {
      OldRegions.store(payload, c);
      return;
    }
    requireRevised(type);
    RawMemory.at(c, REFERENCE_BYTES).fill((byte) 0);
    if (payload == null) {
      return;
    }
    byte[] bytes = payload.toArray(ValueLayout.JAVA_BYTE);
    Reference reference = Reference.fromPayload(ReferenceKind.OBJECT2, bytes);
    if (reference.token() == 0) {
      return;
    }
    if (reference instanceof Reference.External external) {
      throw new UnsupportedFeatureException(
          "reference: actual=to an object of the file "
              + external.file()
              + ", expected=to an object of the file that contains the reference");
    }
    long id;
    try {
      id = open(reference);
    } catch (NotFoundException deleted) {
      storeDangling(reference, c, deleted);
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      long self = arena.allocateFrom(".").address();
      make(reference, id, self, c);
    } finally {
      hdf5.call(Hdf5Function.I_DECREASE, id);
    }
  }

  private void make(Reference reference, long id, long self, long c) {
    switch (reference) {
      case Reference.ToObject _ ->
          hdf5.checked(Hdf5Function.R_CREATE_OBJECT, id, self, Hdf5Calls.DEFAULT, c);
      case Reference.ToRegion region -> {
        long space = spaceOf(id, region);
        try {
          hdf5.checked(Hdf5Function.R_CREATE_REGION, id, self, space, Hdf5Calls.DEFAULT, c);
        } finally {
          hdf5.call(Hdf5Function.S_CLOSE, space);
        }
      }
      case Reference.ToAttribute attribute -> {
        try (Arena arena = Arena.ofConfined()) {
          long name = arena.allocateFrom(attribute.name()).address();
          hdf5.checked(Hdf5Function.R_CREATE_ATTRIBUTE, id, self, name, Hdf5Calls.DEFAULT, c);
        }
      }
      case Reference.External _ ->
          throw new IllegalStateException("external reference not refused earlier");
    }
  }

  /**
   * Stores a reference to a deleted object. Creates a reference to the root group and replaces its
   * token, which must be at the start of {@code H5R_ref_t}; otherwise throws the failure.
   */
  private void storeDangling(Reference reference, long c, NotFoundException deleted) {
    OpenedFile file = current.get();
    Handle handle = Handle.fresh();
    ObjectInfo root = file.call(new ObjectOperation.Open(handle, Location.of(file.handle())));
    long id = Identifiers.register(hdf5, objects, file, handle, root);
    try (Arena arena = Arena.ofConfined()) {
      long self = arena.allocateFrom(".").address();
      hdf5.checked(Hdf5Function.R_CREATE_OBJECT, id, self, Hdf5Calls.DEFAULT, c);
    } finally {
      hdf5.call(Hdf5Function.I_DECREASE, id);
    }
    if (!(reference instanceof Reference.ToObject)
        || RawMemory.getLong(c) != root.token().address()) {
      hdf5.call(Hdf5Function.R_DESTROY, c);
      throw deleted;
    }
    RawMemory.setLong(c, reference.token());
  }

  private long spaceOf(long id, Reference.ToRegion region) {
    BridgeObject object = objects.get(hdf5.call(Hdf5Function.VL_OBJECT, id));
    DatasetState dataset = ((BridgeObject.OfObject) object).dataset();
    return spaces.create(dataset.space(), region.selection());
  }

  /** Opens the object that a reference refers to, and returns its identifier. */
  private long open(Reference reference) {
    OpenedFile file = current.get();
    Handle handle = Handle.fresh();
    var info =
        file.call(
            new ObjectOperation.OpenToken(
                handle, file.handle(), new ObjectToken(reference.token())));
    return Identifiers.register(hdf5, objects, file, handle, info);
  }
}
