package org.hyperslab.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
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
      file.datasetBuilder("summed")
          .value(new int[100])
          .options(
              DatasetOptions.chunked(50)
                  .filter(FilterSpec.deflate(1))
                  .filter(FilterSpec.fletcher32())
                  .build())
          .create()
          .close();
      file.datasetBuilder("lzf")
          .value(new int[100])
          .options(DatasetOptions.chunked(50).filter(FilterSpec.lzf()).build())
          .create()
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

  @Test
  void unwrittenChunksAreEmbeddedUnlessFillValueIsTheirs() {
    try (TemporaryFolder folder = TemporaryFolder.create("index");
        H5File file = Hdf5.create(folder.file("x.h5"))) {
      DatasetOptions seven = DatasetOptions.chunked(2).fill(7).build();
      for (String name : new String[] {"none", "same", "other"}) {
        try (Dataset dataset =
            file.datasetBuilder(name).type(Datatypes.I32LE).shape(6).options(seven).create()) {
          dataset.write(Selection.box(new long[] {2}, new long[] {2}), new int[] {0, 5});
          switch (name) {
            case "same" -> dataset.setAttribute("_FillValue", 7);
            case "other" -> dataset.setAttribute("_FillValue", 0);
            default -> {}
          }
        }
      }
      file.createDataset("empty", Datatypes.F64LE, Dataspace.simple(1000, 1000)).close();
      file.flush();
      String json = ReferenceIndex.of(file, "x.h5", 2000).json();
      String sevens = "base64:BwAAAAcAAAA=";
      assertThat(json)
          .contains("\"none/0\":\"" + sevens, "\"none/2\":\"" + sevens)
          .contains("\"other/0\":\"" + sevens, "\"other/2\":\"" + sevens)
          .doesNotContain("same/0", "same/2")
          .contains("\"none/1\":[\"x.h5\"", "\"same/1\":[\"x.h5\"", "\"other/1\":[\"x.h5\"")
          .containsPattern("\"same/.zarray\":\"[^}]*fill_value\\\\\":7,")
          .containsPattern("\"other/.zarray\":\"[^}]*fill_value\\\\\":0,")
          .containsPattern("\"none/.zarray\":\"[^}]*fill_value\\\\\":null,")
          .contains("\"empty/0.0\":\"base64:");
    }
  }

  @Test
  void chunksThatDoNotFitIntoTheIndexAreReported() {
    try (TemporaryFolder folder = TemporaryFolder.create("index");
        H5File file = Hdf5.create(folder.file("x.h5"))) {
      try (Dataset dataset =
          file.datasetBuilder("sparse")
              .type(Datatypes.I32LE)
              .shape(100_000)
              .options(DatasetOptions.chunked(1000).build())
              .create()) {
        dataset.write(Selection.box(new long[] {0}, new long[] {1}), new int[] {1});
      }
      file.flush();
      ReferenceIndex.Result index = ReferenceIndex.of(file, "x.h5", 2000);
      assertThat(index.json()).doesNotContain("sparse");
      assertThat(index.leftOut().get("sparse")).contains("more than the limit of 2000");
    }
  }
}
