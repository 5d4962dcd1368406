package org.hyperslab.plugins.nativevol.file;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FamilyStore;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.format.superblock.SymbolTableEntry;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.plugins.nativevol.space.SpacePolicy;
import org.hyperslab.plugins.nativevol.store.DriverBlock;
import org.hyperslab.plugins.nativevol.store.DriverDetection;
import org.hyperslab.plugins.nativevol.store.KnownProperties;
import org.hyperslab.plugins.nativevol.store.SplitView;
import org.hyperslab.plugins.nativevol.store.StoreFactory;
import org.hyperslab.plugins.nativevol.store.StoreOpener;

/**
 * Keeps the open files of a connector. A file is opened once, however often and under whatever name
 * it is requested, and closed when the last of its openers has released it.
 *
 * <p>Thread rule: any thread; opening and closing exclude each other.
 *
 * @param <T> the wrapper of an open file, created once for each file and returned to every opener
 */
public final class FileTable<T> {

  private static final String CLOSE_FIRST =
      "; close it first, on a staging server in every client that has it open";

  private static final class Open<T> {
    private final Object identity;
    private final NativeFile file;
    private final T wrapped;
    private int openers = 1;

    Open(Object identity, NativeFile file, T wrapped) {
      this.identity = identity;
      this.file = file;
      this.wrapped = wrapped;
    }
  }

  /**
   * The numbers of files. Programs compare objects by them, so that files of two connectors must
   * differ.
   */
  private static final AtomicLong NUMBERS = new AtomicLong(1);

  private final Consumer<T> close;
  private final Map<Object, Open<T>> byIdentity = new HashMap<>();
  private final Map<NativeFile, Open<T>> byFile = new IdentityHashMap<>();

  /**
   * Creates a table with no file open.
   *
   * @param close closes a file by its wrapper after its last opener has released it
   */
  public FileTable(Consumer<T> close) {
    this.close = close;
  }

  /**
   * Opens an existing file, or shares it if it is already open.
   *
   * @param stores opens the byte store of the file
   * @param name the file's name
   * @param options the options for opening the file
   * @param wrap creates the wrapper of a file that was not open
   * @return the wrapper of the file
   * @throws InvalidUseException if the options have an unknown property, among other reasons
   */
  public synchronized T open(
      StoreFactory stores, String name, OpenOptions options, Function<NativeFile, T> wrap) {
    KnownProperties.require(options, RemoteStores.shown(name));
    Optional<T> shared = shared(stores, name, options);
    if (shared.isPresent()) {
      return shared.get();
    }
    DriverDetection.Named named = DriverDetection.find(name, options);
    if (named.options() == options) {
      return openNew(stores, name, options, wrap);
    }
    return shared(stores, named.name(), named.options())
        .orElseGet(() -> openNew(stores, named.name(), named.options(), wrap));
  }

  /** Returns the file of that name if it is open, and adds an opener. */
  private Optional<T> shared(StoreFactory stores, String name, OpenOptions options) {
    Open<T> known = stores.identity(name, options).map(byIdentity::get).orElse(null);
    if (known == null) {
      return Optional.empty();
    }
    if (options.writable() && !known.file.writable()) {
      throw new InvalidUseException(
          "open for editing: actual=already open for reading, expected=not open, at="
              + RemoteStores.shown(name)
              + CLOSE_FIRST);
    }
    known.openers++;
    return Optional.of(known.wrapped);
  }

  private T openNew(
      StoreFactory stores, String name, OpenOptions options, Function<NativeFile, T> wrap) {
    ByteStore store = stores.open(name, options);
    try {
      long number = NUMBERS.getAndIncrement();
      boolean follows = options.swmr() && !options.writable();
      NativeFile file =
          follows
              ? ReadRetry.attempt(() -> open(store, options, number))
              : open(store, options, number);
      return remember(stores.identity(name, options), file, wrap.apply(file));
    } catch (RuntimeException | Error failure) {
      store.close();
      throw failure;
    }
  }

  /**
   * {@return the byte store of the file of that name}
   *
   * @param name the file's name
   * @param options the options for opening the file
   */
  public static ByteStore openStore(String name, OpenOptions options) {
    return StoreOpener.open(name, options);
  }

  private T remember(Optional<Object> identity, NativeFile file, T wrapped) {
    Object key = identity.orElse(file);
    Open<T> open = new Open<>(key, file, wrapped);
    byIdentity.put(key, open);
    byFile.put(file, open);
    return wrapped;
  }

  /**
   * Opens the file in a store: recovers it if necessary and checks its superblock.
   *
   * @param given the bytes of the file, which may need recovery
   * @param options the options for opening the file
   * @param fileNumber a number that no other open file of the connector has
   * @return the open file
   */
  public static NativeFile open(ByteStore given, OpenOptions options, long fileNumber) {
    KnownProperties.require(options, given.name());
    ByteStore store = recovered(given, options);
    boolean follows = options.swmr() && !options.writable();
    Superblock superblock =
        store instanceof SplitView || follows
            ? SuperblockCodec.readUnchecked(store)
            : SuperblockCodec.read(store);
    superblock = ConsistencyFlags.heeded(store, superblock, options);
    if (store instanceof SplitView) {
      superblock = superblock.withUnsignedAddresses();
    }
    NativeFile file = NativeFile.open(store, superblock, options, policy(options), fileNumber);
    requireFamilyMemberBytes(file);
    Optional<CacheImage> image = CacheImage.find(file, store);
    if (image.isEmpty()) {
      return file;
    }
    NativeFile complete =
        NativeFile.open(
            image.get().complete(store), superblock, options, policy(options), fileNumber);
    if (CacheImage.isRemovedAtOnce(options)) {
      complete.edit(() -> null);
    }
    return complete;
  }

  /**
   * Requires that the members of a family have the size that its driver information records. A
   * single member that is not full can be read with another size, but not extended.
   *
   * @throws InvalidUseException if they have another size
   */
  private static void requireFamilyMemberBytes(NativeFile file) {
    long used = file.familyMemberBytes().orElse(0L);
    if (used == 0 || !file.writable() && file.superblock().endOfFile() <= used) {
      return;
    }
    long stored = file.extension().familyMemberBytes().orElse(used);
    if (used != stored) {
      throw new InvalidUseException(
          "size of a family's members: actual="
              + used
              + " bytes, expected="
              + stored
              + ", at="
              + file.name()
              + "; open it with the property family.memberBytes="
              + stored);
    }
  }

  private static ByteStore recovered(ByteStore store, OpenOptions options) {
    Journal journal = Journal.find(store);
    if (journal == null) {
      return store;
    }
    if (!options.writable()) {
      return journal.overlay();
    }
    journal.apply(true);
    return store;
  }

  /**
   * Creates a file.
   *
   * @param stores opens the byte store of the file
   * @param name the file's name
   * @param options the options for creating the file
   * @param version the version of the superblock
   * @param wrap creates the wrapper and the root group of the new file
   * @return the wrapper of the file
   */
  public synchronized T create(
      StoreFactory stores,
      String name,
      CreateOptions options,
      int version,
      Function<NativeFile, T> wrap) {
    OpenOptions access = options.access().withWritable(true);
    KnownProperties.require(access, RemoteStores.shown(name));
    Optional<Object> identity = stores.identity(name, access);
    if (identity.isPresent() && byIdentity.containsKey(identity.get()) && !options.exclusive()) {
      throw new InvalidUseException(
          "create: actual=the file is open, expected=closed, at=" + name + CLOSE_FIRST);
    }
    checkUserBlock(options.userBlockBytes(), name);
    checkPages(options, name);
    checkSize("offsets", options.sizeOfOffsets(), name);
    checkSize("lengths", options.sizeOfLengths(), name);
    ByteStore store = stores.create(name, access, options.exclusive());
    try {
      NativeFile file = create(store, options, version, NUMBERS.getAndIncrement());
      return remember(stores.identity(name, access), file, wrap.apply(file));
    } catch (RuntimeException | Error failure) {
      store.close();
      throw failure;
    }
  }

  private static void checkSize(String what, int bytes, String name) {
    if (bytes != 2 && bytes != 4 && bytes != 8) {
      throw new InvalidUseException(
          "size of " + what + ": actual=" + bytes + ", expected=2, 4 or 8, at=" + name);
    }
  }

  private static void checkUserBlock(long bytes, String name) {
    if (bytes != 0 && (bytes < 512 || Long.bitCount(bytes) != 1)) {
      throw new InvalidUseException(
          "user block: actual=" + bytes + ", expected=0 or a power of two from 512, at=" + name);
    }
  }

  /**
   * Requires a user block of whole pages, because pages are counted both from its end and from the
   * beginning of the file.
   */
  private static void checkPages(CreateOptions options, String name) {
    SpaceStrategy space = options.space();
    if (space.kind() == SpaceStrategy.Kind.PAGE
        && space.pageBytes() > 0
        && options.userBlockBytes() % space.pageBytes() != 0) {
      throw new InvalidUseException(
          "user block of a paged file: actual="
              + options.userBlockBytes()
              + " bytes, expected=0 or a multiple of the page size "
              + space.pageBytes()
              + ", at="
              + name);
    }
  }

  /**
   * Creates a file in an empty store, without a root group.
   *
   * @param store the store for the bytes of the file
   * @param options the options for creating the file
   * @param version the version of the superblock
   * @param fileNumber a number that no other open file of the connector has
   * @return the new file
   */
  public static NativeFile create(
      ByteStore store, CreateOptions options, int version, long fileNumber) {
    FileGeometry geometry =
        new FileGeometry(store.name(), options.sizeOfOffsets(), options.sizeOfLengths());
    long base = options.userBlockBytes();
    long undefined = FileGeometry.UNDEFINED;
    Superblock superblock =
        version < 2
            ? Superblock.legacy(
                version,
                geometry,
                base,
                base,
                new Superblock.Legacy(
                    options.symbolLeafK(),
                    options.symbolInternalK(),
                    options.chunkInternalK(),
                    undefined,
                    undefined,
                    new SymbolTableEntry(0, undefined, new SymbolTableEntry.Nothing())))
            : Superblock.modern(version, geometry, base, base, undefined);
    superblock = superblock.withEndOfFile(base + superblock.encodedSize());
    superblock =
        superblock.withConsistencyFlags(ConsistencyFlags.whileOpen(store, superblock, false));
    if (store instanceof FamilyStore family && version < 2) {
      superblock = DriverBlock.write(family, superblock);
    }
    return NativeFile.create(
        store, superblock, options.access(), policy(options.access()), fileNumber);
  }

  /**
   * Returns the rules for placing allocations, from the properties {@code alignment}, {@code
   * alignmentThreshold} and {@code metadataBlockBytes}, all in bytes.
   */
  private static SpacePolicy policy(OpenOptions options) {
    long alignment = number(options, "alignment", 1, 1);
    long usual = alignment > 1 ? 1 : Long.MAX_VALUE;
    return new SpacePolicy(
        alignment,
        number(options, "alignmentThreshold", 0, usual),
        0,
        number(options, "metadataBlockBytes", 0, 0));
  }

  private static long number(OpenOptions options, String property, long least, long otherwise) {
    String text = options.properties().get(property);
    try {
      long value = text == null ? otherwise : Long.parseLong(text);
      if (value < least) {
        throw new InvalidUseException(
            property + ": actual=" + text + ", expected=at least " + least);
      }
      return value;
    } catch (NumberFormatException notANumber) {
      throw new InvalidUseException(
          property + ": actual=" + text + ", expected=a number", notANumber);
    }
  }

  /**
   * Releases one opening; the last one flushes and closes the file.
   *
   * @param file the open file
   */
  public synchronized void release(NativeFile file) {
    Open<T> open = byFile.get(file);
    if (open != null && --open.openers == 0) {
      byIdentity.remove(open.identity);
      byFile.remove(file);
      close.accept(open.wrapped);
    }
  }

  /**
   * Adds one opening of an open file and returns its wrapper.
   *
   * @param file the file
   * @return the wrapper; empty if the file is not open here
   */
  public synchronized Optional<T> share(NativeFile file) {
    Optional<Open<T>> open = Optional.ofNullable(byFile.get(file));
    open.ifPresent(known -> known.openers++);
    return open.map(known -> known.wrapped);
  }

  /**
   * Adds one opening of an open file.
   *
   * @param file the open file
   */
  public synchronized void retain(NativeFile file) {
    Objects.requireNonNull(byFile.get(file), "file is not open").openers++;
  }

  /**
   * {@return the number of openers of a file; 0 if it is closed}
   *
   * @param file a file that is or was open
   */
  public synchronized int openers(NativeFile file) {
    Open<T> open = byFile.get(file);
    return open == null ? 0 : open.openers;
  }

  /**
   * Deletes a file that is not open. Only an HDF5 file is deleted.
   *
   * @param name the file's name
   */
  public synchronized void delete(String name) {
    StoreOpener.delete(name);
  }

  /**
   * {@return whether the local file of that name is open}
   *
   * @param name the file's name
   */
  public synchronized boolean isOpen(String name) {
    return StoreOpener.identity(name, OpenOptions.READ).map(byIdentity::containsKey).orElse(false);
  }
}
