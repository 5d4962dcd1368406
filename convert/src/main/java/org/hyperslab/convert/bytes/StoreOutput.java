package org.hyperslab.convert.bytes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.zip.Zip64Mode;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.interchange.json.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * Writes a store: a folder, or a zip archive of uncompressed entries.
 *
 * <p>Thread rule: any thread.
 */
public final class StoreOutput implements AutoCloseable {

  private static final long TIME_OF_ENTRIES =
      315_532_800_000L; // a fixed time in 1980, so that equal inputs give equal bytes

  private final Path path;
  private final @Nullable FileBytes file;
  private final @Nullable ZipArchiveOutputStream zip;

  private StoreOutput(Path path, @Nullable FileBytes file, @Nullable ZipArchiveOutputStream zip) {
    this.path = path;
    this.file = file;
    this.zip = zip;
  }

  /** Creates an empty store, a folder or a zip archive. */
  public static StoreOutput create(Path path, boolean isZip) {
    try {
      if (!isZip) {
        Files.createDirectory(path);
        return new StoreOutput(path, null, null);
      }
      FileBytes file = FileBytes.create(path);
      ZipArchiveOutputStream zip = new ZipArchiveOutputStream(file.channel());
      zip.setUseZip64(Zip64Mode.AsNeeded);
      zip.setMethod(ZipEntry.STORED);
      return new StoreOutput(path, file, zip);
    } catch (IOException failure) {
      throw failed("create", path, failure);
    }
  }

  /** Returns whether the name of an output is that of a zip archive. */
  public static boolean isNamedZip(Path path) {
    return path.toString().toLowerCase(Locale.ROOT).endsWith(".zip");
  }

  private static StorageException failed(String what, Path path, IOException failure) {
    return new StorageException(
        what + ": actual=" + failure + ", expected=success, at=" + path, failure);
  }

  /** Stores the bytes of a key, which must be new and within the store. */
  public void put(String key, byte[] value) {
    if (!ZipInput.isConfined(key)) {
      throw new InvalidUseException(
          "key of Zarr: actual=\"" + key + "\", expected=a key inside the store");
    }
    try {
      if (zip != null) {
        putEntry(zip, key, value);
      } else {
        Path target = path.resolve(key);
        makeFolders(Objects.requireNonNull(target.getParent()));
        Files.write(target, value, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      }
    } catch (IOException failure) {
      throw failed("write", path.resolve(key), failure);
    }
  }

  /** Does not make the store's own folder again, if a command that is interrupted removed it. */
  private void makeFolders(Path folder) throws IOException {
    if (folder.equals(path) || Files.isDirectory(folder)) {
      return;
    }
    makeFolders(Objects.requireNonNull(folder.getParent()));
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException another) {
      return; // another thread made it
    }
  }

  private synchronized void putEntry(ZipArchiveOutputStream zip, String key, byte[] value)
      throws IOException {
    ZipArchiveEntry entry = new ZipArchiveEntry(key);
    entry.setMethod(ZipEntry.STORED);
    entry.setTime(TIME_OF_ENTRIES);
    entry.setSize(value.length);
    zip.putArchiveEntry(entry);
    zip.write(value);
    zip.closeArchiveEntry();
  }

  /** Stores a document at a key. */
  public void putJson(String key, Object json) {
    put(key, JsonText.write(json).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    if (zip == null) {
      return;
    }
    try (file) {
      zip.close();
    } catch (IOException failure) {
      throw failed("close", path, failure);
    }
  }
}
