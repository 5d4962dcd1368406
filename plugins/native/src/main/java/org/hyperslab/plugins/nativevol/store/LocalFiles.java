package org.hyperslab.plugins.nativevol.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.ConfinedFolder;
import org.hyperslab.format.store.FamilyStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileLocking;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.LocalPaths;
import org.hyperslab.model.OpenOptions;

/**
 * The files of this machine that an opening may access: all of them, or those below the folder that
 * it is confined to. The engine opens and searches for every file whose name comes from a user or
 * from a file through this class.
 *
 * <p>Thread rule: immutable.
 */
public final class LocalFiles {

  /**
   * The property of an opening that confines it, and the files that its file names, to a folder:
   * files outside are reported as not found.
   */
  public static final String CONFINED_TO = "confinedTo";

  /** The property that names folders below that folder that are excluded. */
  public static final String APART = "confinedTo.apart";

  private final Optional<ConfinedFolder> within;

  private LocalFiles(Optional<ConfinedFolder> within) {
    this.within = within;
  }

  /**
   * {@return the files that an opening with these options may access}
   *
   * @param options the options of the opening
   */
  public static LocalFiles of(OpenOptions options) {
    return new LocalFiles(
        Optional.ofNullable(options.properties().get(CONFINED_TO))
            .map(root ->
                new ConfinedFolder(
                    LocalPaths.of(root), options.properties().getOrDefault(APART, ""))));
  }

  /** Returns whether only files below a folder can be accessed. */
  boolean areConfined() {
    return within.isPresent();
  }

  /**
   * Opens a file without a lock, like {@link FileStore#open}.
   *
   * @param path the file
   * @param access the mode of access
   * @return the opened file
   */
  public FileStore open(Path path, FileAccess access) {
    return open(path, access, FileLocking.NONE);
  }

  FileStore open(Path path, FileAccess access, FileLocking lock) {
    return FileStore.open(path, access, lock, within);
  }

  ByteStore family(String pattern, long memberBytes, FileAccess access) {
    return FamilyStore.open(pattern, memberBytes, access, within);
  }

  /**
   * {@return whether a file of that name exists and may be accessed}
   *
   * @param path the file
   */
  public boolean exists(Path path) {
    return within.map(folder -> folder.exists(path)).orElseGet(() -> Files.exists(path));
  }

  boolean isRegularFile(Path path) {
    return exists(path) && Files.isRegularFile(path);
  }

  /**
   * {@return the places that may be accessed, in the same order, whether or not a file is there}
   *
   * @param places the paths, in order of preference
   */
  public List<Path> reachable(List<Path> places) {
    return within.isEmpty()
        ? places
        : places.stream().filter(place -> within.get().reach(place).isPresent()).toList();
  }
}
