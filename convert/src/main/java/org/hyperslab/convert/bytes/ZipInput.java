package org.hyperslab.convert.bytes;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a zip archive of stored and deflated entries. Refuses names outside the folder, overlapping
 * entries, wrong checksums, and archives that expand beyond a limit. A deflated entry is expanded
 * to a temporary file when it is first opened; closing the archive deletes the file.
 *
 * <p>Thread rule: opened entries may be read by any thread; all else by one thread at a time.
 */
public final class ZipInput implements AutoCloseable {

  private static final int MAX_ENTRIES = 1_000_000;
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path path;
  private final FileBytes file;
  private final ZipFile zip;
  private final Map<String, ZipArchiveEntry> entries = new LinkedHashMap<>();
  private final Map<String, InputBytes> opened = new LinkedHashMap<>();
  private final List<FileBytes> expanded = new ArrayList<>();
  private long expandableBytes;

  /**
   * Opens an archive.
   *
   * @param path the archive
   * @param expandableBytes the maximum total size of its inflated entries, in bytes
   * @throws CorruptFileException if the archive is damaged, or a name is outside its folder
   */
  public ZipInput(Path path, long expandableBytes) {
    this.path = path;
    this.expandableBytes = expandableBytes;
    this.file = FileBytes.open(path);
    ZipFile archive = null;
    try {
      archive = ZipFile.builder().setPath(path).get();
      this.zip = archive;
      for (ZipArchiveEntry entry : Collections.list(archive.getEntries())) {
        add(entry);
      }
      requireApart();
    } catch (IOException | IllegalArgumentException failure) {
      closeQuietly(archive);
      throw corrupt("zip archive", "actual=" + failure + ", expected=a zip archive", failure);
    } catch (RuntimeException | Error failure) {
      closeQuietly(archive);
      throw failure;
    }
  }

  private void closeQuietly(@Nullable ZipFile archive) {
    try {
      file.close();
      if (archive != null) {
        archive.close();
      }
    } catch (IOException _) {
      // the exception is more precise
    }
  }

  private CorruptFileException corrupt(
      String structure, String problem, @Nullable Exception cause) {
    return new CorruptFileException(
        path.toString(), structure, CorruptFileException.NO_OFFSET, problem, cause);
  }

  private void add(ZipArchiveEntry entry) {
    String name = entry.getName();
    if (entries.size() >= MAX_ENTRIES) {
      throw corrupt("zip archive", "actual=more entries, expected<=" + MAX_ENTRIES, null);
    }
    if (!isConfined(name)) {
      throw corrupt(
          "zip entry name", "actual=\"" + name + "\", expected=a path inside a folder", null);
    }
    if (entry.isDirectory()) {
      return;
    }
    if (entries.put(name, entry) != null) {
      throw corrupt("zip entry name", "actual=\"" + name + "\" twice, expected once", null);
    }
  }

  /**
   * Says whether a name with slashes stays inside the folder that it is resolved in.
   *
   * @param name parts separated by slashes
   * @return false if it is absolute, also on Windows, or has a part that is empty, "." or ".."
   */
  public static boolean isConfined(String name) {
    String inner = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
    return !inner.isEmpty()
        && inner.indexOf('\\') < 0
        && inner.indexOf('\0') < 0
        && !inner.matches(File.separatorChar == '/' ? "[A-Za-z]:/.*" : "[A-Za-z]:.*")
        && Arrays.stream(inner.split("/", -1))
            .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
  }

  /**
   * Refuses a name to write that leads out of its folder.
   *
   * @param name parts separated by slashes
   * @return the name
   * @throws UnsupportedFeatureException if it is not confined
   */
  public static String requireConfined(String name) {
    if (!isConfined(name)) {
      throw new UnsupportedFeatureException(
          "name in an archive or folder: actual=\""
              + name
              + "\", expected=a path inside the output, without parts such as ..; rename the object"
              + " or choose another with --path");
    }
    return name;
  }

  private void requireApart() {
    List<ZipArchiveEntry> sorted = new ArrayList<>(entries.values());
    sorted.sort(Comparator.comparingLong(ZipArchiveEntry::getLocalHeaderOffset));
    long end = 0;
    for (ZipArchiveEntry entry : sorted) {
      if (entry.getLocalHeaderOffset() < end || entry.getCompressedSize() < 0) {
        throw corrupt("zip entries", "actual=overlapping, expected=apart", null);
      }
      end = Math.addExact(entry.getLocalHeaderOffset(), entry.getCompressedSize());
    }
    if (end > file.size()) {
      throw corrupt("zip entry", "actual=ends at " + end + ", expected<=" + file.size(), null);
    }
  }

  /**
   * Returns the names of all entries that are not folders.
   *
   * @return the names in the archive's order
   */
  public List<String> names() {
    return List.copyOf(entries.keySet());
  }

  /**
   * Returns the size of an entry in the archive.
   *
   * @param name the name of an existing entry
   * @return its size in bytes, as it is compressed
   */
  long encodedBytes(String name) {
    return Objects.requireNonNull(entries.get(name), name).getCompressedSize();
  }

  /**
   * Opens an entry.
   *
   * @param name its name
   * @return its bytes, expanded; empty if there is none
   * @throws CorruptFileException if its checksum differs
   * @throws UnsupportedFeatureException if it is encrypted, compressed otherwise than by deflate,
   *     or expands beyond the limit
   */
  public synchronized Optional<InputBytes> open(String name) {
    InputBytes already = opened.get(name);
    ZipArchiveEntry entry = entries.get(name);
    if (already != null || entry == null) {
      return Optional.ofNullable(already);
    }
    try {
      InputBytes bytes = open(entry);
      opened.put(name, bytes);
      return Optional.of(bytes);
    } catch (IOException | IllegalArgumentException failure) {
      throw corrupt(
          "zip entry \"" + name + "\"",
          "actual=" + failure + ", expected=entry of a zip archive",
          failure);
    }
  }

  private InputBytes open(ZipArchiveEntry entry) throws IOException {
    String name = path + "!" + entry.getName();
    boolean stored = entry.getMethod() == ZipEntry.STORED;
    if (entry.getGeneralPurposeBit().usesEncryption()
        || (!stored && entry.getMethod() != ZipEntry.DEFLATED)) {
      throw new UnsupportedFeatureException(
          "zip entry: actual=method "
              + entry.getMethod()
              + (entry.getGeneralPurposeBit().usesEncryption() ? ", encrypted" : "")
              + ", expected=stored or deflated, at="
              + name);
    }
    if (stored) {
      if (entry.getSize() != entry.getCompressedSize()) {
        throw corrupt("zip entry", "actual=two sizes, expected=one, at=" + name, null);
      }
      // asking for the stream makes the library read the local header
      try (InputStream _ = zip.getRawInputStream(entry)) {
        InputBytes bytes = file.slice(entry.getDataOffset(), entry.getSize(), name);
        requireChecksum(bytes, entry);
        return bytes;
      }
    }
    return expand(entry, name);
  }

  private void requireChecksum(InputBytes bytes, ZipArchiveEntry entry) {
    CRC32 checksum = new CRC32();
    byte[] buffer = new byte[BUFFER_BYTES];
    for (long at = 0; at < bytes.size(); at += buffer.length) {
      int count = (int) Math.min(buffer.length, bytes.size() - at);
      bytes.read(at, MemorySegment.ofArray(buffer).asSlice(0, count));
      checksum.update(buffer, 0, count);
    }
    requireChecksum(checksum.getValue(), entry, bytes.name());
  }

  private void requireChecksum(long actual, ZipArchiveEntry entry, String name) {
    if (actual != entry.getCrc()) {
      throw corrupt(
          "zip entry checksum",
          "actual=" + actual + ", expected=" + entry.getCrc() + ", at=" + name,
          null);
    }
  }

  private InputBytes expand(ZipArchiveEntry entry, String name) throws IOException {
    if (entry.getSize() < 0 || entry.getSize() > expandableBytes) {
      throw new UnsupportedFeatureException(
          "zip entry: actual=expands to "
              + entry.getSize()
              + " bytes, expected<="
              + expandableBytes
              + "; --max-expanded raises the limit, at="
              + name);
    }
    expandableBytes -= entry.getSize();
    FileBytes out = FileBytes.temporary(name);
    expanded.add(out);
    try (InputStream in = ZlibStreams.here().inflateRaw(zip.getRawInputStream(entry))) {
      copy(in, out, entry, name);
      return out.slice(0, entry.getSize(), name);
    }
  }

  private void copy(InputStream in, FileBytes out, ZipArchiveEntry entry, String name)
      throws IOException {
    CRC32 checksum = new CRC32();
    byte[] buffer = new byte[BUFFER_BYTES];
    long at = 0;
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      if (count > entry.getSize() - at) {
        throw corrupt(
            "zip entry", "actual=longer than " + entry.getSize() + " bytes, at=" + name, null);
      }
      out.write(at, MemorySegment.ofArray(buffer).asSlice(0, count));
      checksum.update(buffer, 0, count);
      at += count;
    }
    requireChecksum(checksum.getValue(), entry, name);
  }

  @Override
  public void close() {
    expanded.forEach(FileBytes::close);
    closeQuietly(zip);
  }
}
