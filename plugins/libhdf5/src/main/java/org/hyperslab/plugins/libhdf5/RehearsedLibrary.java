package org.hyperslab.plugins.libhdf5;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Endian;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.translate.TypeTranslator;

/**
 * The functions that the bridge calls in libhdf5 while a {@link Rehearsal} runs. They answer as
 * libhdf5 does for property lists with default values, one list of a chunked and deflated dataset,
 * and dataspaces of one dimension.
 *
 * <p>Thread rule: one thread.
 */
final class RehearsedLibrary {

  private static final int PARAMETERS = 8;

  /** {@code H5I_GENPROP_LST}, which {@code H5Iget_type} returns. */
  private static final int PROPERTY_LIST = 11;

  private static final int CHUNKED = 2;
  private static final int HYPERSLABS = 2;
  private static final int ALL_SELECTED = 3;
  private static final int DEFLATE = 1;
  private static final int DEFLATE_LEVEL = 6;

  /** Functions of a parallel libhdf5, and of one newer than 1.14. */
  private static final Set<String> MISSING =
      Set.of("H5Pget_fapl_mpio", "H5Pget_dxpl_mpio", "H5Tdecode2");

  /** The numbers that functions of lists store, where these are not 0: four bytes each. */
  private static final Map<String, int[]> DEFAULTS =
      Map.ofEntries(
          Map.entry("H5Pget_libver_bounds", new int[] {0, 4}),
          Map.entry("H5Pget_sym_k", new int[] {16, 4}),
          Map.entry("H5Pget_istore_k", new int[] {32}),
          Map.entry("H5Pget_link_phase_change", new int[] {8, 6}),
          Map.entry("H5Pget_attr_phase_change", new int[] {8, 6}),
          Map.entry("H5Pget_est_link_info", new int[] {4, 8}),
          Map.entry("H5Pfill_value_defined", new int[] {1}),
          Map.entry("H5Pget_obj_track_times", new int[] {1}),
          Map.entry("H5Pget_fill_time", new int[] {2}),
          Map.entry("H5Pget_alloc_time", new int[] {2}),
          Map.entry("H5Pget_file_locking", new int[] {1, 1}),
          Map.entry("H5Pget_sizes", new int[] {8, 8}),
          Map.entry("H5Pget_meta_block_size", new int[] {2048}),
          Map.entry("H5Pget_alignment", new int[] {1, 1}),
          Map.entry("H5Pget_file_space_page_size", new int[] {4096}));

  private final Arena memory;
  private final Map<String, Long> addresses = new HashMap<>();
  private final Map<Long, String> names = new HashMap<>();

  /** The number of elements of a dataspace, and how many of them every second is selected of. */
  private record Elements(long count, long everySecond) {}

  private final Map<Long, Elements> spaces = new HashMap<>();
  private long chunkElements;
  private long chunkedList;
  private long lastId = 1000;

  RehearsedLibrary(Arena memory) {
    this.memory = memory;
  }

  /** Returns the address of a function or a variable; 0 if the library has none of that name. */
  long symbol(String name) {
    if (MISSING.contains(name) || name.endsWith("_init")) {
      return 0;
    }
    return addresses.computeIfAbsent(
        name, wanted -> wanted.endsWith("_g") ? variable(wanted) : function(wanted));
  }

  /** Returns the identifier that a variable holds. */
  long identifier(String variable) {
    return RawMemory.getLong(symbol(variable));
  }

  private long variable(String name) {
    long id = ++lastId;
    names.put(id, name);
    return memory.allocateFrom(ValueLayout.JAVA_LONG, id).address();
  }

  private long function(String name) {
    Class<?>[] words = new Class<?>[PARAMETERS + 1];
    Arrays.fill(words, long.class);
    words[0] = String.class;
    try {
      MethodHandle answer =
          MethodHandles.lookup()
              .bind(this, "answer", MethodType.methodType(long.class, words))
              .bindTo(name);
      MemoryLayout[] shape =
          Collections.nCopies(PARAMETERS, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new);
      return Linker.nativeLinker()
          .upcallStub(answer, FunctionDescriptor.of(ValueLayout.JAVA_LONG, shape), memory)
          .address();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes a dataspace of one dimension, of which all or every second element is selected. */
  long space(long count, boolean everySecond) {
    long id = ++lastId;
    spaces.put(id, new Elements(count, everySecond ? count / 2 : 0));
    return id;
  }

  /** Makes a list of a dataset in deflated chunks. */
  long chunked(long elements) {
    chunkElements = elements;
    chunkedList = ++lastId;
    return chunkedList;
  }

  /** Returns the result of a function; parameters that it does not have are arbitrary. */
  @SuppressWarnings("UnusedVariable") // the shape of all functions, which call it by its name
  long answer(String name, long a, long b, long c, long d, long e, long f, long g, long h) {
    return switch (name) {
      case "H5Tencode" -> encode(a, b, c);
      case "H5Tdecode", "H5Pcopy", "H5Pcreate", "H5Scopy" -> ++lastId;
      case "H5Iget_type" -> PROPERTY_LIST;
      case "H5Sget_simple_extent_type" -> 1;
      case "H5Sget_simple_extent_dims" -> put(1, spaces.get(a).count, b, c);
      case "H5Sget_select_type" -> spaces.get(a).everySecond > 0 ? HYPERSLABS : ALL_SELECTED;
      case "H5Sis_regular_hyperslab" -> 1;
      case "H5Sget_regular_hyperslab" -> {
        put(0, 2, c);
        put(0, spaces.get(a).everySecond, d);
        yield put(0, 1, e);
      }
      case "H5Sget_select_bounds" -> put(0, 0, b, c);
      case "H5Pget_file_space_strategy" -> put(0, 1, d);
      case "H5Pget_layout" -> a == chunkedList ? CHUNKED : 1;
      case "H5Pget_chunk" -> put(1, chunkElements, c);
      case "H5Pget_nfilters" -> a == chunkedList ? 1 : 0;
      case "H5Pget_filter2" -> {
        RawMemory.setInt(e, DEFLATE_LEVEL);
        put(0, 1, d);
        yield DEFLATE;
      }
      default -> numbers(DEFAULTS.getOrDefault(name, new int[0]), b, c);
    };
  }

  private long encode(long type, long room, long sizeAt) {
    Datatype encoded =
        names.get(type).contains("F32")
            ? FloatType.ieee(4, Endian.LITTLE, 8)
            : IntegerType.of(4, Endian.LITTLE, true);
    byte[] bytes = TypeTranslator.encode(encoded);
    RawMemory.setLong(sizeAt, bytes.length);
    if (room != 0) {
      RawMemory.put(bytes, room, bytes.length);
    }
    return 0;
  }

  /** Stores a number at an address that the caller passes, and returns a result. */
  private static long put(long result, long value, long... places) {
    for (long place : places) {
      if (place != 0) {
        RawMemory.setLong(place, value);
      }
    }
    return result;
  }

  private static long numbers(int[] values, long first, long second) {
    for (int i = 0; i < values.length; i++) {
      RawMemory.setInt(i == 0 ? first : second, values[i]);
    }
    return 0;
  }
}
