package org.hyperslab.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.hyperslab.netcdf.NetcdfFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the program in the guide of Spark compiles as printed, and runs. */
final class SparkGuideTest {

  private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java spark\\n(.*?)^```$");

  @TempDir Path folder;

  @Test
  void theProgramOfTheGuideRuns() throws Exception {
    Path guide = Path.of(System.getProperty("hyperslab.root"), "docs", "spark.md");
    Matcher program = PROGRAM.matcher(Files.readString(guide));
    assertThat(program.find()).isTrue();
    Path source = Files.writeString(folder.resolve("Months.java"), program.group(1));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-proc:none", "-d", folder.toString());
      assertThat(
              compiler
                  .getTask(null, files, null, options, null, files.getJavaFileObjects(source))
                  .call())
          .isTrue();
    }
    Path weather = folder.resolve("weather.nc");
    ReadTest.writeWeather(weather, LocalDateTime.of(2026, 1, 1, 0, 0));
    Path out = folder.resolve("celsius.nc");
    assertThat(LocalSpark.session().version()).startsWith("4.2"); // the program uses this one
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      String[] arguments = {weather.toString(), out.toString()};
      loader.loadClass("Months").getMethod("main", String[].class).invoke(null, (Object) arguments);
    }
    try (NetcdfFile file = NetcdfFile.open(out)) {
      double[][][] celsius = file.root().variable("celsius").read(double[][][].class);
      assertThat(celsius[3][2][4]).isEqualTo(129.5 - 273.15);
    }
  }
}
