package org.hyperslab.tools;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.HeatMapChart;
import org.knowm.xchart.HeatMapChartBuilder;
import org.knowm.xchart.Histogram;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws numbers as pictures.
 *
 * @param title the title above a picture
 * @param width the width in pixels
 * @param height the height in pixels
 */
record PlotPicture(String title, int width, int height) {

  /**
   * The greatest number of points of a line; of more points, the minima and maxima of equal parts
   * are drawn.
   */
  private static final int MAX_POINTS = 4000;

  private static final int BINS = 50;

  /** The most columns of which each has its label; labels of more are up to a column away. */
  private static final int FEW_COLUMNS = 20;

  /** Colours from dark to light that colour-blind people can distinguish: steps of viridis. */
  private static final Color[] COLOURS = {
    new Color(0x440154), new Color(0x482878), new Color(0x3E4A89), new Color(0x31688E),
    new Color(0x26828E), new Color(0x1F9E89), new Color(0x35B779), new Color(0x6DCD59),
    new Color(0xB4DE2C), new Color(0xFDE725),
  };

  /** {@return a line through numbers, broken where they are NaN} */
  BufferedImage line(double[] numbers) {
    PlotScale scale = PlotScale.of(numbers);
    XYChart chart =
        new XYChartBuilder()
            .width(width)
            .height(height)
            .title(title)
            .xAxisTitle("index")
            .yAxisTitle(scale.text())
            .build();
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setXAxisDecimalPattern("#,###");
    chart.getStyler().setXAxisTickMarkSpacingHint(90);
    int[] shown = shown(numbers);
    double[] x = Arrays.stream(shown).asDoubleStream().toArray();
    double[] y =
        Arrays.stream(shown)
            .mapToDouble(i -> scale.shown(numbers[i]))
            .map(each -> Double.isFinite(each) ? each : Double.NaN)
            .toArray();
    chart.addSeries("numbers", x, y).setMarker(SeriesMarkers.NONE).setLineWidth(1.5f);
    return BitmapEncoder.getBufferedImage(chart);
  }

  /** Returns the indices of the drawn points, which include all peaks. */
  private static int[] shown(double[] numbers) {
    if (numbers.length <= MAX_POINTS) {
      return IntStream.range(0, numbers.length).toArray();
    }
    int parts = MAX_POINTS / 2;
    int[] shown = new int[2 * parts];
    for (int part = 0; part < parts; part++) {
      int from = (int) ((long) part * numbers.length / parts);
      int end = (int) ((long) (part + 1) * numbers.length / parts);
      int least = from;
      int greatest = from;
      for (int i = from; i < end; i++) {
        least = numbers[i] < numbers[least] || Double.isNaN(numbers[least]) ? i : least;
        greatest = numbers[i] > numbers[greatest] || Double.isNaN(numbers[greatest]) ? i : greatest;
      }
      shown[2 * part] = Math.min(least, greatest);
      shown[2 * part + 1] = Math.max(least, greatest);
    }
    return shown;
  }

  /**
   * {@return a heat map of numbers, with the first row at the bottom and a colour scale}
   *
   * @throws InvalidUseException if no number is finite
   */
  BufferedImage heatMap(PlotGrid numbers, long rows, long columns) {
    PlotScale scale = PlotScale.of(numbers.values());
    PlotGrid grid = new PlotGrid(numbers.rows(), numbers.columns(), scale.shown(numbers.values()));
    String text = scale.text().isEmpty() ? title : title + " (" + scale.text() + ")";
    HeatMapChart chart = new HeatMapChartBuilder().width(width).height(height).title(text).build();
    double[] exact = grid.bounds();
    if (Double.isNaN(exact[0])) {
      throw new InvalidUseException(
          "picture: actual=no finite number, expected=at least one, at=" + title);
    }
    double[] bounds = {
      rounded(exact[0], RoundingMode.FLOOR), rounded(exact[1], RoundingMode.CEILING),
    };
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotContentSize(1);
    // Antialiasing would leave white lines between the cells.
    chart.getStyler().setAntiAlias(false);
    chart.getStyler().setShowValue(false);
    chart.getStyler().setLegendFont(chart.getStyler().getAxisTickLabelsFont());
    chart.getStyler().setGradientColorColumnHeight(height / 2);
    chart.getStyler().setRangeColors(COLOURS);
    chart.getStyler().setMin(bounds[0]);
    chart.getStyler().setMax(bounds[1] > bounds[0] ? bounds[1] : bounds[0] + 1);
    chart.getStyler().setPlotGridLinesVisible(false);
    chart.getStyler().setXAxisMaxLabelCount(grid.columns() <= FEW_COLUMNS ? FEW_COLUMNS : 8);
    List<Number[]> cells = new ArrayList<>(grid.values().length);
    for (int column = 0; column < grid.columns(); column++) {
      for (int row = 0; row < grid.rows(); row++) {
        double value = grid.value(row, column);
        if (Double.isFinite(value)) {
          cells.add(new Number[] {column, row, value});
        }
      }
    }
    chart.addSeries("numbers", labels(grid.columns(), columns), labels(grid.rows(), rows), cells);
    return BitmapEncoder.getBufferedImage(chart);
  }

  /**
   * Returns an end of the colour scale: a number of few digits, rounded such that the scale covers
   * all numbers.
   */
  private static double rounded(double number, RoundingMode mode) {
    return Double.isFinite(number)
        ? new BigDecimal(number).round(new MathContext(4, mode)).doubleValue()
        : number;
  }

  /** Returns the index in the slice at which each of a few parts begins. */
  private static List<Long> labels(int parts, long all) {
    return IntStream.range(0, parts).mapToObj(i -> i * all / parts).toList();
  }

  /** {@return a histogram: the count of numbers in each of equal parts of their range} */
  BufferedImage histogram(double[] numbers) {
    PlotScale scale = PlotScale.of(numbers);
    List<Double> finite =
        Arrays.stream(scale.shown(numbers)).filter(Double::isFinite).boxed().toList();
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(width)
            .height(height)
            .title(title)
            .xAxisTitle(("value " + scale.text()).strip())
            .yAxisTitle("count")
            .build();
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setAvailableSpaceFill(0.98);
    chart.getStyler().setXAxisMaxLabelCount(10);
    chart.getStyler().setXAxisDecimalPattern("0.###E0");
    if (!finite.isEmpty()) {
      Histogram bins = new Histogram(finite, BINS);
      chart.addSeries("numbers", bins.getxAxisData(), bins.getyAxisData());
    }
    return BitmapEncoder.getBufferedImage(chart);
  }
}
