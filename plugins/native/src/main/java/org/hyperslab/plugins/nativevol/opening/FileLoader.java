package org.hyperslab.plugins.nativevol.opening;

import org.hyperslab.format.header.BTreeKValuesMessage;
import org.hyperslab.format.header.LibraryVersion;
import org.hyperslab.format.header.VersionBounds;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.plugins.nativevol.file.FileSettings;
import org.hyperslab.plugins.nativevol.file.FileTable;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.file.SuperblockExtension;
import org.hyperslab.plugins.nativevol.group.SymbolTableLinks;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.store.StoreFactory;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;

/**
 * Opens and creates files: reads the superblock extension, creates the root group, and chooses the
 * generation of structures.
 *
 * <p>With the default bounds, {@link FormatVersion#EARLIEST} to {@link FormatVersion#V110}, this
 * class chooses: a new file gets a version 2 superblock, version 2 object headers and the chunk
 * indexes of 1.10, which HDF5 1.10 and later read and which are the fastest and the only ones with
 * checksums; an existing file keeps the generation that its superblock shows. Any other bounds
 * apply as in the HDF5 library: the lower bound is the generation of added structures.
 *
 * <p>Thread rule: any thread.
 */
public final class FileLoader {

  private final StoreFactory stores;
  private final FileTable<FileObjects> files;
  private final OpenedSources sources;
  private final TransferResources resources;

  /**
   * Creates a loader of local files.
   *
   * @param resources the threads and buffers to use
   */
  public FileLoader(TransferResources resources) {
    this(StoreFactory.standard(), resources);
  }

  /**
   * Creates a loader of the files of some stores.
   *
   * @param stores opens the byte stores of files
   * @param resources the threads and buffers to use
   */
  public FileLoader(StoreFactory stores, TransferResources resources) {
    this.stores = stores;
    this.files = new FileTable<>(FileObjects::close);
    this.sources = new OpenedSources(this);
    this.resources = resources;
  }

  private FileLoader(
      StoreFactory stores,
      FileTable<FileObjects> files,
      OpenedSources sources,
      TransferResources resources) {
    this.stores = stores;
    this.files = files;
    this.sources = sources;
    this.resources = resources;
  }

  /**
   * Returns a loader of the files of other stores, which shares open files with this one.
   *
   * @param others opens the byte stores of files
   * @return the loader
   */
  public FileLoader over(StoreFactory others) {
    return new FileLoader(others, files, sources, resources);
  }

  /**
   * Opens a file, or shares it if it is already open. The caller releases it.
   *
   * @param name the file's name
   * @param options the options for opening the file
   * @return the objects of the file
   */
  public FileObjects open(String name, OpenOptions options) {
    if (options.writable()) {
      sources.closeUnused(); // which may be kept open for reading
    }
    return files.open(stores, name, options, file -> wrap(file, options));
  }

  /**
   * Opens a file that is open once more. The caller releases it.
   *
   * @param file the file
   * @return the objects of the file
   */
  public FileObjects open(NativeFile file) {
    return files.share(file).orElseGet(() -> open(file.name(), file.options()));
  }

  /**
   * Creates a file. The caller releases it.
   *
   * @param name the file's name
   * @param options the options for creating the file
   * @return the objects of the new file
   */
  public FileObjects create(String name, CreateOptions options) {
    sources.closeUnused();
    return files.create(
        stores, name, options, superblockVersion(options), file -> wrapNew(file, options));
  }

  /**
   * Opens the file in a store that the caller provides, recovering it if necessary. The file is not
   * shared, and {@link FileObjects#close} closes the store.
   *
   * @param store holds the bytes of the file
   * @param options the options for opening the file
   * @return the objects of the file
   */
  public FileObjects open(ByteStore store, OpenOptions options) {
    return wrap(FileTable.open(store, options, 0), options);
  }

  /**
   * Creates a file in an empty store that the caller provides. The file is not shared.
   *
   * @param store the store for the bytes of the file
   * @param options the options for creating the file
   * @return the objects of the new file
   */
  public FileObjects create(ByteStore store, CreateOptions options) {
    return wrapNew(FileTable.create(store, options, superblockVersion(options), 0), options);
  }

  /**
   * {@return the byte store of a file, opened by name and not shared}
   *
   * @param name the file's name
   * @param options the options for opening the file
   */
  public static ByteStore openStore(String name, OpenOptions options) {
    return FileTable.openStore(name, options);
  }

  /**
   * Releases one opening of a file.
   *
   * @param objects the objects of the open file
   */
  public void release(FileObjects objects) {
    files.release(objects.file());
    sources.released(objects.file());
  }

  /**
   * {@return the number of openers of a file}
   *
   * @param file the file
   */
  public int openers(NativeFile file) {
    return files.openers(file);
  }

  /**
   * Adds one opening of a file.
   *
   * @param objects the objects of the open file
   */
  public void retain(FileObjects objects) {
    files.retain(objects.file());
  }

  /**
   * Deletes a file that is not open.
   *
   * @param name the file's name
   */
  public void delete(String name) {
    sources.closeUnused();
    files.delete(name);
  }

  /**
   * {@return whether the local file of that name is open}
   *
   * @param name the file's name
   */
  public boolean isOpen(String name) {
    sources.closeUnused();
    return files.isOpen(name);
  }

  private static boolean isDefault(OpenOptions options) {
    return options.low() == FormatVersion.EARLIEST && options.high() == FormatVersion.V110;
  }

  private static int superblockVersion(CreateOptions options) {
    VersionBounds bounds = bounds(options.access());
    boolean strategy = !options.space().equals(SpaceStrategy.DEFAULT);
    if (strategy) {
      bounds.require("a strategy for file space", LibraryVersion.V110);
    }
    if (options.access().swmr()) {
      bounds.require("SWMR access", LibraryVersion.V110);
      return 3;
    }
    if (isDefault(options.access())) {
      return 2;
    }
    int version = bounds.low().superblock();
    if (strategy) {
      return Math.max(2, version);
    }
    boolean plainK = options.chunkInternalK() == Superblock.DEFAULT_CHUNK_INTERNAL_K;
    return version == 0 && !plainK ? 1 : version;
  }

  private static VersionBounds bounds(OpenOptions options) {
    return new VersionBounds(format(options.low()), format(options.high()));
  }

  private static LibraryVersion format(FormatVersion version) {
    return switch (version) {
      case EARLIEST -> LibraryVersion.EARLIEST;
      case V18 -> LibraryVersion.V18;
      case V110 -> LibraryVersion.V110;
      case V112 -> LibraryVersion.V112;
      case V114 -> LibraryVersion.V114;
      case V200 -> LibraryVersion.V200;
    };
  }

  /** Returns the generation of objects added to a file with the default bounds. */
  private static LibraryVersion natural(int superblockVersion) {
    return superblockVersion < 2 ? LibraryVersion.EARLIEST : LibraryVersion.V110;
  }

  private FileObjects wrap(NativeFile file, OpenOptions options) {
    SuperblockExtension extension = file.extension();
    SpaceStrategy space = extension.spaceStrategy();
    if (space.kind() == SpaceStrategy.Kind.PAGE) {
      file.setPageBytes(space.pageBytes());
    }
    return new FileObjects(
        file,
        settings(file.superblock().version(), options, extension.kValues(file.superblock()), space),
        sources,
        resources);
  }

  private static FileSettings settings(
      int version, OpenOptions options, BTreeKValuesMessage k, SpaceStrategy space) {
    return new FileSettings(
        k.groupLeafK(),
        k.groupInternalK(),
        k.chunkInternalK(),
        space,
        isDefault(options) ? natural(version) : format(options.low()),
        format(options.high()));
  }

  private FileObjects wrapNew(NativeFile file, CreateOptions options) {
    BTreeKValuesMessage k =
        new BTreeKValuesMessage(
            options.chunkInternalK(), options.symbolInternalK(), options.symbolLeafK());
    if (options.space().kind() == SpaceStrategy.Kind.PAGE) {
      file.setPageBytes(options.space().pageBytes());
    }
    FileObjects objects =
        new FileObjects(
            file,
            settings(file.superblock().version(), options.access(), k, options.space()),
            sources,
            resources);
    return file.edit(() -> {
      file.createExtension(options);
      long root = objects.groups().create(options.root());
      file.setRoot(root, SymbolTableLinks.cache(objects.headers(), root));
      return objects;
    });
  }
}
