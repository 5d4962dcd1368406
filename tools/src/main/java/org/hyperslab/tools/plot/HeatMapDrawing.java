package org.hyperslab.tools.plot;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;

/**
 * Draws a heat map: every pixel of its area has the colour of one cell, so that no lines run
 * between cells. Beside it are axes and a colour scale.
 *
 * <p>Thread rule: confined to one thread.
 */
final class HeatMapDrawing {

  /** Colours from dark to light that colour-blind people can distinguish: steps of viridis. */
  private static final int[] COLOURS = {
    0x440154, 0x482878, 0x3E4A89, 0x31688E, 0x26828E, 0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C,
    0xFDE725,
  };

  private static final Color INK = new Color(0x333333);
  private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 14);
  private static final int GAP = 8;
  private static final int TICK = 5;
  private static final int SCALE_WIDTH = 18;
  private static final int LABEL_WIDTH = 60;
  private static final int LABEL_DISTANCE_X = 80;
  private static final int LABEL_DISTANCE_Y = 45;

  /** The least width and height of the cells, in pixels, beside which there is room for axes. */
  private static final int LEAST_AREA = 10;

  private final BufferedImage picture;
  private final Graphics2D graphics;
  private final FontMetrics metrics;
  private int left;
  private int right;
  private int top;
  private int bottom;

  /**
   * Creates a white picture.
   *
   * @param width its width in pixels
   * @param height its height in pixels
   */
  HeatMapDrawing(int width, int height) {
    picture = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    graphics = picture.createGraphics();
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, width, height);
    graphics.setFont(FONT);
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    metrics = graphics.getFontMetrics();
  }

  /**
   * Draws the grid with its axes, titles and colour scale. In a picture that is too small for
   * these, the cells fill all of it.
   *
   * @param title the text above
   * @param grid what is drawn
   * @param range the range of the colours
   * @param scaleTitle the text beside the colour scale
   * @param axes the axis of rows, of which the first is at the bottom, and that of columns
   * @return the picture
   */
  BufferedImage draw(
      String title, PlotGrid grid, PlotRange range, String scaleTitle, PlotAxis[] axes) {
    PlotAxis down = axes[0];
    PlotAxis across = axes[1];
    int line = metrics.getHeight();
    boolean hasScaleTitle = !scaleTitle.isEmpty();
    left = GAP + (down.title().isEmpty() ? 0 : line) + LABEL_WIDTH;
    top = 2 * GAP + graphics.getFontMetrics(TITLE).getHeight();
    int scaleRoom = 3 * GAP + SCALE_WIDTH + LABEL_WIDTH + (hasScaleTitle ? line : 0);
    right = picture.getWidth() - scaleRoom;
    int below = 2 * GAP + line + (across.title().isEmpty() ? 0 : line);
    bottom = picture.getHeight() - below;
    if (right - left < LEAST_AREA || bottom - top < LEAST_AREA) {
      left = 0;
      top = 0;
      right = picture.getWidth();
      bottom = picture.getHeight();
      cells(grid, range);
    } else {
      title(title);
      cells(grid, range);
      graphics.drawRect(left - 1, top - 1, right - left + 1, bottom - top + 1);
      across(across);
      down(down);
      scale(range, scaleTitle);
    }
    graphics.dispose();
    return picture;
  }

  private void title(String text) {
    graphics.setFont(TITLE);
    graphics.setColor(Color.BLACK);
    int width = graphics.getFontMetrics().stringWidth(text);
    int x = Math.max(GAP, (picture.getWidth() - width) / 2);
    graphics.drawString(text, x, GAP + graphics.getFontMetrics().getAscent());
    graphics.setFont(FONT);
    graphics.setColor(INK);
  }

  private void cells(PlotGrid grid, PlotRange range) {
    int height = bottom - top;
    int width = right - left;
    for (int y = 0; y < height; y++) {
      int row = (int) ((long) (height - 1 - y) * grid.rows() / height);
      for (int x = 0; x < width; x++) {
        int column = (int) ((long) x * grid.columns() / width);
        double part = range.part(grid.value(row, column));
        if (!Double.isNaN(part)) {
          picture.setRGB(left + x, top + y, colour(part));
        }
      }
    }
  }

  /** Returns the colour of a part of the range. */
  private static int colour(double part) {
    double place = part * (COLOURS.length - 1);
    int step = Math.min((int) place, COLOURS.length - 2);
    double rest = place - step;
    int colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int from = COLOURS[step] >> shift & 0xFF;
      int to = COLOURS[step + 1] >> shift & 0xFF;
      colour |= (int) Math.round(from + (to - from) * rest) << shift;
    }
    return colour;
  }

  // --- axes ---

  private static AxisTicks ticks(PlotAxis axis, int pixels, int distance) {
    double low = Math.min(axis.first(), axis.last());
    double high = Math.max(axis.first(), axis.last());
    return AxisTicks.linear(low, high, Math.max(1, pixels / distance), axis.isIndex());
  }

  /** Returns where a coordinate is on an axis, in pixels: at the middle of its cell. */
  private static int place(PlotAxis axis, double coordinate, int pixels) {
    double index =
        axis.last() == axis.first()
            ? 0
            : (coordinate - axis.first()) / (axis.last() - axis.first()) * (axis.cells() - 1);
    return (int) Math.min(pixels - 1, (index + 0.5) * pixels / axis.cells());
  }

  private void across(PlotAxis axis) {
    int width = right - left;
    for (AxisTicks.Tick tick : ticks(axis, width, LABEL_DISTANCE_X).ticks()) {
      int x = left + place(axis, tick.value(), width);
      graphics.drawLine(x, bottom, x, bottom + TICK);
      int half = metrics.stringWidth(tick.label()) / 2;
      graphics.drawString(tick.label(), x - half, bottom + TICK + metrics.getAscent() + 1);
    }
    int half = metrics.stringWidth(axis.title()) / 2;
    graphics.drawString(axis.title(), (left + right) / 2 - half, picture.getHeight() - GAP + 1);
  }

  private void down(PlotAxis axis) {
    int height = bottom - top;
    for (AxisTicks.Tick tick : ticks(axis, height, LABEL_DISTANCE_Y).ticks()) {
      int y = bottom - 1 - place(axis, tick.value(), height);
      graphics.drawLine(left - 1 - TICK, y, left - 1, y);
      int width = metrics.stringWidth(tick.label());
      graphics.drawString(tick.label(), left - TICK - 4 - width, y + metrics.getAscent() / 2 - 1);
    }
    upwards(axis.title(), GAP + metrics.getAscent());
  }

  /** Draws a text from the bottom to the top, beside the middle of the area. */
  private void upwards(String text, int x) {
    AffineTransform before = graphics.getTransform();
    graphics.rotate(-Math.PI / 2, x, (top + bottom) / 2.0);
    graphics.drawString(text, x - metrics.stringWidth(text) / 2, (top + bottom) / 2);
    graphics.setTransform(before);
  }

  private void scale(PlotRange range, String text) {
    int x = right + 2 * GAP;
    int height = bottom - top;
    for (int y = 0; y < height; y++) {
      double part = height == 1 ? 0 : (height - 1 - y) / (double) (height - 1);
      graphics.setColor(new Color(colour(part)));
      graphics.drawLine(x, top + y, x + SCALE_WIDTH - 1, top + y);
    }
    graphics.setColor(INK);
    graphics.drawRect(x - 1, top - 1, SCALE_WIDTH + 1, height + 1);
    int most = Math.max(2, height / LABEL_DISTANCE_Y);
    AxisTicks ticks =
        range.isLogarithmic()
            ? AxisTicks.logarithmic(range.least(), range.most(), most)
            : AxisTicks.linear(range.least(), range.most(), most, false);
    for (AxisTicks.Tick tick : ticks.ticks()) {
      int y = bottom - 1 - (int) Math.round(range.part(tick.value()) * (height - 1));
      graphics.drawLine(x + SCALE_WIDTH, y, x + SCALE_WIDTH + TICK, y);
      graphics.drawString(
          tick.label(), x + SCALE_WIDTH + TICK + 3, y + metrics.getAscent() / 2 - 1);
    }
    upwards(text, picture.getWidth() - GAP);
  }
}
