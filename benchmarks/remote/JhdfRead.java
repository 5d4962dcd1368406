import io.jhdf.HdfFile;
import java.net.URI;

/**
 * Reads rows of a remote dataset by jHDF: {@code java -cp … JhdfRead.java URL DATASET FIRST COUNT}.
 */
final class JhdfRead {
  public static void main(String[] args) throws Exception {
    try (HdfFile file = new HdfFile(URI.create(args[0]).toURL())) {
      var data = file.getDatasetByPath(args[1]);
      int columns = data.getDimensions()[1];
      long[] start = {Long.parseLong(args[2]), 0};
      float[][] rows =
          (float[][]) data.getData(start, new int[] {Integer.parseInt(args[3]), columns});
      if (rows[0][0] == 0) {
        throw new IllegalStateException("no rows");
      }
    }
  }
}
