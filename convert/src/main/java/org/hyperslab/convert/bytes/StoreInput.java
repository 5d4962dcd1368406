package org.hyperslab.convert.bytes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.interchange.json.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys and values of a store: the files of a folder, or the entries of a zip archive. All
 * keys are listed when the store is opened, and no other key is looked up, so that no name refers
 * to a file outside the store, nor does a symbolic link.
 *
 * <p>Thread rule: any thread.
 */
public final class StoreInput implements AutoCloseable {

  private static final int MAX_JSON_BYTES = 64 << 20;

  private final Path path;
  private final @Nullable ZipInput zip;

  /** The keys, with their files if the store is a folder. */
  private final TreeMap<String, Path> keys = new TreeMap<>();

  private StoreInput(Path path, @Nullable ZipInput zip) {
    this.path = path;
    this.zip = zip;
  }

  /** Opens a store, a folder or a zip archive that may have so many bytes when expanded. */
  public static StoreInput open(Path path, long expandedBytes) {
    if (!Files.isDirectory(path)) {
      ZipInput zip = new ZipInput(path, expandedBytes);
      StoreInput store = new StoreInput(path, zip);
      zip.names().forEach(name -> store.keys.put(name, path));
      return store;
    }
    StoreInput store = new StoreInput(path, null);
    try (Stream<Path> all = Files.walk(path)) {
      for (Path file : (Iterable<Path>) all.filter(each -> store.isPlain(each))::iterator) {
        store.keys.put(path.relativize(file).toString().replace(File.separatorChar, '/'), file);
      }
    } catch (IOException failure) {
      throw new StorageException(
          "list: actual=" + failure + ", expected=success, at=" + path, failure);
    }
    return store;
  }

  /**
   * Returns whether a path is a file. Links that lead out of the store are refused: following them
   * could reveal other files, and without them chunks would seem to be missing.
   */
  private boolean isPlain(Path file) {
    if (!Files.isSymbolicLink(file)) {
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }
    try {
      if (Files.isRegularFile(file) && file.toRealPath().startsWith(path.toRealPath())) {
        return true;
      }
      throw new UnsupportedFeatureException(
          "symbolic link: actual=a link to "
              + Files.readSymbolicLink(file)
              + ", expected=a file or folder in the store; copy the store so that links are"
              + " followed (cp -rL), at="
              + file);
    } catch (IOException failure) {
      throw FileBytes.failed("read the link", file, failure);
    }
  }

  /** Returns whether the store has a key. */
  public boolean has(String key) {
    return keys.containsKey(key);
  }

  /** Returns the path of the store, for messages. */
  public String name() {
    return path.toString();
  }

  /** Returns the keys with a prefix, in order. */
  public List<String> keys(String prefix) {
    List<String> found = new ArrayList<>();
    for (String key : keys.tailMap(prefix).keySet()) {
      if (!key.startsWith(prefix)) {
        break;
      }
      found.add(key);
    }
    return found;
  }

  /** Returns the size of an existing key's value in bytes, as it is in the folder or archive. */
  public long encodedBytes(String key) {
    return zip != null ? zip.encodedBytes(key) : file(key).toFile().length();
  }

  /** Returns a JSON value. */
  public Optional<Map<?, ?>> json(String key) {
    if (!keys.containsKey(key)) {
      return Optional.empty();
    }
    try (Value value = value(key)) {
      if (value.bytes.size() > MAX_JSON_BYTES) {
        throw new CorruptFileException(
            name() + "/" + key,
            "JSON",
            0,
            "actual=" + value.bytes.size() + " bytes, expected<=" + MAX_JSON_BYTES);
      }
      byte[] utf8 = value.bytes.read(0, (int) value.bytes.size());
      Object parsed = JsonText.parse(NameBytes.decode(utf8), name() + "/" + key);
      if (!(parsed instanceof Map<?, ?> object)) {
        throw new CorruptFileException(
            name() + "/" + key, "JSON", 0, "actual=not an object, expected=an object");
      }
      return Optional.of(object);
    }
  }

  /**
   * An open value.
   *
   * @param bytes the value
   * @param file the file to close with the value, or null
   */
  public record Value(InputBytes bytes, @Nullable FileBytes file) implements AutoCloseable {
    @Override
    public void close() {
      if (file != null) {
        file.close();
      }
    }
  }

  private Path file(String key) {
    return Objects.requireNonNull(keys.get(key), key);
  }

  /** Opens the value of an existing key. */
  public Value value(String key) {
    if (zip != null) {
      return new Value(zip.open(key).orElseThrow(), null);
    }
    FileBytes file = FileBytes.open(file(key));
    return new Value(file, file);
  }

  @Override
  public void close() {
    if (zip != null) {
      zip.close();
    }
  }
}
