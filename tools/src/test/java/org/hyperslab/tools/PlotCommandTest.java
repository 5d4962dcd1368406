package org.hyperslab.tools;

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
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
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
}
