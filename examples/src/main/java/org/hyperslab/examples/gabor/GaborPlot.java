package org.hyperslab.examples.gabor;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/** Results as a picture: for each variant the time of computation and of I/O, one on the other. */
public final class GaborPlot {

  private GaborPlot() {}

  /**
   * Draws a bar chart.
   *
   * @param results the results to show
   * @param title stands above the bars
   * @return the picture
   */
  public static BufferedImage of(List<GaborSegmentation.Result> results, String title) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(800)
            .height(500)
            .title(title)
            .xAxisTitle("")
            .yAxisTitle("seconds")
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart.getStyler().setAvailableSpaceFill(0.5);
    chart.getStyler().setStacked(true);
    chart.getStyler().setLabelsVisible(true);
    chart.addSeries("I/O", names(results), seconds(results, GaborSegmentation.Result::ioSeconds));
    chart.addSeries(
        "computation", names(results), seconds(results, GaborSegmentation.Result::computeSeconds));
    return BitmapEncoder.getBufferedImage(chart);
  }

  private static List<String> names(List<GaborSegmentation.Result> results) {
    return results.stream().map(result -> result.variant().title()).toList();
  }

  private static List<Double> seconds(
      List<GaborSegmentation.Result> results, ToDoubleFunction<GaborSegmentation.Result> value) {
    return results.stream()
        .map(result -> Math.round(value.applyAsDouble(result) * 1e4) / 1e4)
        .toList();
  }
}
