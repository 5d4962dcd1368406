package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that what classic netCDF does not hold is named, with its type, and that netCDF-4 is
 * advised exactly where it holds the file.
 */
final class ClassicLossesTest {

  /** What the error says of each file; empty if every format holds it. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("arrayt", "the variable v of type array[3]{int32le}"),
          Map.entry("attrname", "a/b"),
          Map.entry("bitfield", "/v"),
          Map.entry("bool", ""),
          Map.entry("committed", "compound{a: int32le}"),
          Map.entry("complex", "the variable v of type compound{r: float64le, i: float64le}"),
          Map.entry("compound", "the variable v of type compound{a: int32le, b: float64le}"),
          Map.entry("compoundattr", "the attribute c of type compound{a: int32le, b: float64le}"),
          Map.entry("enum", "the variable v, with the names of its type enum"),
          Map.entry("enumattr", "the attribute e, with the names of its type enum"),
          Map.entry("group", "the group g"),
          Map.entry("half", "the variable v of type float16le"),
          Map.entry("halfattr", "the attribute h of type float16le"),
          Map.entry("innerunlim", "may grow"),
          Map.entry("int24", "the variable v of type int24le"),
          Map.entry("int64attr", "big of type int64"),
          Map.entry("int64var", "the variable v of type int64"),
          Map.entry("link", "/s"),
          Map.entry("name", "at=/a"),
          Map.entry("null", "/v"),
          Map.entry("nullattr", ""),
          Map.entry("opaque", "the variable v of type opaque[3"),
          Map.entry("ref", "the variable r of type reference[OBJECT]"),
          Map.entry("refattr", "the attribute r of type reference[OBJECT]"),
          Map.entry("shapeattr", "the attribute m"),
          Map.entry("stringfill", ""),
          Map.entry("strings", "the attribute s of several strings"),
          Map.entry("twounlim", "may grow"),
          Map.entry("vlen", "the variable v of type vlen{int32le}"),
          Map.entry("zero", "the variable v of type int32le without elements"));

  @TempDir Path folder;

  @Test
  void whatIsNotHeldIsNamedAndNetcdf4AdvisedWhereItHoldsIt() {
    Oracle.h5py(JudgedRoundTrip.resource("classic_losses.py")).run(folder.toString()).orFail();
    Map<String, String> errors = new HashMap<>();
    NAMES.forEach((name, words) -> {
      boolean isInNetcdf4 = error(name, "nc4").isEmpty();
      for (String ending : new String[] {"nc", "nc7", "cdf1"}) {
        String error = error(name, ending);
        errors.put(name + "." + ending, error);
        if (!error.isEmpty()) {
          assertThat(words).as(name + "." + ending + ": " + error).isNotEmpty();
          assertThat(error).as(name + "." + ending).contains(words);
          assertThat(error.contains(".nc4")).as(name + ": " + error).isEqualTo(isInNetcdf4);
          assertThat(error).doesNotContain("unfinished");
        }
      }
    });
    assertThat(errors.values().stream().filter(error -> error.contains(".nc4")).count())
        .isGreaterThan(35);
    assertThat(errors.get("int64var.nc")).as("held by CDF-5").isEmpty();
  }

  /** Returns the error of a conversion; empty if it succeeds. */
  private String error(String name, String ending) {
    Path in = folder.resolve(name + ".h5");
    Path out = folder.resolve(name + "." + ending);
    ConversionOptions options =
        ending.equals("cdf1")
            ? ConversionOptions.DEFAULT.withKinds(FileKind.HDF5, FileKind.CDF1)
            : ConversionOptions.DEFAULT;
    try {
      FileConverter.convert(in, out, options, FileConverter.Progress.NONE);
      return "";
    } catch (UnsupportedFeatureException refused) {
      assertThat(out).doesNotExist();
      assertLenient(in, out, options);
      return refused.getMessage();
    }
  }

  /** With --lenient the rest is converted, unless the version is too old. */
  private static void assertLenient(Path in, Path out, ConversionOptions options) {
    try {
      ConversionReport report =
          FileConverter.convert(in, out, options.withLenient(true), FileConverter.Progress.NONE);
      assertThat(report.losses()).isNotEmpty();
    } catch (HyperslabException version) {
      assertThat(version).hasMessageContaining("needs CDF-5");
    }
  }
}
