import java.nio.file.Path;
import java.util.Arrays;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;

/** Reads one value, writes 10 MB, or reads 100 MB of deflated chunks, in a process of its own. */
final class Cold {
  private Cold() {}

  public static void main(String[] arguments) {
    Path path = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "nothing" -> System.out.println(path);
      case "first" -> {
        try (H5File file = Hdf5.open(path); Dataset dataset = file.dataset("x")) {
          System.out.println(dataset.readInts()[3]);
        }
      }
      case "write" -> {
        double[] values = new double[1_250_000];
        Arrays.setAll(values, i -> i);
        try (H5File file = Hdf5.create(path)) {
          file.createDataset("x", values).close();
        }
      }
      default -> {
        try (H5File file = Hdf5.open(path); Dataset dataset = file.dataset("x")) {
          System.out.println(dataset.readDoubles()[3]);
        }
      }
    }
  }
}
