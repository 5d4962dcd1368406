package org.hyperslab.tools.figure;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.hyperslab.error.StorageException;
import org.hyperslab.tools.command.OutputFile;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Draws figures as groups of bars. */
public final class FigurePicture {

  private static final int WIDTH = 1000;
  private static final int HEIGHT = 600;

  private FigurePicture() {}

  /**
   * Writes a figure as a PNG picture.
   *
   * @param figure the figure
   * @param file the picture, which appears when it is complete
   * @throws StorageException if it cannot be written
   */
  public static void write(Figure figure, Path file) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(figure.title())
            .xAxisTitle(figure.axis())
            .yAxisTitle(figure.unit())
            .build();
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    figure.series().forEach(each -> chart.addSeries(each.name(), figure.points(), each.values()));
    BufferedImage image = BitmapEncoder.getBufferedImage(chart);
    try {
      OutputFile.write(file, path -> ImageIO.write(image, "png", path.toFile()));
    } catch (IOException failure) {
      throw new StorageException("--plot: actual=" + failure + ", at=" + file, failure);
    }
  }
}
