package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The fill values of all types of netCDF, from each format to each, and back: ncdump prints the
 * same, nccopy copies what is written, and xarray reads the same values.
 */
final class FillFormatsTest {

  private static final Set<FileKind> CLASSIC =
      EnumSet.of(FileKind.CDF1, FileKind.CDF2, FileKind.CDF5);
  private static final Set<FileKind> NETCDF4 =
      EnumSet.of(FileKind.NETCDF4, FileKind.NETCDF4_CLASSIC);
  private static final Set<FileKind> OTHERS =
      EnumSet.of(FileKind.HDF5, FileKind.ZARR2, FileKind.ZARR3);

  @TempDir Path folder;

  @BeforeEach
  void makeFiles() throws IOException {
    Path script = JudgedRoundTrip.resource("fills_make.py");
    Oracle.python("netCDF4", script).run(folder.toString()).orFail();
  }

  @Test
  void classicTypesInAllFormats() throws IOException {
    for (FileKind from : EnumSet.of(FileKind.CDF1, FileKind.CDF2, FileKind.NETCDF4_CLASSIC)) {
      convertToAll("classic", from, CLASSIC, NETCDF4, OTHERS);
    }
  }

  @Test
  void numbersInAllFormatsThatHoldThem() throws IOException {
    for (FileKind from : EnumSet.of(FileKind.CDF5, FileKind.NETCDF4)) {
      convertToAll("numbers", from, EnumSet.of(FileKind.CDF5, FileKind.NETCDF4), OTHERS);
    }
  }

  @Test
  void textsStayTextsWhereTheFormatHasThem() throws IOException {
    convertToAll("texts", FileKind.NETCDF4, EnumSet.of(FileKind.NETCDF4), OTHERS);
  }

  @Test
  void userTypesStayThemselvesWhereTheFormatHasThem() throws IOException {
    Path in = folder.resolve("user.netcdf4");
    for (FileKind to : EnumSet.of(FileKind.NETCDF4, FileKind.HDF5)) {
      Path out = convert(in, FileKind.NETCDF4, to);
      Path back = convert(out, to, FileKind.NETCDF4);
      assertThat(dump(back)).as("to %s and back", to).isEqualTo(dump(in));
      requireCopied(back);
    }
  }

  /** Zarr has numbers of enumerations, and version 2 compounds; what is missing is listed. */
  @Test
  void userTypesThatAFormatLacksAreListed() {
    Path in = folder.resolve("user.netcdf4");
    for (FileKind to : EnumSet.of(FileKind.ZARR2, FileKind.ZARR3, FileKind.CDF5)) {
      assertThatThrownBy(() -> convert(in, FileKind.NETCDF4, to))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("--lenient");
      Path out = in.resolveSibling("lenient." + to.option());
      List<String> losses = convertLeniently(in, FileKind.NETCDF4, out, to).losses();
      Path back = in.resolveSibling("lenient.netcdf4");
      convertLeniently(out, to, back, FileKind.NETCDF4);
      String dump = dump(back);
      for (String axis : List.of("fixed", "records")) {
        requireKept(dump, "enum_fill_" + axis, losses);
        assertThat(dump)
            .contains(" enum_fill_" + axis + " = 0, _, 1 ;")
            .contains("enum_fill_" + axis + ":_FillValue = 2b")
            .contains(" enum_none_" + axis + " = 0, 2, 1 ;");
        requireLost(dump, "list_fill_" + axis, losses);
        if (to == FileKind.ZARR2) {
          assertThat(dump).contains(" pair_fill_" + axis + " = {1, 2}, {7, 1.5}, {5, 6} ;");
          assertThat(losses).anyMatch(line -> line.startsWith("/pair_fill_" + axis + ": the attr"));
        } else {
          requireLost(dump, "pair_fill_" + axis, losses);
        }
        if (to == FileKind.CDF5) {
          requireLost(dump, "blob_fill_" + axis, losses);
        } else {
          assertThat(dump).contains("0X01020304, 0XCAFEBABE, 0X090A0B0C");
        }
      }
    }
  }

  private static void requireKept(String dump, String name, List<String> losses) {
    assertThat(dump).contains(" " + name + "(");
    assertThat(losses).noneMatch(line -> line.startsWith("/" + name + ":"));
  }

  private static void requireLost(String dump, String name, List<String> losses) {
    assertThat(dump).doesNotContain(" " + name + "(");
    assertThat(losses).anyMatch(line -> line.startsWith("/" + name + ": "));
  }

  private static ConversionReport convertLeniently(Path in, FileKind from, Path out, FileKind to) {
    return FileConverter.convert(
        in,
        out,
        ConversionOptions.DEFAULT.withKinds(from, to).withReplace(true).withLenient(true),
        FileConverter.Progress.NONE);
  }

  /** In the classic model texts are characters, and the value of missing texts stays one. */
  @Test
  void textsBecomeCharactersInTheClassicModel() throws IOException {
    Path in = folder.resolve("texts.netcdf4");
    List<Path> outputs = new ArrayList<>();
    for (FileKind to : EnumSet.of(FileKind.CDF1, FileKind.CDF5, FileKind.NETCDF4_CLASSIC)) {
      Path out = convert(in, FileKind.NETCDF4, to);
      assertThat(dump(out)).contains("char text_word_fixed(").contains("missing_value = \"none\"");
      requireCopied(out);
      outputs.add(out);
      outputs.add(convert(out, to, FileKind.NETCDF4));
    }
    requireSameValues(in, outputs);
  }

  @SafeVarargs
  private void convertToAll(String name, FileKind from, Set<FileKind>... targets)
      throws IOException {
    Path in = folder.resolve(name + "." + from.option());
    List<Path> outputs = new ArrayList<>();
    for (Set<FileKind> some : targets) {
      for (FileKind to : some) {
        Path out = convert(in, from, to);
        Path back = convert(out, to, from);
        assertThat(content(back, to)).as("%s to %s and back", in, to).isEqualTo(content(in, to));
        outputs.add(back);
        if (!OTHERS.contains(to)) {
          assertThat(dump(out)).as("%s to %s", in, to).isEqualTo(dump(in));
          requireCopied(out);
        }
        if (to != FileKind.ZARR3) { // which the installed Zarr does not read
          outputs.add(out);
        }
      }
    }
    requireSameValues(in, outputs);
  }

  private static Path convert(Path in, FileKind from, FileKind to) {
    Path out = in.resolveSibling(in.getFileName() + "." + to.option());
    FileConverter.convert(
        in,
        out,
        ConversionOptions.DEFAULT.withKinds(from, to).withReplace(true),
        FileConverter.Progress.NONE);
    return out;
  }

  /** What ncdump prints, apart from the name and from which dimension may grow, unlike in Zarr. */
  private static String dump(Path file) {
    String text = Oracle.program("ncdump").run(file.toString()).orFail().output();
    return text.substring(text.indexOf('\n'))
        .replaceAll("= UNLIMITED ; // \\((\\d+) currently\\)", "= $1 ;");
  }

  /** The lines of a dump, without their order if they were in a folder, which has none. */
  private static List<String> content(Path file, FileKind between) {
    boolean isFolder = between == FileKind.ZARR2 || between == FileKind.ZARR3;
    return isFolder ? dump(file).lines().sorted().toList() : dump(file).lines().toList();
  }

  private void requireCopied(Path file) {
    Path copy = folder.resolve("copy");
    Oracle.program("nccopy").run(file.toString(), copy.toString()).orFail();
  }

  private void requireSameValues(Path in, List<Path> outputs) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(in.toString()));
    outputs.forEach(out -> arguments.add(out.toString()));
    Path script = JudgedRoundTrip.resource("fills_judge.py");
    Oracle.python("xarray", script).run(arguments.toArray(String[]::new)).orFail();
  }
}
