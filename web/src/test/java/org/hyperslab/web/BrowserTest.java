package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.testkit.Campaign;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.web.options.WebOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the page that Chromium shows of a file: its text and the pixels of its drawings. */
final class BrowserTest {

  private static TemporaryFolder folder;
  private static WebServer server;
  private static Browser browser;

  /** A record, which becomes a compound. */
  record Row(int id, double x, boolean ok) {}

  @BeforeAll
  static void start() {
    folder = TemporaryFolder.create("browser");
    write(folder.file("run.h5"));
    server =
        WebServer.show(
            folder.file("run.h5"),
            WebOptions.DEFAULT.withAccess(new WebOptions.Access.Token(Optional.empty())));
    browser = Browser.start();
  }

  /** Forgets what h5web keeps of one test: the display that it last showed. */
  @AfterEach
  void forgetPreferences() {
    browser.run("localStorage.clear()");
  }

  @AfterAll
  static void end() {
    if (browser != null) {
      browser.close();
    }
    server.close();
    folder.close();
  }

  private static void write(Path path) {
    try (H5File file = Hdf5.create(path)) {
      double[][] density = new double[200][300];
      for (int i = 0; i < 200; i++) {
        for (int j = 0; j < 300; j++) {
          density[i][j] =
              Math.exp(-(Math.pow(i - 90, 2) + Math.pow(j - 130, 2)) / 2500)
                  + 0.2 * Math.sin(j / 12.0) * Math.cos(i / 9.0);
        }
      }
      try (var dataset = file.createDataset("grid/density", density)) {
        dataset.setAttribute("units", "g/cm^3");
      }
      for (int i = 60; i < 90; i++) {
        Arrays.fill(density[i], 100, 160, Double.NaN);
      }
      file.createDataset("grid/masked", density).close();
      double[] line = new double[500];
      Complex[] complex = new Complex[500];
      for (int i = 0; i < line.length; i++) {
        line[i] = Math.sin(i / 20.0) * Math.exp(-i / 200.0);
        complex[i] = new Complex(i / 90.0 * Math.cos(i / 30.0), Math.sin(i / 30.0));
      }
      file.createDataset("line", line).close();
      file.createDataset("complex", complex).close();
      Row[] rows = new Row[12];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = new Row(i + 100, i / 4.0, i % 2 == 0);
      }
      file.createDataset("table", rows).close();
      int[][][] picture = new int[60][90][];
      for (int i = 0; i < 60; i++) {
        for (int j = 0; j < 90; j++) {
          picture[i][j] = new int[] {j * 255 / 90, i * 255 / 60, 96};
        }
      }
      try (var image = file.createDataset("image", Datatypes.U8LE, Dataspace.simple(60, 90, 3))) {
        image.write(picture);
        image.setAttribute("CLASS", "IMAGE");
        image.setAttribute("IMAGE_SUBCLASS", "IMAGE_TRUECOLOR");
        image.setAttribute("INTERLACE_MODE", "INTERLACE_PIXEL");
      }
      file.createDataset("none", new double[0]).close();
      file.createDataset("nothing", Datatypes.F64LE, Dataspace.nullSpace()).close();
      file.datasetBuilder("large")
          .type(float.class)
          .shape(100, 1000, 1000)
          .options(o -> o.fill(2.5f))
          .create()
          .close();
      writeClimate(file);
      writeTiled(file);
      file.createDataset("long", new long[][] {{Long.MIN_VALUE, 1L << 53}, {(1L << 53) + 1, 0}})
          .close();
      file.createGroup("bare").close();
      try (Group noted = file.createGroup("noted")) {
        noted.setAttribute("note", "nothing else");
      }
      file.root().commit("type", Datatypes.F64LE).close();
      file.root().createExternalLink("outside", "none.h5", "/x");
      file.root().setAttribute("title", "A run");
      file.root().setAttribute("limits", new double[] {0.5, Double.NaN});
      file.root().createSoftLink("short", "grid/density");
      file.root().createSoftLink("broken", "nowhere");
    }
  }

  /** Writes a dataset whose dimensions have scales, one of them descending. */
  private static void writeClimate(H5File file) {
    double[] latitudes = new double[30];
    double[] longitudes = new double[40];
    double[][] warmth = new double[30][40];
    for (int i = 0; i < 30; i++) {
      latitudes[i] = 60 - i;
      for (int j = 0; j < 40; j++) {
        longitudes[j] = 100 + 2 * j;
        warmth[i][j] = 273 + i + j / 10.0;
      }
    }
    try (Dataset lat = file.createDataset("climate/lat", latitudes);
        Dataset lon = file.createDataset("climate/lon", longitudes);
        Dataset tas = file.createDataset("climate/tas", warmth)) {
      lat.setAttribute("units", "degrees_north");
      lat.setAttribute("long_name", "Latitude");
      lon.setAttribute("units", "degrees_east");
      tas.setAttribute("long_name", "Near-surface warmth");
      tas.setAttribute("units", "K");
      DimensionScales.makeScale(lat, "lat");
      DimensionScales.makeScale(lon, "lon");
      DimensionScales.attach(tas, 0, lat);
      DimensionScales.attach(tas, 1, lon);
    }
  }

  /** Writes a dataset of 256 MB, of which little is stored, and a line of 80 MB. */
  private static void writeTiled(H5File file) {
    try (Dataset tiled =
        file.datasetBuilder("tiled")
            .type(float.class)
            .shape(8000, 8000)
            .options(o -> o.chunked(1000, 1000).fill(1f))
            .create()) {
      float[][] part = new float[1000][1000];
      for (int i = 0; i < 1000; i++) {
        for (int j = 0; j < 1000; j++) {
          part[i][j] = i / 500f + j / 1000f;
        }
      }
      long[] size = {1000, 1000};
      for (long at = 0; at < 8000; at += 2000) {
        tiled.write(Selection.box(new long[] {at, at}, size), part);
      }
    }
    try (Dataset line =
        file.datasetBuilder("longline")
            .type(double.class)
            .shape(10_000_000)
            .options(o -> o.chunked(100_000))
            .create()) {
      double[] part = new double[100_000];
      part[777] = 5;
      line.write(Selection.box(new long[] {3_000_000}, new long[] {100_000}), part);
    }
  }

  private static void show(String path, String awaited) {
    browser.open(server.link() + "&path=" + URLEncoder.encode(path, StandardCharsets.UTF_8));
    browser.await(awaited);
  }

  private static String says(String text) {
    return "document.body.innerText.includes('" + text + "')";
  }

  /** Waits until the drawing has the given number of colours and keeps its place; returns it. */
  private static BufferedImage drawn(String name, int leastColours) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    int[] before = null;
    int[] at = place();
    BufferedImage drawing = picture().getSubimage(at[0], at[1], at[2], at[3]);
    while ((colours(drawing) < leastColours || !Arrays.equals(before, at))
        && System.nanoTime() < end) {
      before = at;
      at = place();
      drawing = picture().getSubimage(at[0], at[1], at[2], at[3]);
    }
    browser.keepScreenshot(name);
    assertThat(colours(drawing)).as("colours of " + name).isGreaterThanOrEqualTo(leastColours);
    return drawing;
  }

  /** Returns left, top, width and height of the drawing in pixels. */
  private static int[] place() {
    String box =
        browser.run(
            "const r = document.querySelector('canvas').getBoundingClientRect();"
                + "return [r.left, r.top, r.width, r.height].map(Math.floor).join()");
    return Arrays.stream(box.replace("\"", "").split(",")).mapToInt(Integer::parseInt).toArray();
  }

  private static BufferedImage picture() {
    try {
      return ImageIO.read(new ByteArrayInputStream(browser.screenshot()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long colours(BufferedImage picture) {
    int width = picture.getWidth();
    BitSet found = new BitSet(1 << 24);
    for (int pixel : picture.getRGB(0, 0, width, picture.getHeight(), null, 0, width)) {
      found.set(pixel & 0xFFFFFF);
    }
    return found.cardinality();
  }

  @Test
  void treeShowsGroupsDatasetsAndLinks() {
    show("/", says("image"));
    assertThat(browser.text()).contains("run.h5", "grid", "line", "complex", "table", "broken");
    browser.keepScreenshot("tree");
  }

  @Test
  void attributesAreListedWithTheirValues() {
    show("/", says("image"));
    browser.run(
        "[...document.querySelectorAll('button')].find(b => b.innerText == 'Inspect').click()");
    browser.await(says("A run"));
    assertThat(browser.text()).contains("title", "limits", "0.5");
    browser.keepScreenshot("attributes");
  }

  @Test
  void lineIsDrawn() {
    show("/line", "document.querySelector('canvas') != null");
    assertThat(browser.text()).contains("Line");
    drawn("line", 10);
  }

  @Test
  void heatMapHasItsColoursAndTheirBounds() {
    show("/grid/density", "document.querySelector('canvas') != null");
    assertThat(browser.text()).contains("Heatmap").doesNotContain("Error");
    drawn("heatmap", 200);
  }

  @Campaign
  @Test
  void numbersThatAreNaNAreLeftOutOfAHeatMap() {
    show("/grid/masked", "document.querySelector('canvas') != null");
    BufferedImage drawing = drawn("nan", 200);
    // Rows 60 to 90 of 200, from below, and columns 100 to 160 of 300 are NaN; others are not.
    int column = drawing.getWidth() * 125 / 300;
    assertThat(drawing.getRGB(column, drawing.getHeight() * 122 / 200)).isEqualTo(-1);
    assertThat(drawing.getRGB(column, drawing.getHeight() * 60 / 200)).isNotEqualTo(-1);
  }

  @Campaign
  @Test
  void imageIsShownInItsColours() {
    show("/image", "document.querySelector('canvas') != null");
    assertThat(browser.text()).contains("RGB");
    drawn("image", 500);
  }

  @Test
  void compoundIsATable() {
    show("/table", says("1.110e+2"));
    assertThat(browser.text()).contains("id", "2.750e+0", "true");
    browser.keepScreenshot("compound");
  }

  @Campaign
  @Test
  void complexNumbersAreDrawnByAmplitudeAndPhase() {
    show("/complex", "document.querySelector('canvas') != null");
    assertThat(browser.text()).contains("Amplitude");
    drawn("complex", 10);
  }

  @Campaign
  @Test
  void datasetsWithoutElementsAreShownAsEmpty() {
    show("/nothing", says("Nothing to display"));
    show("/none", says("Matrix"));
    browser.run(
        "[...document.querySelectorAll('[role=tab]')].find(t =>"
            + " t.innerText.includes('Matrix')).click()");
    browser.await("!" + says("undefined domain"));
    browser.keepScreenshot("empty");
    assertThat(browser.text()).contains("none", "D0").doesNotContain("rror");
  }

  @Test
  void newDataIsVisibleAfterRefresh() {
    try (H5File file = Hdf5.create(folder.file("growing.h5"))) {
      file.createDataset("early", 1).close();
    }
    try (WebServer growing = WebServer.show(folder.file("growing.h5"), WebOptions.DEFAULT)) {
      browser.open(growing.link());
      browser.await(says("early"));
      Oracle.h5py()
          .run(
              "import h5py,sys; h5py.File(sys.argv[1], 'a')['late'] = 2",
              folder.file("growing.h5").toString())
          .orFail();
      assertThat(browser.text()).doesNotContain("late");
      browser.run(
          "[...document.querySelectorAll('button')].find(b => b.innerText == 'Refresh').click()");
      browser.await(says("late"));
    }
  }

  @Test
  void onlyTheSliceOfALargeDatasetIsRead() {
    show("/large", "document.querySelector('canvas') != null");
    drawn("large", 2);
    assertThat(
            browser.run(
                "return performance.getEntriesByType('resource').filter(r =>"
                    + " r.name.includes('/data')).map(r => r.name + ' ' +"
                    + " r.encodedBodySize).join()"))
        .contains("selection=0", " 4000000");
  }

  private static void inspect() {
    browser.run(
        "[...document.querySelectorAll('button')].find(b => b.innerText == 'Inspect').click()");
  }

  @Test
  void numbersThatJsonDoesNotHoldAreShown() {
    show("/", says("image"));
    inspect();
    browser.await(says("NaN"));
    assertThat(browser.text()).contains("[0.5, NaN]").doesNotContain("null");
  }

  @Test
  void exactIntegersAreShownWhole() {
    show("/long", says("Matrix"));
    browser.run(
        "[...document.querySelectorAll('[role=tab]')].find(t =>"
            + " t.innerText.includes('Matrix')).click()");
    browser.await(says("e+18"));
    browser.run(
        "[...document.querySelectorAll('button, label')].find(t => t.innerText =="
            + " 'Exact').click()");
    browser.await(says("-9223372036854775808"));
    assertThat(browser.text()).contains("9007199254740993");
    browser.keepScreenshot("exact");
    String cut =
        browser.run(
            "return [...document.querySelectorAll('[role=cell], [role=gridcell]')].filter(c =>"
                + " c.scrollWidth > c.clientWidth).length");
    assertThat(cut).isEqualTo("0");
  }

  @Test
  void scalesNameTheAxesAndPlaceTheElements() {
    show("/climate/tas", "document.querySelector('canvas') != null");
    browser.await(says("Latitude (degrees_north)"));
    drawn("scales", 100);
    assertThat(browser.text())
        .contains("Near-surface warmth (K)", "lon (degrees_east)", "Latitude (degrees_north)")
        .contains("120", "40");
  }

  @Test
  void nothingToDisplayHasAReason() {
    String[][] reasons = {
      {"/bare", "This group has no members and no attributes"},
      {"/noted", "This group has no members, only attributes"},
      {"/grid", "This is a group of 2 members"},
      {"/nothing", "null dataspace"},
      {"/type", "committed datatype"},
      {"/broken", "soft link to nowhere, which cannot be followed: Cannot resolve"},
      {"/outside", "external link to /x in the file none.h5, which cannot be followed: Cannot"},
    };
    for (String[] reason : reasons) {
      show(reason[0], says(reason[1]));
      assertThat(browser.text()).contains("Nothing to display");
    }
    browser.keepScreenshot("reason");
  }

  @Test
  void addressKeepsTheFileAndThePath() {
    show("/", says("image"));
    browser.run(
        "[...document.querySelectorAll('[role=treeitem]')].find(t => t.innerText =="
            + " 'table').click()");
    browser.await(says("1.110e+2"));
    assertThat(browser.run("return location.search")).contains("file=run.h5", "path=%2Ftable");
    browser.run("location.reload()");
    browser.await(says("1.110e+2"));
    browser.run("history.back()");
    browser.await("!" + says("1.110e+2"));
  }

  /** The bytes of elements that the page has fetched. */
  private static long fetchedBytes() {
    return Long.parseLong(
        browser.run(
            "return performance.getEntriesByType('resource').filter(r =>"
                + " r.name.includes('/data')).reduce((sum, r) => sum + r.encodedBodySize, 0)"));
  }

  @Test
  void largeDatasetIsDrawnInTilesOfWhatIsVisible() {
    show("/tiled", "document.querySelector('canvas') != null");
    browser.await(
        "performance.getEntriesByType('resource').some(r => r.name.includes('reduce=mean'))");
    assertThat(drawn("tiles", 100).getHeight()).isGreaterThan(300);
    assertThat(browser.text()).contains("tiled (means when zoomed out)");
    assertThat(fetchedBytes()).isBetween(500_000L, 20_000_000L);
  }

  @Campaign
  @Test
  void tableOfALargeDatasetHasItsFirstCells() {
    show("/tiled", "document.querySelector('canvas') != null");
    browser.run(
        "[...document.querySelectorAll('[role=tab]')].find(t =>"
            + " t.innerText.includes('Matrix')).click()");
    browser.await(says("The first 1000 rows and columns"));
    browser.await(says("e-3"));
    browser.keepScreenshot("first");
    assertThat(fetchedBytes()).isLessThan(20_000_000L);
  }

  @Test
  void longLineIsDrawnByTheExtremesOfItsParts() {
    show("/longline", "document.querySelector('canvas') != null");
    browser.await(says("least and greatest of every"));
    drawn("longline", 10);
    assertThat(fetchedBytes()).isLessThan(100_000);
  }
}
