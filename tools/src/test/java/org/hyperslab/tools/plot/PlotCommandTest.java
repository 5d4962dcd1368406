package org.hyperslab.tools.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.value.Complex;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that pictures show the content of the file. */
final class PlotCommandTest {

  private static final int DARK = 0x440154;
  private static final int LIGHT = 0xFDE725;

  private TemporaryFolder folder;
  private String file;

  @BeforeEach
  void create() {
    folder = TemporaryFolder.create("plot");
    file = folder.file("x.h5").toString();
    double[][] halves = new double[40][60];
    for (double[] row : Arrays.asList(halves).subList(20, 40)) {
      Arrays.fill(row, 1);
    }
    Arrays.fill(halves[10], 20, 40, Double.NaN);
    try (H5File written = Hdf5.create(folder.file("x.h5"))) {
      written.createDataset("halves", halves).close();
      written.createDataset("cube", new double[][][] {halves, halves}).close();
      written.createDataset("line", new double[] {0, 1, Double.NaN, 4, 2}).close();
      written.createDataset("words", new String[] {"a"}).close();
    }
  }

  @AfterEach
  void delete() {
    folder.close();
  }

  private BufferedImage plot(String... arguments) throws IOException {
    String out = folder.file("out.png").toString();
    String[] all = Arrays.copyOf(arguments, arguments.length + 3);
    System.arraycopy(all, 0, all, 1, arguments.length);
    all[0] = "plot";
    all[all.length - 2] = "-o";
    all[all.length - 1] = out;
    CommandRun run = CommandRun.of(all);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    return ImageIO.read(folder.file("out.png").toFile());
  }

  private static long count(BufferedImage picture, int rgb, int fromRow, int endRow) {
    long count = 0;
    for (int y = fromRow; y < endRow; y++) {
      for (int x = 0; x < picture.getWidth() * 2 / 3; x++) {
        count += (picture.getRGB(x, y) & 0xFFFFFF) == rgb ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void heatMapHasTheFirstRowAtTheBottomAndLeavesNaNOut() throws IOException {
    BufferedImage picture = plot(file + ":/halves", "--size", "800x600");
    assertThat(picture.getWidth()).isEqualTo(800);
    assertThat(picture.getHeight()).isEqualTo(600);
    assertThat(count(picture, LIGHT, 0, 300)).isGreaterThan(50_000);
    assertThat(count(picture, DARK, 0, 250)).isZero();
    assertThat(count(picture, DARK, 300, 600)).isGreaterThan(50_000);
    assertThat(count(picture, LIGHT, 350, 600)).isZero();
    assertThat(count(picture, DARK, 300, 600)).isLessThan(count(picture, LIGHT, 0, 310));
    assertThat(plot(file + ":/cube[1,:,:]", "--size", "800x600").getRGB(300, 200))
        .isEqualTo(0xFF000000 | LIGHT);
  }

  @Test
  void linesAndHistogramsAreDrawn() throws IOException {
    for (BufferedImage picture :
        new BufferedImage[] {plot(file + ":/line"), plot(file + ":/cube", "--histogram")}) {
      int width = picture.getWidth();
      long blue =
          Arrays.stream(picture.getRGB(0, 0, width, picture.getHeight(), null, 0, width))
              .mapToObj(Color::new)
              .filter(color -> color.getBlue() > color.getRed() + 100)
              .count();
      assertThat(blue).isGreaterThan(300);
    }
  }

  @Test
  void namesMayHaveBrackets() throws IOException {
    try (H5File written = Hdf5.openForEdit(folder.file("x.h5"))) {
      written.createDataset("flux[0]", new double[][] {{1, 2, 3}, {4, 5, 6}}).close();
      written.createDataset("flux", new double[] {1, 2}).close();
    }
    assertThat(plot(file + ":/flux[0]", "--size", "300x200").getWidth()).isEqualTo(300);
    assertThat(plot(file + ":/flux[0][1,:]", "--size", "300x200").getWidth()).isEqualTo(300);
    assertThat(plot(file + ":/flux[:]", "--size", "300x200").getWidth()).isEqualTo(300);
    CommandRun run =
        CommandRun.of("plot", file + ":/flux[1][2]", "-o", folder.file("n.png").toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("flux[1]");
  }

  @Test
  void whatHasNoNumbersIsRefusedInPlainWords() {
    try (H5File written = Hdf5.openForEdit(folder.file("x.h5"))) {
      written.createGroup("group").close();
      written.root().commit("kind", Datatypes.I32LE).close();
      written.createDataset("complex", new Complex[] {new Complex(1, 2)}).close();
    }
    for (String name : List.of("words", "group", "kind", "complex")) {
      String out = folder.file("none.png").toString();
      CommandRun run = CommandRun.of("plot", file + ":/" + name, "-o", out);
      assertThat(run.code()).as(name).isEqualTo(1);
      assertThat(run.err())
          .contains("what to draw: actual=", "expected=a dataset of numbers")
          .doesNotContain("java", "org.hyperslab", "()")
          .hasLineCount(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    ":,60,0,59",
    "10:,50,10,59",
    "::10,6,0,50",
    "5:45:10,4,5,35",
    "-20::5,4,40,55",
    "::-1,60,59,0",
    "50:20:-10,3,50,30",
    "7 : 9,2,7,8",
    "100:,0,59,58"
  })
  void axesOfStepsShowTheIndices(String part, long count, double first, double last) {
    PlotAxis axis = PlotAxis.ofPart("x", count, part, 60);
    assertThat(axis).isEqualTo(new PlotAxis("x", count, first, last, true));
    try (H5File read = Hdf5.open(folder.file("x.h5"));
        Dataset halves = read.dataset("halves")) {
      PlotLabels labels = PlotLabels.of(halves, "10:30:5," + part, 4, Math.max(1, count));
      assertThat(labels.axes().getFirst()).isEqualTo(new PlotAxis("", 4, 10, 25, true));
      assertThat(labels.axes().getLast().first()).isEqualTo(first);
    }
  }

  @Test
  void formatIsThatOfTheName() throws IOException {
    for (String name : List.of("a.png", "b.PNG", "c.jpg", "d.jpeg", "e.b.JPG")) {
      Path out = folder.file(name);
      CommandRun run = CommandRun.of("plot", file + ":/halves", "-o", out.toString());
      assertThat(run.code()).as(run.err()).isZero();
      byte[] jpeg = {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, (byte) 0xE0};
      byte[] png = {(byte) 0x89, 'P', 'N', 'G'};
      byte[] magic = name.toLowerCase(Locale.ROOT).endsWith("png") ? png : jpeg;
      assertThat(Files.readAllBytes(out)).as(name).startsWith(magic);
      Color light = new Color(ImageIO.read(out.toFile()).getRGB(300, 150));
      assertThat(light.getRed()).as(name).isCloseTo(LIGHT >> 16, within(4));
      assertThat(light.getBlue()).as(name).isCloseTo(LIGHT & 0xFF, within(4));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plot FILE:/line -o", "example gabor --plot", "ffbench --plot"})
  void namesOfOtherFormatsAreRefused(String command) {
    for (String name : List.of("a.svg", "b.gif", "png", "jpg.txt", "c.")) {
      Path out = folder.file(name);
      String words = command.replace("FILE", file) + " " + out;
      CommandRun run = CommandRun.of(words.split(" "));
      assertThat(run.code()).as(name).isEqualTo(1);
      assertThat(run.err()).contains("expected=a file name that ends in .png, .jpg or .jpeg");
      assertThat(run.err()).contains("at=" + out).hasLineCount(1);
      assertThat(out).doesNotExist();
    }
  }

  @Test
  void leavesOfAFlashMeshAreAssembled() throws IOException {
    // One divided block of the whole domain; four leaves, of which the last is light.
    double[][][] boxes = {
      {{0, 2}, {0, 2}, {0, 0}},
      {{0, 1}, {0, 1}, {0, 0}},
      {{1, 2}, {0, 1}, {0, 0}},
      {{0, 1}, {1, 2}, {0, 0}},
      {{1, 2}, {1, 2}, {0, 0}},
    };
    float[][][][] dens = new float[5][1][8][8];
    for (int block : new int[] {0, 4}) {
      for (float[] row : dens[block][0]) {
        Arrays.fill(row, block == 0 ? 99 : 7);
      }
    }
    try (H5File mesh = Hdf5.create(folder.file("flash_chk"))) {
      mesh.createDataset("bounding box", boxes).close();
      mesh.createDataset("node type", new int[] {2, 1, 1, 1, 1}).close();
      mesh.createDataset("dens", dens).close();
    }
    BufferedImage picture =
        plot(folder.file("flash_chk").toString(), "--flash", "dens", "--size", "800x600");
    assertThat(picture.getRGB(450, 150)).isEqualTo(0xFF000000 | LIGHT);
    assertThat(picture.getRGB(450, 450)).isEqualTo(0xFF000000 | DARK);
    assertThat(picture.getRGB(150, 150)).isEqualTo(0xFF000000 | DARK);
  }

  /** Times in nanoseconds, of which one is missing, and other numbers of unusual size. */
  @Test
  @Timeout(60)
  void numbersOfAnySizeAreDrawn() throws IOException {
    double[][] rows = {
      {-9.2e18, 1.5e18, 3},
      {1e18, 1e18 + 256, 1e18},
      {1e15 + 0.125, 1e15, 1e15 + 0.25},
      {Double.MAX_VALUE, -Double.MAX_VALUE, 0},
      {Double.MAX_VALUE, Double.MAX_VALUE, 1},
      {Double.MIN_VALUE, 0, 0},
    };
    try (H5File written = Hdf5.create(folder.file("y.h5"))) {
      written.createDataset("rows", rows).close();
      written.createDataset("none", new double[][] {{Double.NaN}}).close();
    }
    String all = folder.file("y.h5") + ":/rows";
    for (int row = 0; row < rows.length; row++) {
      String one = all + "[" + row + ",:]";
      assertThat(plot(one).getWidth()).as(one).isEqualTo(900);
      assertThat(plot(one, "--histogram").getWidth()).as(one).isEqualTo(900);
      assertThat(plot(all + "[" + row + ":" + (row + 1) + ",:]").getWidth()).isEqualTo(900);
    }
    String none = folder.file("y.h5") + ":/none";
    assertThat(CommandRun.of("plot", none, "-o", folder.file("n.png").toString()).err())
        .contains("actual=no finite number");
  }

  @Test
  void undrawableDatasetsAreRefused() {
    String out = folder.file("none.png").toString();
    for (String[] wrong :
        new String[][] {
          {file, "expected=FILE:/PATH"},
          {file + ":/cube", "one or two dimensions"},
          {file + ":/nothing", "nothing"},
          {file + ":/line[9]", "index 9"},
          {file + ":/line[0:0]", "actual=[0]"},
          {file + ":/words", "words"},
        }) {
      CommandRun run = CommandRun.of("plot", wrong[0], "-o", out);
      assertThat(run.code()).as(wrong[0]).isEqualTo(1);
      assertThat(run.err()).as(wrong[0]).contains(wrong[1]);
      assertThat(folder.file("none.png")).doesNotExist();
    }
    assertThat(CommandRun.of("plot", file + ":/line", "-o", out, "--size", "9x9").err())
        .contains("--size: actual=9x9");
  }

  // --- heat maps ---

  private static final int INK = 0x333333;
  private static final int WHITE = 0xFFFFFF;

  /** The area of the cells, whose frame is found from a pixel inside: left, top, right, bottom. */
  private static int[] area(BufferedImage picture) {
    int x = picture.getWidth() / 3;
    int y = picture.getHeight() / 2;
    int[] area = {x, y, x, y};
    while ((picture.getRGB(area[0] - 1, y) & WHITE) != INK) {
      area[0]--;
    }
    while ((picture.getRGB(x, area[1] - 1) & WHITE) != INK) {
      area[1]--;
    }
    while ((picture.getRGB(area[2], y) & WHITE) != INK) {
      area[2]++;
    }
    while ((picture.getRGB(x, area[3]) & WHITE) != INK) {
      area[3]++;
    }
    return area;
  }

  /** The part of the area that is white. */
  private static double white(BufferedImage picture) {
    int[] area = area(picture);
    long white = 0;
    for (int y = area[1]; y < area[3]; y++) {
      for (int x = area[0]; x < area[2]; x++) {
        int rgb = picture.getRGB(x, y) & WHITE;
        assertThat(rgb).isNotEqualTo(INK);
        white += rgb == WHITE ? 1 : 0;
      }
    }
    return white / (double) ((area[2] - area[0]) * (area[3] - area[1]));
  }

  @Test
  void noLineCrossesAHeatMapOfAnySize() throws IOException {
    int[] sizes = {
      1, 2, 3, 7, 19, 20, 21, 50, 64, 99, 100, 101, 191, 200, 325, 499, 500, 501, 650, 723
    };
    for (int i = 0; i < 40; i++) {
      int rows = sizes[i % sizes.length];
      int columns = sizes[(i * 7 + 3) % sizes.length];
      double[][] ramp = new double[rows][columns];
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
          ramp[row][column] = row + column;
        }
      }
      try (H5File written = Hdf5.create(folder.file("size" + i + ".h5"))) {
        written.createDataset("ramp", ramp).close();
      }
      String size = (400 + 13 * i) + "x" + (300 + 17 * i);
      BufferedImage picture = plot(folder.file("size" + i + ".h5") + ":/ramp", "--size", size);
      int[] area = area(picture);
      assertThat(area[2] - area[0]).as(size).isGreaterThan(picture.getWidth() / 2);
      assertThat(area[3] - area[1]).as(size).isGreaterThan(picture.getHeight() / 2);
      assertThat(white(picture)).as("%d x %d in %s", rows, columns, size).isZero();
    }
  }

  /** There is no room for axes and a colour scale beside the cells. */
  @ParameterizedTest
  @ValueSource(strings = {"10x10", "99x99", "3000x30", "30x3000", "150x70"})
  void cellsFillSmallPictures(String size) throws IOException {
    try (H5File written = Hdf5.create(folder.file("small.h5"))) {
      written.createDataset("quarters", new double[][] {{1, 2}, {3, 4}}).close();
    }
    BufferedImage picture = plot(folder.file("small.h5") + ":/quarters", "--size", size);
    assertThat(picture.getWidth() + "x" + picture.getHeight()).isEqualTo(size);
    assertThat(picture.getRGB(0, picture.getHeight() - 1) & WHITE).isEqualTo(DARK);
    assertThat(picture.getRGB(picture.getWidth() - 1, 0) & WHITE).isEqualTo(LIGHT);
  }

  @Test
  void missingAndFarNumbersAreNotDrawn() throws IOException {
    double[] marks = {-1e16, -1e20, -3e38, -0x1p63, 9.96921e36, -Double.MAX_VALUE};
    try (H5File written = Hdf5.create(folder.file("marks.h5"))) {
      for (int i = 0; i <= marks.length; i++) {
        double mark = i < marks.length ? marks[i] : -9999;
        double[][] numbers = new double[50][100];
        for (double[] row : numbers) {
          for (int column = 0; column < row.length; column++) {
            row[column] = column < 10 ? mark : column;
          }
        }
        written.createDataset("m" + i, numbers).close();
      }
      written.dataset("m" + marks.length).setAttribute("_FillValue", -9999.0);
    }
    for (int i = 0; i <= marks.length; i++) {
      String place = folder.file("marks.h5") + ":/m" + i;
      BufferedImage picture = plot(place);
      assertThat(white(picture)).as("mark %d", i).isCloseTo(0.1, within(0.01));
      assertThat(count(picture, DARK, 100, 500)).isPositive();
      assertThat(plot(place, "--histogram").getWidth()).isEqualTo(900);
      assertThat(plot(place + "[0,:]").getWidth()).isEqualTo(900);
    }
  }

  @Test
  void rangesAndLogarithmsAreDrawn() throws IOException {
    double[][] numbers = new double[20][30];
    for (int row = 0; row < 20; row++) {
      Arrays.fill(numbers[row], Math.pow(10, row - 10));
    }
    Arrays.fill(numbers[3], -1);
    try (H5File written = Hdf5.create(folder.file("log.h5"))) {
      written.createDataset("powers", numbers).close();
    }
    String place = folder.file("log.h5") + ":/powers";
    BufferedImage log = plot(place, "--log");
    assertThat(white(log)).isCloseTo(0.05, within(0.01)); // the numbers below 0
    int[] area = area(log);
    int x = (area[0] + area[2]) / 2;
    assertThat(log.getRGB(x, area[3] - 1) & WHITE).isEqualTo(DARK);
    assertThat(log.getRGB(x, area[1]) & WHITE).isEqualTo(LIGHT);
    BufferedImage given = plot(place, "--log", "--range", "1e-5,10");
    assertThat(given.getRGB(x, area[1]) & WHITE).isEqualTo(LIGHT);
    assertThat(plot(place + "[:,0]", "--log").getWidth()).isEqualTo(900);
    assertThat(plot(place, "--histogram", "--log").getWidth()).isEqualTo(900);
    String out = folder.file("no.png").toString();
    for (String wrong : List.of("1", "2,1", "a,b", "1,2,3", "nan,1")) {
      assertThat(CommandRun.of("plot", place, "-o", out, "--range", wrong).err())
          .contains("--range: actual=" + wrong + ", expected=LEAST,MOST");
    }
    assertThat(CommandRun.of("plot", place, "-o", out, "--log", "--range", "-1,1").err())
        .contains("expected=from a positive number with --log");
  }

  @Test
  void scalesNameTheAxesAndThePosition() {
    try (H5File written = Hdf5.create(folder.file("scales.h5"))) {
      Dataset data = written.createDataset("t", new double[2][3][4]);
      data.setAttribute("units", "K");
      data.setAttribute("long_name", "temperature");
      double[][] coordinates = {{6, 12}, {-60, 0, 60}, {0, 1, 10, 100}};
      String[] units = {"hours", "degrees_north", "m"};
      for (int i = 0; i < 3; i++) {
        Dataset scale = written.createDataset("axis" + i, coordinates[i]);
        scale.setAttribute("units", units[i]);
        DimensionScales.makeScale(scale);
        DimensionScales.attach(data, i, scale);
      }
      PlotLabels labels = PlotLabels.of(data, "1,:,::2", 3, 2);
      assertThat(labels.position()).isEqualTo("axis0 = 12 hours");
      assertThat(labels.value()).isEqualTo("temperature (K)");
      assertThat(labels.axes())
          .containsExactly(
              new PlotAxis("axis1 (degrees_north)", 3, -60, 60, false),
              new PlotAxis("axis2 (m)", 2, 0, 10, false));
      assertThat(PlotLabels.of(data, "0,0,:", 4).axes())
          .containsExactly(PlotAxis.ofIndices("axis2", 4)); // at unequal distances
    }
  }
}
