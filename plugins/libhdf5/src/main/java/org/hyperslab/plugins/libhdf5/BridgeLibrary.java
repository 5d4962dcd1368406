package org.hyperslab.plugins.libhdf5;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.plugins.libhdf5.call.CLibrary;

/**
 * Builds the plugin that libhdf5 (1.14 or 2.x) loads: a small library that creates a JVM in the
 * program's process and forwards every call of the program to a connector of this project.
 *
 * <p>The library is bound to a JDK, a class path and an AOT cache, which a file beside it names. It
 * is built once for each of them, with the C compiler {@code $CC}, gcc or cc, in a folder whose
 * name identifies the settings, or as part of a package that can be copied.
 *
 * <p>Thread rule: any thread; several processes may build the same library at once.
 */
public final class BridgeLibrary {

  private static final String SOURCE = "hyperslab-bridge.c";
  private static final String HEADER = "hyperslab-bridge-config.h";
  private static final String SETTINGS = "hyperslab-bridge.conf";

  /** The oldest JVM that runs this project. */
  private static final int JAVA_VERSION = 25;

  private static final String LIBRARY = "libhyperslab.so";
  private static final String PRELOAD_SOURCE = "hyperslab-preload.c";
  private static final String PRELOAD_LIBRARY = "libhyperslab-preload.so";

  private BridgeLibrary() {}

  /**
   * The settings that a library is bound to.
   *
   * @param javaHome the JDK whose JVM is created
   * @param classPath the class path, with this module, that of the connectors and all they need
   * @param cache an AOT cache made with that class path; empty for none
   */
  public record Binding(Path javaHome, String classPath, Optional<Path> cache) {

    /**
     * {@return the JDK and the class path of this process}
     *
     * @param cache an AOT cache made with that class path; empty for none
     */
    public static Binding ofThisProcess(Optional<Path> cache) {
      return new Binding(
          Path.of(System.getProperty("java.home")), System.getProperty("java.class.path"), cache);
    }

    private Path virtualMachine() {
      return javaHome.resolve("lib").resolve("server").resolve("libjvm.so");
    }
  }

  /**
   * Builds the library, unless it exists.
   *
   * @param folder the folder in which the library's folder is created
   * @param binding the settings that the library is bound to
   * @return the folder to name in {@code HDF5_PLUGIN_PATH}
   * @throws NotFoundException if there is no C compiler, or the JDK has no libjvm.so or jni.h
   * @throws InvalidUseException if the compiler fails
   * @throws StorageException if files cannot be written
   */
  public static Path build(Path folder, Binding binding) {
    return bridge(binding)
        .beside(SETTINGS, settings(binding, UnaryOperator.identity()))
        .build(folder);
  }

  /**
   * Builds both libraries in one folder, which can be moved or copied together with the class path
   * and the cache. The library names these relative to its own folder, and looks for a JVM if the
   * one of the binding is not there.
   *
   * @param place the folder, in which older libraries are replaced
   * @param binding the settings that the library is bound to
   * @return the folder to name in {@code HDF5_PLUGIN_PATH}
   * @throws NotFoundException as for {@link #build}
   * @throws InvalidUseException if the compiler fails
   * @throws StorageException if files cannot be written
   */
  public static Path buildPackage(Path place, Binding binding) {
    Path here = place.toAbsolutePath().normalize();
    preload().buildIn(here);
    return bridge(binding).beside(SETTINGS, settings(binding, here::relativize)).buildIn(here);
  }

  private static CLibrary bridge(Binding binding) {
    if (!Files.isReadable(binding.virtualMachine())) {
      throw new NotFoundException(
          "JVM: actual=no " + binding.virtualMachine() + ", expected=a JDK for Linux");
    }
    Path include = binding.javaHome().resolve("include");
    if (!Files.isReadable(include.resolve("jni.h"))) {
      throw new NotFoundException(
          "jni.h: actual=none under " + include + ", expected=a complete JDK, not just a runtime");
    }
    return new CLibrary("bridge", LIBRARY, List.of(include, include.resolve("linux")))
        .with(SOURCE, source(SOURCE))
        .with(HEADER, header());
  }

  private static CLibrary preload() {
    return new CLibrary("preload", PRELOAD_LIBRARY, List.of())
        .with(PRELOAD_SOURCE, source(PRELOAD_SOURCE));
  }

  /**
   * Builds the library to preload, unless it exists: it answers, for objects of our connectors,
   * functions that libhdf5 answers for its native connector alone, such as {@code H5Literate1} and
   * {@code H5Rcreate}. The JDK's {@code libjsig.so} goes with it: programs that handle signals,
   * such as Python with its fault handler, otherwise take those that the JVM needs.
   *
   * @param folder the folder in which the library's folder is created
   * @param binding whose JDK is used
   * @return the files to name in {@code LD_PRELOAD}, in this order
   * @throws NotFoundException if there is no C compiler
   * @throws InvalidUseException if the compiler fails
   * @throws StorageException if files cannot be written
   */
  public static List<Path> buildPreload(Path folder, Binding binding) {
    return preloadOf(preload().build(folder), binding);
  }

  /**
   * {@return the files of a package to name in {@code LD_PRELOAD}, in this order}
   *
   * @param place the folder that {@link #buildPackage} filled
   * @param binding whose JDK is used
   */
  public static List<Path> preloadOf(Path place, Binding binding) {
    Path library = place.resolve(PRELOAD_LIBRARY);
    Path signals = binding.javaHome().resolve("lib").resolve("libjsig.so");
    return Files.isReadable(signals) ? List.of(library, signals) : List.of(library);
  }

  /**
   * Writes and reads a file by the callbacks that libhdf5 would call, without a libhdf5. An AOT
   * cache that is recorded meanwhile then holds the classes of the bridge, and which of its methods
   * are worth compiling early.
   *
   * @param folder a folder for the file, rehearsal.h5, and for a library with the C part of the
   *     bridge
   * @param datasets the number of small datasets; some thousands show what is called often
   * @throws NotFoundException as for {@link #build}
   * @throws InvalidUseException as for {@link #build}, or if a callback fails
   * @throws UnsupportedFeatureException if the JVM denies native access
   */
  public static void rehearse(Path folder, int datasets) {
    Path plugin = build(folder, Binding.ofThisProcess(Optional.empty()));
    try {
      System.load(plugin.resolve(LIBRARY).toString());
    } catch (IllegalCallerException denied) {
      throw new UnsupportedFeatureException(
          "C part of the bridge: actual=denied by the JVM, expected=--enable-native-access",
          denied);
    }
    new Rehearsal().run(folder.resolve("rehearsal.h5"), datasets);
  }

  private static String source(String name) {
    try (InputStream in = BridgeLibrary.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String header() {
    return "#define HYPERSLAB_JAVA_VERSION " + JAVA_VERSION + "\n" + BridgeEntry.definitions();
  }

  /**
   * {@return whether a folder has libraries that {@link #buildPackage} built}
   *
   * @param place the folder
   */
  public static boolean isPackage(Path place) {
    return Files.isReadable(place.resolve(LIBRARY))
        && Files.isReadable(place.resolve(PRELOAD_LIBRARY));
  }

  /** Returns the file that the library reads when it starts a JVM. */
  private static String settings(Binding binding, UnaryOperator<Path> named) {
    String classPath =
        Stream.of(binding.classPath().split(":"))
            .map(each -> named.apply(Path.of(each).toAbsolutePath().normalize()).toString())
            .collect(Collectors.joining(":"));
    String cache =
        binding.cache().map(path -> named.apply(path.toAbsolutePath()).toString()).orElse("");
    return "jvm="
        + binding.virtualMachine()
        + "\nclasspath="
        + classPath
        + "\ncache="
        + cache
        + "\n";
  }
}
