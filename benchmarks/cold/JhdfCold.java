import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.Arrays;

/** What {@code Cold} does, with jHDF. */
final class JhdfCold {
  private JhdfCold() {}

  public static void main(String[] arguments) {
    Path path = Path.of(arguments[1]);
    if (arguments[0].equals("write")) {
      double[] values = new double[1_250_000];
      Arrays.setAll(values, i -> i);
      try (WritableHdfFile file = HdfFile.write(path)) {
        file.putDataset("x", values);
      }
      return;
    }
    try (HdfFile file = new HdfFile(path)) {
      System.out.println(Array.get(file.getDatasetByPath("x").getData(), 3));
    }
  }
}
