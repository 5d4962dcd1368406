package org.hyperslab.examples.guide;

import java.io.PrintStream;
import java.nio.file.Path;
import org.hyperslab.Dataset;
import org.hyperslab.DimensionScales;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;

/** Describes data: attributes for units and origin, dimension scales for coordinates. */
final class Scales {

  private Scales() {}

  static void run(Path folder, PrintStream out) {
    Path path = folder.resolve("scales.h5");
    try (H5File file = Hdf5.create(path)) {
      file.root().setAttribute("Conventions", "CF-1.10");
      file.root().setAttribute("instruments", new String[] {"A", "B"});
      Dataset latitude = file.createDataset("lat", new double[] {-45, 0, 45});
      Dataset longitude = file.createDataset("lon", new double[] {0, 90, 180, 270});
      Dataset pressure = file.createDataset("pressure", new float[3][4]);
      pressure.setAttribute("units", "hPa");
      pressure.setAttribute("valid_range", new double[] {800, 1100});
      DimensionScales.makeScale(latitude, "latitude");
      DimensionScales.makeScale(longitude, "longitude");
      DimensionScales.attach(pressure, 0, latitude);
      DimensionScales.attach(pressure, 1, longitude);
    }
    try (H5File file = Hdf5.open(path)) {
      Dataset pressure = file.dataset("pressure");
      double[] range = pressure.attribute("valid_range").readDoubles();
      out.printf("%s, %s%n", file.root().attributeMap().keySet(), range[1]);
      String units = pressure.attribute("units", "unknown"); // or a default
      String origin = pressure.attribute("origin", "unknown");
      out.printf("units %s, origin %s%n", units, origin);
      for (int dimension = 0; dimension < pressure.rank(); dimension++) {
        Dataset scale = DimensionScales.scales(pressure, dimension).getFirst();
        out.printf(
            "dimension %d: %s of %d%n",
            dimension, DimensionScales.name(scale).orElse("?"), scale.elementCount());
      }
    }
  }
}
