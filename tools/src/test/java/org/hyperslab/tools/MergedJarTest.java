package org.hyperslab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.zarr.connector.ZarrConnectorFactory;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.plugins.compacting.CompactingConnectorFactory;
import org.hyperslab.plugins.configured.ConfiguredConnectorFactory;
import org.hyperslab.plugins.forwarding.client.ForwardingConnectorFactory;
import org.hyperslab.plugins.jhdf.JhdfConnectorFactory;
import org.hyperslab.plugins.log.LogConnectorFactory;
import org.hyperslab.plugins.mpiio.MpiioConnectorFactory;
import org.hyperslab.plugins.nativevol.NativeConnectorFactory;
import org.hyperslab.remote.HttpStores;
import org.hyperslab.testkit.filter.FaultyFilter;
import org.hyperslab.vol.Connectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests a program that was merged with the library into one jar, where the first of several service
 * files is kept (maven-shade without its ServicesResourceTransformer), or none.
 */
final class MergedJarTest {

  @TempDir private Path folder;

  /** What becomes of the service files. */
  enum Services {
    OF_THE_FIRST_JAR,
    OF_THE_LAST_JAR,
    LEFT_OUT
  }

  @ParameterizedTest
  @EnumSource(Services.class)
  void findsConnectorsAndFiltersAsFromSeveralJars(Services services) throws Exception {
    Path jar = folder.resolve("all.jar");
    merge(jar, services);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                jar.toString(),
                MergedJarProgram.class.getName(),
                folder.resolve("a.h5").toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said)
        .contains("read 1000")
        .contains("scheme native")
        .contains("remote StorageException")
        .contains("filters " + filters());
    Connectors.factories().keySet().stream()
        .filter(Predicate.not("memory"::equals)) // of the tests
        .forEach(name -> assertThat(said).contains(name));
  }

  /** Returns the numbers of the filters that are not of the tests. */
  private static List<Integer> filters() {
    return FilterRegistry.standard().ids().stream().filter(id -> id != FaultyFilter.ID).toList();
  }

  /** Merges the folders and jars of the connectors, and of what they need. */
  private static void merge(Path jar, Services services) throws Exception {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    List<Path> sources = new ArrayList<>();
    for (Class<?> type :
        List.of(
            HyperslabException.class,
            CreateOptions.class,
            Connectors.class,
            Hdf5.class,
            NativeConnectorFactory.class,
            CompactingConnectorFactory.class,
            ConfiguredConnectorFactory.class,
            LogConnectorFactory.class,
            ForwardingConnectorFactory.class,
            MpiioConnectorFactory.class,
            JhdfConnectorFactory.class,
            ZarrConnectorFactory.class,
            HttpStores.class,
            Class.forName("io.jhdf.HdfFile"),
            Class.forName("io.airlift.compress.v3.zstd.ZstdJavaCompressor"),
            Class.forName("com.google.protobuf.Message"),
            Class.forName("io.netty.channel.Channel"),
            Class.forName("io.netty.buffer.ByteBuf"),
            Class.forName("io.netty.util.concurrent.Future"),
            Class.forName("org.slf4j.Logger"),
            Class.forName("org.snakeyaml.engine.v2.api.LoadSettings"),
            MergedJarProgram.class)) {
      URI place = type.getProtectionDomain().getCodeSource().getLocation().toURI();
      sources.add(Path.of(place));
    }
    if (services == Services.OF_THE_LAST_JAR) {
      Collections.reverse(sources);
    }
    for (Path source : sources) {
      if (Files.isDirectory(source)) {
        addFolder(source, entries);
      } else {
        addJar(source, entries);
      }
    }
    entries
        .keySet()
        .removeIf(name ->
            name.equals("META-INF/MANIFEST.MF")
                || name.endsWith("module-info.class")
                || name.matches("META-INF/.*\\.(SF|RSA|DSA)")
                || (services == Services.LEFT_OUT
                    && name.startsWith("META-INF/services/org.hyper")));
    try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar))) {
      to.setLevel(0);
      for (Map.Entry<String, byte[]> each : entries.entrySet()) {
        to.putNextEntry(new JarEntry(each.getKey()));
        to.write(each.getValue());
        to.closeEntry();
      }
    }
  }

  private static void addFolder(Path source, Map<String, byte[]> entries) throws IOException {
    try (Stream<Path> all = Files.walk(source)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        String name = source.relativize(each).toString().replace('\\', '/');
        entries.putIfAbsent(name, Files.readAllBytes(each));
      }
    }
  }

  private static void addJar(Path source, Map<String, byte[]> entries) throws IOException {
    try (JarFile file = new JarFile(source.toFile())) {
      for (JarEntry entry : file.stream().filter(each -> !each.isDirectory()).toList()) {
        try (InputStream content = file.getInputStream(entry)) {
          entries.putIfAbsent(entry.getName(), content.readAllBytes());
        }
      }
    }
  }
}
