package org.hyperslab.tools.plot;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws numbers as pictures.
 *
 * @param title the title above a picture
 * @param width the width in pixels
 * @param height the height in pixels
 * @param wish the range of numbers that the user asks for
 */
record PlotPicture(String title, int width, int height, PlotRange.Wish wish) {

  /**
   * The greatest number of points of a line; of more points, the minima and maxima of equal parts
   * are drawn.
   */
  private static final int MAX_POINTS = 4000;

  private static final int BINS = 50;

  /** The most labels of an axis. */
  private static final int LABELS = 10;

  /**
   * {@return a line through numbers, broken where they are NaN or outside the range}
   *
   * @param numbers the numbers
   * @param labels the names of the axis and of the numbers
   */
  BufferedImage line(double[] numbers, PlotLabels labels) {
    PlotRange range = PlotRange.of(numbers, wish, title);
    double[] within = range.within(numbers);
    PlotScale scale = scale(range);
    PlotAxis axis = labels.axes().getFirst();
    XYChart chart =
        new XYChartBuilder()
            .width(width)
            .height(height)
            .title(title)
            .xAxisTitle(axis.title().isEmpty() ? "index" : axis.title())
            .yAxisTitle(joined(labels.value(), scale.text(), range.remark()))
            .build();
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setXAxisDecimalPattern(axis.isIndex() ? "#,###" : null);
    chart.getStyler().setXAxisMaxLabelCount(LABELS);
    chart.getStyler().setYAxisLogarithmic(range.isLogarithmic());
    int[] shown = shown(within);
    double step = axis.cells() < 2 ? 0 : (axis.last() - axis.first()) / (axis.cells() - 1);
    double[] x = Arrays.stream(shown).mapToDouble(i -> axis.first() + step * i).toArray();
    double[] y =
        Arrays.stream(shown)
            .mapToDouble(i -> scale.shown(within[i]))
            .map(each -> Double.isFinite(each) ? each : Double.NaN)
            .toArray();
    chart.addSeries("numbers", x, y).setMarker(SeriesMarkers.NONE).setLineWidth(1.5f);
    return BitmapEncoder.getBufferedImage(chart);
  }

  /** Returns what is drawn for numbers; logarithms need no other scale. */
  private static PlotScale scale(PlotRange range) {
    return range.isLogarithmic()
        ? new PlotScale(0, 0)
        : PlotScale.of(new double[] {range.least(), range.most()});
  }

  private static String joined(String... texts) {
    return Arrays.stream(texts).filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
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
   * @param rows the number of rows
   * @param columns the number of columns
   * @param numbers the numbers, row by row
   * @param labels the names of the axes and of the numbers
   * @throws InvalidUseException if no number is finite
   */
  BufferedImage heatMap(int rows, int columns, double[] numbers, PlotLabels labels) {
    PlotRange all = PlotRange.of(numbers, wish, title);
    boolean isGiven = wish.ends().isPresent(); // then the ends stand for what is outside
    PlotGrid few = PlotGrid.of(rows, columns, isGiven ? numbers : all.within(numbers));
    PlotRange range = PlotRange.of(few.values(), wish, title);
    PlotScale scale = scale(range);
    PlotGrid grid = new PlotGrid(few.rows(), few.columns(), scale.shown(few.values()));
    String text = joined(labels.value(), scale.text(), all.remark());
    PlotAxis[] axes = labels.axes().toArray(PlotAxis[]::new);
    return new HeatMapDrawing(width, height).draw(title, grid, range.shown(scale), text, axes);
  }

  /**
   * {@return a histogram: the count of numbers in each of equal parts of their range}
   *
   * @param numbers the numbers
   * @param labels the name of the numbers
   */
  BufferedImage histogram(double[] numbers, PlotLabels labels) {
    PlotRange range = PlotRange.of(numbers, wish, title);
    PlotScale scale = scale(range);
    String value = labels.value().isEmpty() ? "value" : labels.value();
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(width)
            .height(height)
            .title(title)
            .xAxisTitle(joined(value, scale.text(), range.remark()))
            .yAxisTitle("count")
            .build();
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setAvailableSpaceFill(0.98);
    chart.getStyler().setXAxisMaxLabelCount(LABELS);
    chart.getStyler().setXAxisDecimalPattern("0.###E0");
    int bins = range.most() > range.least() ? BINS : 1;
    long[] counts = new long[bins];
    for (double number : numbers) {
      double part = range.part(number);
      if (number >= range.least() && number <= range.most() && !Double.isNaN(part)) {
        counts[Math.min(bins - 1, (int) (part * bins))]++;
      }
    }
    List<Double> middles =
        IntStream.range(0, bins)
            .mapToObj(bin -> middle(range.shown(scale), (bin + 0.5) / bins))
            .toList();
    chart.addSeries("numbers", middles, Arrays.stream(counts).boxed().toList());
    return BitmapEncoder.getBufferedImage(chart);
  }

  private static double middle(PlotRange shown, double part) {
    return shown.isLogarithmic()
        ? shown.least() * Math.pow(shown.most() / shown.least(), part)
        : shown.least() + (shown.most() - shown.least()) * part;
  }
}
