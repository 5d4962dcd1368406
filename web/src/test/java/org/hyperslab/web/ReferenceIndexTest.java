package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.Test;

/** Tests that references lead to the elements of the file. */
final class ReferenceIndexTest {

  @Test
  void corpusIsReadThroughReferencesAsByH5py() throws IOException {
    CorpusJudge.compareReferences();
  }

  @Test
  void inexpressibleChunksAreEmbeddedOrReported() {
    try (TemporaryFolder folder = TemporaryFolder.create("index");
        H5File file = Hdf5.create(folder.file("x.h5"))) {
      file.createDataset("plain", new int[1000]).close();
      file.createDataset(
              "summed",
              new int[100],
              DatasetOptions.chunked(50)
                  .filter(FilterSpec.deflate(1))
                  .filter(FilterSpec.fletcher32())
                  .build())
          .close();
      file.createDataset(
              "lzf", new int[100], DatasetOptions.chunked(50).filter(FilterSpec.lzf()).build())
          .close();
      file.createDataset("words", new String[] {"one", "two"}).close();
      file.createDataset("ragged", new int[][] {{1}, {2}}).close();
      file.createDataset("long", new String[] {"x".repeat(5000)}).close();
      file.root().createSoftLink("soft", "plain");
      file.flush();
      ReferenceIndex.Result index = ReferenceIndex.of(file, "s3://bucket/x.h5", 1000);
      assertThat(index.json())
          .startsWith("{\"version\":1,\"refs\":{\".zgroup\":")
          .containsPattern("\"plain/0\":\\[\"s3://bucket/x.h5\",\\d+,4000]")
          .containsPattern("\"summed/1\":\\[\"s3://bucket/x.h5\",\\d+,\\d+]")
          .contains("\"lzf/0\":\"base64:", "\"words/0\":\"base64:")
          .doesNotContain("soft", "long/", "NaN");
      assertThat(index.leftOut().keySet()).containsExactly("long");
      assertThat(index.leftOut().get("long")).contains("more than the limit of 1000");
    }
  }
}
