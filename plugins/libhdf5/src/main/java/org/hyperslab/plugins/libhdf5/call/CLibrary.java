package org.hyperslab.plugins.libhdf5.call;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.DurableFile;

/**
 * A shared library that the C compiler of this machine builds from sources: {@code $CC}, gcc or cc.
 * It is built once for each text of its sources, in a folder whose name identifies them.
 *
 * <p>Thread rule: confined to one thread; several processes may build the same library at once.
 */
public final class CLibrary {

  private static final int MAX_SECONDS = 120;

  private final String what;
  private final String fileName;
  private final List<Path> includes;
  private final Map<String, String> sources = new TreeMap<>();
  private final Map<String, String> beside = new TreeMap<>();

  /**
   * Describes a library without sources.
   *
   * @param what the name that its folder begins with
   * @param fileName the name of the library's file
   * @param includes the folders of headers
   */
  public CLibrary(String what, String fileName, List<Path> includes) {
    this.what = what;
    this.fileName = fileName;
    this.includes = List.copyOf(includes);
  }

  /**
   * Adds a source, which is compiled if its name ends in {@code .c}.
   *
   * @param name the name of its file
   * @param text the content
   * @return this
   */
  public CLibrary with(String name, String text) {
    sources.put(name, text);
    return this;
  }

  /**
   * Adds a file that is put beside the library.
   *
   * @param name its name
   * @param text the content
   * @return this
   */
  public CLibrary beside(String name, String text) {
    beside.put(name, text);
    return this;
  }

  /**
   * Builds the library, unless it exists, in a folder whose name identifies what it is made of.
   *
   * @param folder the folder in which the library's folder is created
   * @return the library's folder
   * @throws NotFoundException if there is no C compiler
   * @throws InvalidUseException if the compiler fails
   * @throws StorageException if files cannot be written
   */
  public Path build(Path folder) {
    Path place = folder.toAbsolutePath().resolve(what + "-" + hash());
    return Files.isReadable(place.resolve(fileName)) ? place : buildIn(place);
  }

  /**
   * Builds the library in a given folder, in place of one that is there.
   *
   * @param place the library's folder
   * @return the folder
   * @throws NotFoundException if there is no C compiler
   * @throws InvalidUseException if the compiler fails
   * @throws StorageException if files cannot be written
   */
  public Path buildIn(Path place) {
    try {
      Files.createDirectories(place);
      Path work = Files.createTempDirectory(place.getParent(), "building-");
      try {
        for (Map.Entry<String, String> source : sources.entrySet()) {
          Files.writeString(work.resolve(source.getKey()), source.getValue());
        }
        compile(work);
        for (Map.Entry<String, String> other : beside.entrySet()) {
          Path written = Files.writeString(work.resolve(other.getKey()), other.getValue());
          move(written, place);
        }
        // The library last: it is complete once it is there.
        move(work.resolve(fileName), place);
      } finally {
        delete(work);
      }
    } catch (IOException e) {
      throw new StorageException(what + ": actual=" + e + ", expected=built, at=" + place, e);
    }
    return place;
  }

  private static void move(Path file, Path place) throws IOException {
    DurableFile.replace(file, place.resolve(file.getFileName()));
  }

  private String hash() {
    CRC32 sum = new CRC32();
    sources.values().forEach(text -> sum.update(text.getBytes(StandardCharsets.UTF_8)));
    beside.values().forEach(text -> sum.update(text.getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().toHexDigits((int) sum.getValue());
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  private void compile(Path work) throws IOException {
    Process process =
        new ProcessBuilder(command())
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(work.resolve("compiler.log").toFile())
            .start();
    try {
      if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new InvalidUseException(
            "C compiler: actual=still running after " + MAX_SECONDS + " s, expected=done");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InvalidUseException("C compiler: actual=interrupted, expected=done", e);
    }
    if (process.exitValue() != 0) {
      throw new InvalidUseException(
          "C compiler: actual=exit code "
              + process.exitValue()
              + ", expected=0; its output: "
              + Files.readString(work.resolve("compiler.log")).strip());
    }
  }

  private List<String> command() {
    List<String> words = new ArrayList<>(List.of(compiler(), "-O2", "-shared", "-fPIC"));
    includes.forEach(include -> words.add("-I" + include));
    words.addAll(List.of("-o", fileName));
    sources.keySet().stream().filter(name -> name.endsWith(".c")).forEach(words::add);
    words.addAll(List.of("-ldl", "-lpthread"));
    return words;
  }

  private static String compiler() {
    String chosen = System.getenv("CC");
    List<String> wanted =
        chosen == null || chosen.isBlank() ? List.of("gcc", "cc") : List.of(chosen.strip());
    for (String name : wanted) {
      if (name.contains("/") ? Files.isExecutable(Path.of(name)) : onPath(name)) {
        return name;
      }
    }
    throw new NotFoundException(
        "C compiler: actual=none of "
            + String.join(", ", wanted)
            + ", expected=one on the PATH; install gcc, or name one with CC");
  }

  private static boolean onPath(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String folder : path.split(":")) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
        return true;
      }
    }
    return false;
  }
}
