package org.hyperslab.format.filter.coder;

import io.airlift.compress.v3.deflate.DeflateNativeDecompressor;
import io.airlift.compress.v3.lz4.Lz4NativeCompressor;
import io.airlift.compress.v3.snappy.SnappyNativeCompressor;
import io.airlift.compress.v3.zstd.ZstdNativeCompressor;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.hyperslab.format.memory.JvmDefects;

/**
 * The native libraries that the aircompressor library contains. It copies each to a file and loads
 * that. Here the file is in a folder of this process, and is removed as soon as it is loaded, so
 * that nothing is left when a process is killed.
 *
 * <p>The property {@value #PROPERTY} keeps libraries out of the process: {@code none} all of them,
 * {@code deflate} all but libdeflate. The system's linker would bind their symbols to those of
 * another library of the same name that the process contains.
 *
 * <p>Thread rule: any thread.
 */
enum NativeLibrary {
  /** The library libdeflate. */
  DEFLATE(DeflateNativeDecompressor::isEnabled),
  /** The library liblz4. */
  LZ4(Lz4NativeCompressor::isEnabled),
  /** The library libsnappy. */
  SNAPPY(SnappyNativeCompressor::isEnabled),
  /** The library libzstd. */
  ZSTD(ZstdNativeCompressor::isEnabled);

  /** The property that says which libraries may be loaded. */
  static final String PROPERTY = "hyperslab.filter.native";

  /** The property that aircompressor reads once, when it is first used. */
  private static final String FOLDER_PROPERTY = "aircompressor.tmpdir";

  private final BooleanSupplier load;

  /** Null until the library is first asked for. */
  private Boolean loaded;

  NativeLibrary(BooleanSupplier load) {
    this.load = load;
  }

  /**
   * Loads the library if it is not; returns whether it may be called. False if it does not support
   * this machine, native access is disabled, or the JVM moves arrays that are passed to it.
   */
  boolean isLoaded() {
    synchronized (NativeLibrary.class) {
      if (loaded == null) {
        loaded = isPermitted() && isLoadedFrom(Folder.PATH);
      }
      return loaded;
    }
  }

  private boolean isPermitted() {
    return switch (System.getProperty(PROPERTY, "all")) {
          case "none" -> false;
          case "deflate" -> this == DEFLATE;
          default -> true;
        }
        && DeflateNativeDecompressor.class.getModule().isNativeAccessEnabled()
        && !JvmDefects.movesPinnedArrays();
  }

  private boolean isLoadedFrom(Path folder) {
    try {
      Files.createDirectory(folder);
      try {
        return load.getAsBoolean();
      } finally {
        delete(folder);
      }
    } catch (IOException noFolder) {
      return false; // the coders in Java need none
    }
  }

  private static void delete(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  /** The folder for the files. */
  private static final class Folder {
    static final Path PATH =
        Path.of(System.getProperty("java.io.tmpdir"), "hyperslab-" + UUID.randomUUID())
            .toAbsolutePath();

    static {
      System.setProperty(FOLDER_PROPERTY, PATH.toString());
    }
  }
}
