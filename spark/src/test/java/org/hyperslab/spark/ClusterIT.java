package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.hyperslab.netcdf.NetcdfFile;
import org.hyperslab.spark.write.ArrayWrite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the assembled jar as {@code spark-submit} passes it, beside Spark's own libraries only,
 * with executors in processes of their own.
 */
final class ClusterIT {

  @TempDir Path folder;

  @Test
  void theAssembledJarRunsOnACluster() throws Exception {
    Path weather = folder.resolve("weather.nc");
    ReadTest.writeWeather(weather, LocalDateTime.of(2026, 1, 1, 0, 0));
    Path out = folder.resolve("out.nc");
    String said = submit("local-cluster[2,1,1024]", weather.toString(), out.toString());
    assertThat(said)
        .contains("read [-45.0,112.25]")
        .contains("read [0.0,115.34")
        .contains("read [45.0,117.25]")
        .contains("executors 2");
    try (NetcdfFile file = NetcdfFile.open(out)) {
      double[][][] t = file.root().variable("t").read(double[][][].class);
      assertThat(t[3][2][4]).isEqualTo(129.5);
      assertThat(t[0][1][2]).isNaN();
    }
  }

  private String submit(String master, String... arguments) throws Exception {
    Path home = sparkHome();
    try {
      return submit(home, master, arguments);
    } finally {
      ArrayWrite.deleteFolder(home);
    }
  }

  private String submit(Path home, String master, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().split(" ")));
    command.addAll(List.of("-Xmx1g", "-cp", home.resolve("jars") + "/*"));
    command.add("org.apache.spark.deploy.SparkSubmit");
    command.addAll(List.of("--master", master, "--conf", "spark.ui.enabled=false"));
    command.addAll(List.of("--conf", "spark.driver.host=localhost"));
    command.addAll(List.of("--conf", "spark.driver.bindAddress=127.0.0.1"));
    command.addAll(List.of("--conf", "spark.sql.shuffle.partitions=2"));
    command.addAll(
        List.of("--conf", "spark.executor.extraJavaOptions=--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("--jars", System.getProperty("hyperslab.assembly")));
    command.addAll(List.of("--class", ClusterProgram.class.getName(), program().toString()));
    command.addAll(List.of(arguments));
    Path log = folder.resolve("log");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(log);
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  /** Makes an installation of Spark from the libraries of this test that are Spark's. */
  private Path sparkHome() throws IOException {
    // Not in the folder of the test, which warns of each link that leads out of it.
    Path home = Files.createTempDirectory("hyperslab-spark-home");
    Path jars = Files.createDirectories(home.resolve("jars"));
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(each);
      String name = jar.getFileName().toString();
      boolean isOurs =
          name.matches(
              "(hyperslab|junit|assertj|aircompressor-v3|byte-buddy|opentest4j|apiguardian).*");
      if (name.endsWith(".jar") && !isOurs && !Files.exists(jars.resolve(name))) {
        Files.createSymbolicLink(jars.resolve(name), jar);
      }
    }
    Files.createDirectories(home.resolve("work"));
    return home;
  }

  private Path program() throws IOException {
    Path jar = folder.resolve("program.jar");
    String name = ClusterProgram.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream bytes = getClass().getClassLoader().getResourceAsStream(name)) {
      out.putNextEntry(new JarEntry(name));
      bytes.transferTo(out);
    }
    return jar;
  }
}
