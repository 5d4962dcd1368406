package org.hyperslab.plugins.nativevol.opening;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.dataset.NativeDataset;
import org.hyperslab.plugins.nativevol.file.NamedFiles;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.group.PathResult;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.storage.SourcePlaces;
import org.hyperslab.plugins.nativevol.store.LocalFiles;
import org.hyperslab.plugins.nativevol.virtual.SourceDatasets;

/**
 * Opens the source datasets of virtual datasets. Their files are searched for at the prefix of
 * {@code HDF5_VDS_PREFIX}, at that of the property {@code virtualPrefix}, beside the file of the
 * virtual dataset, and in the working directory.
 *
 * <p>Sources of files that are open for reading stay open after a read, as in the C library, until
 * their number or the closing of the virtual dataset's file ends that; see {@link KeptSources}.
 *
 * <p>Thread rule: any thread.
 */
public final class OpenedSources implements SourceDatasets {

  private final FileLoader loader;
  private final ExternalFiles links;
  private final KeptSources kept = new KeptSources();

  /**
   * Creates sources; none is open.
   *
   * @param loader opens files
   */
  public OpenedSources(FileLoader loader) {
    this.loader = loader;
    this.links = new ExternalFiles(loader);
  }

  @Override
  public Optional<Source> open(SourcePlaces places, String fileName, String path) {
    if (fileName.equals(".") || places.file().writable()) {
      return openNew(places, fileName, path).map(source -> source);
    }
    KeptSources.Key key = new KeptSources.Key(places, fileName, path);
    Optional<Source> known = kept.find(key);
    return known.isPresent()
        ? known
        : openWithRoom(places, fileName, path)
            .map(source -> source.mayStay() ? kept.keep(key, source, source.files) : source);
  }

  /** Closes the sources that are kept open for later reads and that nobody uses now. */
  void closeUnused() {
    kept.closeUnused();
  }

  /**
   * Notes that an opener has released a file, whose virtual datasets may need no source any more.
   */
  void released(NativeFile file) {
    if (!kept.isEmpty() && loader.openers(file) == kept.openersOf(file)) {
      kept.closeSourcesOf(file);
    }
  }

  /** Opens a source; where the system has no room for it, those that nobody uses make room. */
  private Optional<Opened> openWithRoom(SourcePlaces places, String fileName, String path) {
    try {
      return openNew(places, fileName, path);
    } catch (StorageException failure) {
      if (kept.isEmpty()) {
        throw failure;
      }
      kept.closeUnused();
      return openNew(places, fileName, path);
    }
  }

  private Optional<Opened> openNew(SourcePlaces places, String fileName, String path) {
    List<FileObjects> opened = new ArrayList<>();
    try {
      FileObjects file = file(places, fileName);
      opened.add(file);
      return Optional.of(new Opened(follow(file, path, opened), opened));
    } catch (NotFoundException missing) {
      opened.forEach(loader::release);
      return Optional.empty();
    } catch (RuntimeException failure) {
      opened.forEach(loader::release);
      throw failure;
    }
  }

  private FileObjects file(SourcePlaces places, String fileName) {
    NativeFile from = places.file();
    if (fileName.equals(".")) {
      return loader.open(from);
    }
    for (Path place : places.ofSource(fileName)) {
      if (LocalFiles.of(from.options()).exists(place)) {
        return open(place.toString(), from.options());
      }
    }
    if (NamedFiles.mayBeOutside(from, fileName)) {
      // What is missing reads as the fill value, but not what is withheld.
      throw new StorageException(
          "source of a virtual dataset: actual="
              + fileName
              + " outside the folder to which files are confined, expected=below it, at="
              + from.name());
    }
    throw new NotFoundException(
        "source of a virtual dataset: actual=not found, expected="
            + fileName
            + ", at="
            + from.name());
  }

  /** Opens a source for editing if it permits that, otherwise for reading. */
  private FileObjects open(String name, OpenOptions options) {
    try {
      return loader.open(name, options);
    } catch (StorageException | InvalidUseException refused) {
      if (!options.writable()) {
        throw refused;
      }
      return loader.open(name, options.withWritable(false));
    }
  }

  private NativeDataset follow(FileObjects file, String path, List<FileObjects> opened) {
    FileObjects at = file;
    String rest = path;
    int followed = 0;
    while (true) {
      FileObjects here = at;
      String from = rest;
      int linksFollowed = followed;
      PathResult step =
          here.file().read(() -> here.paths().object(here.root(), from, linksFollowed));
      if (!(step instanceof PathResult.InOtherFile elsewhere)) {
        long address = ((PathResult.Reached) step).address();
        return here.file()
            .read(() -> {
              here.headers().open(address, ObjectKind.DATASET);
              return here.datasets().at(address);
            });
      }
      at = links.open(here.file(), elsewhere.fileName(), here.file().writable());
      opened.add(at);
      rest = elsewhere.path();
      followed = elsewhere.linksFollowed();
    }
  }

  private final class Opened implements Source {
    private final NativeDataset dataset;
    private final List<FileObjects> files;

    Opened(NativeDataset dataset, List<FileObjects> files) {
      this.dataset = dataset;
      this.files = files;
    }

    /**
     * Returns whether the source may stay open: nothing that it would keep others from doing is
     * done through it, and it has no sources of its own.
     */
    private boolean mayStay() {
      return files.stream().noneMatch(file -> file.file().writable())
          && !(dataset.description().layout().layout() instanceof DataLayoutMessage.Virtual);
    }

    @Override
    public NativeDataset dataset() {
      return dataset;
    }

    @Override
    public void close() {
      files.forEach(loader::release);
    }
  }
}
