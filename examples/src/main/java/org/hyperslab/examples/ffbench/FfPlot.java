package org.hyperslab.examples.ffbench;

import java.awt.image.BufferedImage;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/** Draws results as a picture: the times of each scenario without a compactor and with one. */
public final class FfPlot {

  private FfPlot() {}

  /**
   * Draws a bar chart.
   *
   * @param results the results to show
   * @param title the title above the bars
   * @return the picture
   */
  public static BufferedImage of(List<FfResult> results, String title) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(1100)
            .height(560)
            .title(title)
            .xAxisTitle("")
            .yAxisTitle("seconds")
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNE);
    chart.getStyler().setAvailableSpaceFill(0.7);
    chart.getStyler().setXAxisLabelRotation(12);
    chart.getStyler().setLabelsVisible(true);
    List<String> names = results.stream().map(result -> result.scenario().title()).toList();
    chart.addSeries(
        "without compactor",
        names,
        results.stream().map(result -> rounded(result.without().seconds())).toList());
    chart.addSeries(
        "with compactor",
        names,
        results.stream().map(result -> rounded(result.with().seconds())).toList());
    return BitmapEncoder.getBufferedImage(chart);
  }

  private static double rounded(double seconds) {
    return Math.round(seconds * 1e4) / 1e4;
  }
}
