package org.hyperslab.tools.plot;

import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Slice;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.BitfieldType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.tools.command.ConnectorOption;
import org.hyperslab.tools.command.ObjectAddress;
import org.hyperslab.tools.command.OutputFile;
import org.hyperslab.tools.command.PictureFile;
import org.hyperslab.tools.command.Streams;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws a slice of a dataset, or a FLASH variable, as a picture. */
@Command(
    name = "plot",
    header = "draws a slice of a dataset as a picture",
    description = {
      "Draws a slice of a dataset as a PNG or JPEG picture: a line for one dimension, a heat map"
          + " for two, with the first row at the bottom. Slices are written as in NumPy. NaN and"
          + " the numbers of missing elements (_FillValue, missing_value) are not drawn.",
      "",
      "  hyperslab plot run.h5:/density[10,:,:] -o density.png",
      "  hyperslab plot run.h5:/energy --histogram -o energy.png",
      "  hyperslab plot flash_hdf5_chk_0000 --flash dens -o dens.png",
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class PlotCommand implements Callable<Integer> {

  /** The greatest number of elements read for a picture. */
  private static final long MAX_ELEMENTS = 1L << 26;

  /** The attributes with the numbers of missing elements, by netCDF's conventions. */
  private static final List<String> MISSING = List.of("_FillValue", "missing_value");

  @Parameters(
      paramLabel = "FILE:/PATH[SLICE]",
      description = "the slice to draw; the file alone with --flash")
  private String what;

  @Option(
      names = {"-o", "--out"},
      paramLabel = "FILE",
      required = true,
      description = "the picture, .png or .jpg, replaced if it exists")
  private Path out;

  @Option(names = "--histogram", description = "draws a histogram of the values instead")
  private boolean histogram;

  @Option(
      names = "--flash",
      paramLabel = "NAME",
      description =
          "a variable of a FLASH file, such as dens: the leaves of the mesh combined, in the"
              + " middle of the third dimension")
  private String flash;

  @Option(names = "--title", paramLabel = "TEXT", description = "title of the picture")
  private String title;

  @Option(
      names = "--size",
      paramLabel = "WIDTHxHEIGHT",
      defaultValue = "900x650",
      description = "size of the picture in pixels (default: ${DEFAULT-VALUE})")
  private String size;

  @Option(names = "--log", description = "a logarithmic scale; numbers up to 0 are not drawn")
  private boolean logarithmic;

  @Option(
      names = "--range",
      paramLabel = "LEAST,MOST",
      description =
          "the range of the colours, or of the axis of numbers (default: all numbers but those far"
              + " from all others, such as -1e20)")
  private String range;

  @Mixin private final ConnectorOption connector;

  /**
   * Creates the command.
   *
   * @param streams where messages go
   */
  public PlotCommand(Streams streams) {
    this.connector = new ConnectorOption(streams);
  }

  @Override
  public Integer call() {
    System.setProperty("java.awt.headless", "true");
    OutputFile.requireOther(flash == null ? place().file() : what, out);
    PictureFile file = PictureFile.of(out);
    file.write(flash == null ? ofSlice() : ofFlash());
    return 0;
  }

  private PlotPicture picture(String usual) {
    Matcher matcher = Pattern.compile("(\\d{2,4})x(\\d{2,4})").matcher(size);
    if (!matcher.matches()) {
      throw new InvalidUseException(
          "--size: actual=" + size + ", expected=WIDTHxHEIGHT, each of 10 to 9999 pixels");
    }
    return new PlotPicture(
        title == null ? usual : title,
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        new PlotRange.Wish(Optional.ofNullable(range).map(PlotCommand::ends), logarithmic));
  }

  private static double[] ends(String text) {
    try {
      String[] words = text.split(",", -1);
      double[] ends = {Double.parseDouble(words[0]), Double.parseDouble(words[1])};
      if (words.length == 2 && ends[0] < ends[1] && Double.isFinite(ends[1] / 2 - ends[0] / 2)) {
        return ends;
      }
    } catch (NumberFormatException | IndexOutOfBoundsException wrong) {
      // said below
    }
    throw new InvalidUseException("--range: actual=" + text + ", expected=LEAST,MOST, two numbers");
  }

  private BufferedImage ofFlash() {
    try (connector;
        H5File file = connector.open(what)) {
      PlotGrid grid = FlashPicture.of(file, flash);
      List<PlotAxis> axes =
          List.of(PlotAxis.ofIndices("", grid.rows()), PlotAxis.ofIndices("", grid.columns()));
      return picture(flash + " of " + Path.of(what).getFileName())
          .heatMap(grid.rows(), grid.columns(), grid.values(), new PlotLabels(axes, "", ""));
    }
  }

  private ObjectAddress place() {
    ObjectAddress place = ObjectAddress.of(what);
    if (place.file().equals(what)) {
      throw new InvalidUseException(
          "what to draw: actual=" + what + ", expected=FILE:/PATH or FILE:/PATH[SLICE]");
    }
    return place;
  }

  private BufferedImage ofSlice() {
    try (connector;
        H5File file = place().open(connector, OpenOptions.READ)) {
      ObjectAddress.Part part = place().part(file);
      try (Dataset dataset = dataset(file, part.path())) {
        Slice slice = dataset.slice(part.slice());
        PlotLabels labels = PlotLabels.of(dataset, part.slice(), slice.shape());
        String name = part.path() + (part.slice().isEmpty() ? "" : "[" + part.slice() + "]");
        String position = labels.position().isEmpty() ? "" : ", " + labels.position();
        return drawn(slice, labels, picture(name + position));
      }
    }
  }

  private Dataset dataset(H5File file, String path) {
    H5Object object = file.get(path);
    if (object instanceof Dataset dataset) {
      return dataset;
    }
    String kind = object instanceof Group ? "a group" : "a datatype";
    object.close();
    throw new InvalidUseException(
        "what to draw: actual="
            + kind
            + ", expected=a dataset of numbers; 'hyperslab ls' lists them, at="
            + what);
  }

  private double[] numbers(Slice slice) {
    Datatype type = slice.dataset().type();
    boolean isNumber =
        type instanceof IntegerType
            || type instanceof FloatType
            || type instanceof EnumType
            || type instanceof BitfieldType;
    try {
      return slice.readDoubles();
    } catch (InvalidUseException failure) {
      if (isNumber) {
        throw failure;
      }
      InvalidUseException better =
          new InvalidUseException(
              "what to draw: actual=elements of the type "
                  + type.describe()
                  + ", expected=a dataset of numbers, at="
                  + what);
      better.addSuppressed(failure); // as a cause, its message would be printed, too
      throw better;
    }
  }

  private BufferedImage drawn(Slice slice, PlotLabels labels, PlotPicture picture) {
    long[] shape = slice.shape();
    boolean hasShape = histogram || shape.length == 1 || shape.length == 2;
    if (slice.elementCount() == 0 || slice.elementCount() > MAX_ELEMENTS || !hasShape) {
      throw new InvalidUseException(
          String.format(
              Locale.ROOT,
              "slice: actual=%s, expected=1 to %d elements of %s; choose by indices and steps, such"
                  + " as [0,:,::10], at=%s",
              Arrays.toString(shape),
              MAX_ELEMENTS,
              histogram ? "any shape" : "one or two dimensions",
              what));
    }
    double[] numbers = withoutMissing(numbers(slice), slice.dataset());
    if (histogram) {
      return picture.histogram(numbers, labels);
    }
    if (shape.length == 1) {
      return picture.line(numbers, labels);
    }
    return picture.heatMap((int) shape[0], (int) shape[1], numbers, labels);
  }

  /** Numbers that attributes state to be those of missing elements become NaN. */
  private static double[] withoutMissing(double[] numbers, Dataset dataset) {
    for (String name : MISSING) {
      if (!dataset.hasAttribute(name)) {
        continue;
      }
      try {
        for (double missing : dataset.attribute(name).readDoubles()) {
          for (int i = 0; i < numbers.length; i++) {
            numbers[i] = numbers[i] == missing ? Double.NaN : numbers[i];
          }
        }
      } catch (HyperslabException noNumber) {
        // an attribute of another meaning
      }
    }
    return numbers;
  }
}
