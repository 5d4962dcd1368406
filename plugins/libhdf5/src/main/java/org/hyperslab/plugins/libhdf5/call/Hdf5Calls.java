package org.hyperslab.plugins.libhdf5.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Calls the libhdf5 that loaded the bridge. A function is looked up when it is first called.
 *
 * <p>Thread rule: only threads in which libhdf5 has called the bridge, because a library without
 * thread safety allows one at a time.
 */
public final class Hdf5Calls {

  /** {@code H5P_DEFAULT}, and the selection {@code H5S_ALL}. */
  public static final long DEFAULT = 0;

  /** The kind of identifier {@code H5I_GENPROP_LST}. */
  private static final int PROPERTY_LIST = 11;

  private static final long SCRATCH_BYTES = 1 << 16;

  private final ToLongFunction<String> symbols;

  /** The addresses of functions, 0 before their first call; all threads would find the same. */
  private final long[] functions = new long[Hdf5Function.values().length];

  /** The first number of the library's version; 0 until it is asked for. */
  private volatile int majorVersion;

  private final Map<Hdf5Function, Boolean> present = new ConcurrentHashMap<>();
  private final Map<String, Long> identifiers = new ConcurrentHashMap<>();

  /** Memory for arguments of one call; nothing in it outlives the method that filled it. */
  private final ThreadLocal<MemorySegment> scratch =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(SCRATCH_BYTES, 8));

  /**
   * Creates the calls of a library.
   *
   * @param libraryHandle the handle that {@code dlopen} returned for it
   */
  public Hdf5Calls(long libraryHandle) {
    this(new Symbols(libraryHandle));
  }

  /** The symbols of a library; a closure would be generated at the start of each process. */
  private record Symbols(long library) implements ToLongFunction<String> {
    @Override
    public long applyAsLong(String name) {
      return CFunction.find(library, name);
    }
  }

  /**
   * Creates the calls of what stands for a library.
   *
   * @param symbols returns the address of a symbol; 0 if there is none
   */
  public Hdf5Calls(ToLongFunction<String> symbols) {
    this.symbols = symbols;
  }

  /** Returns this thread's memory for the arguments of one call. */
  public MemorySegment scratch() {
    return scratch.get();
  }

  /** Returns the address of a symbol; 0 if the library has none of that name. */
  long symbol(String name) {
    return symbols.applyAsLong(name);
  }

  /**
   * Returns the value of an identifier that the library keeps in a variable, such as a class of
   * lists.
   */
  public long identifier(String variable) {
    long address = variable(variable);
    if (address == 0) {
      throw missing(variable);
    }
    return RawMemory.getLong(address);
  }

  /**
   * Returns the address of a variable; 0 if there is none. Programs may have copies of a library's
   * variables that the library uses too (copy relocations), so the process-wide symbol comes first.
   */
  long variable(String name) {
    long address = CFunction.find(0, name);
    return address != 0 ? address : symbol(name);
  }

  /**
   * Fails unless an identifier is {@link #DEFAULT} or that of a property list. libhdf5 leaves the
   * check of access lists to connectors.
   */
  public void requireList(long list) {
    if (list != DEFAULT && status(Hdf5Function.I_GET_TYPE, list) != PROPERTY_LIST) {
      throw new InvalidUseException(
          "property list: actual=" + list + ", expected=H5P_DEFAULT or an open list");
    }
  }

  /**
   * Reads an identifier like {@link #identifier}, for variables that do not change once the library
   * is open.
   */
  public long known(String variable) {
    Long known = identifiers.get(variable);
    return known != null ? known : identifiers.computeIfAbsent(variable, this::identifier);
  }

  /**
   * Returns the identifier of a file driver; 0 if the library has none of that name. HDF5 2 keeps
   * it in a variable, HDF5 1.14 returns it when the driver is initialised.
   *
   * @param name the name in symbols, in lower case, such as {@code "core"}
   */
  public long driver(String name) {
    long variable = variable("H5FD_" + name.toUpperCase(Locale.ROOT) + "_id_g");
    if (variable != 0) {
      return RawMemory.getLong(variable);
    }
    long initialise = symbol("H5FD_" + name + "_init");
    return initialise == 0 ? 0 : call(Hdf5Function.FD_INITIALISE, initialise);
  }

  /** Returns whether the library has a function. */
  public boolean has(Hdf5Function call) {
    return functions[call.ordinal()] != 0
        || present.computeIfAbsent(call, wanted -> symbol(wanted.symbol) != 0);
  }

  /**
   * Returns whether the library is HDF5 2 or newer, some of whose structures differ from 1.14's.
   */
  public boolean isVersion2() {
    if (majorVersion == 0) {
      long out = scratch().address();
      checked(Hdf5Function.GET_VERSION, out, out + 4, out + 8);
      majorVersion = RawMemory.getInt(out);
    }
    return majorVersion >= 2;
  }

  /** Calls a function whose result is an {@code int} or is tested for less than 0 only. */
  public int status(Hdf5Function call, long... arguments) {
    return (int) call(call, arguments);
  }

  /** Calls a function, and fails if it returns less than 0 as an {@code int}. */
  public int checked(Hdf5Function call, long... arguments) {
    int result = (int) call(call, arguments);
    if (result < 0) {
      throw failed(call);
    }
    return result;
  }

  /** Calls a function that returns an identifier, and fails if that is less than 0. */
  public long id(Hdf5Function call, long... arguments) {
    long result = call(call, arguments);
    if (result < 0) {
      throw failed(call);
    }
    return result;
  }

  /** Calls a function; {@link CFunction} explains why all have the same shape. */
  public long call(Hdf5Function call, long... arguments) {
    long[] a = arguments;
    int n = a.length;
    if (n != call.parameters) {
      throw new InvalidUseException(
          call.symbol + ": actual=" + n + " arguments, expected=" + call.parameters);
    }
    return CFunction.call(
        function(call),
        n > 0 ? a[0] : 0,
        n > 1 ? a[1] : 0,
        n > 2 ? a[2] : 0,
        n > 3 ? a[3] : 0,
        n > 4 ? a[4] : 0,
        n > 5 ? a[5] : 0,
        n > 6 ? a[6] : 0,
        n > 7 ? a[7] : 0);
  }

  /** Calls a function of an identifier that stores words, as {@link CFunction#fill} does. */
  public int fill(Hdf5Function call, long id, long[] words) {
    return CFunction.fill(function(call), id, words);
  }

  private long function(Hdf5Function call) {
    long known = functions[call.ordinal()];
    if (known != 0) {
      return known;
    }
    long address = symbol(call.symbol);
    if (address == 0) {
      throw missing(call.symbol);
    }
    functions[call.ordinal()] = address;
    return address;
  }

  private static UnsupportedFeatureException missing(String symbol) {
    return new UnsupportedFeatureException(
        "libhdf5: actual=no " + symbol + ", expected=HDF5 1.14 or 2.x");
  }

  private static InvalidUseException failed(Hdf5Function call) {
    return new InvalidUseException(call.symbol + ": actual=failed, expected=success");
  }

  /** Returns the {@code unsigned} or {@code int} that a function of a list stores. */
  public int intOf(Hdf5Function call, long list) {
    long out = scratch().address();
    RawMemory.setLong(out, 0);
    checked(call, list, out);
    return RawMemory.getInt(out);
  }

  /** Returns the two {@code unsigned}s that a function of a list stores. */
  public int[] intsOf(Hdf5Function call, long list) {
    long out = scratch().address();
    RawMemory.setLong(out, 0);
    RawMemory.setLong(out + 8, 0);
    checked(call, list, out, out + 8);
    return new int[] {RawMemory.getInt(out), RawMemory.getInt(out + 8)};
  }

  /** Returns the 64-bit number that a function of a list stores. */
  public long longOf(Hdf5Function call, long list) {
    long out = scratch().address();
    RawMemory.setLong(out, 0);
    checked(call, list, out);
    return RawMemory.getLong(out);
  }

  /** Allocates memory that libhdf5 frees and stores text and a terminator in it. */
  public long allocateText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    long address = call(Hdf5Function.ALLOCATE, bytes.length + 1L, 1);
    if (address == 0) {
      throw failed(Hdf5Function.ALLOCATE);
    }
    RawMemory.put(bytes, address, bytes.length);
    return address;
  }
}
