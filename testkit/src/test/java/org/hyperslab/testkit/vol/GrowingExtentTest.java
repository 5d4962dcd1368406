package org.hyperslab.testkit.vol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionStage;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.testkit.memory.MemoryConnector;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.PassThroughConnector;
import org.junit.jupiter.api.Test;

/** Tests reads of all elements while another thread extends the dataset. */
final class GrowingExtentTest {

  /** Adds a row before each read, as another thread may. */
  private static final class Growing extends PassThroughConnector {
    Growing(Connector below) {
      super("growing", below);
    }

    @Override
    public <R> CompletionStage<R> submit(Operation<R> operation) {
      if (operation instanceof DatasetOperation.Read read) {
        below.submit(new DatasetOperation.Extend(read.dataset(), 1)).toCompletableFuture().join();
      }
      return super.submit(operation);
    }
  }

  @Test
  void readsReturnTheRowsThatExistedWhenTheyBegan() {
    try (Connector connector = new Growing(new MemoryConnector());
        Session session = Hdf5.session(connector);
        H5File file = session.create("f.h5", CreateOptions.DEFAULT)) {
      Dataspace one = Dataspace.simple(new long[] {1, 2}, new long[] {Dataspace.UNLIMITED, 2});
      Dataset dataset =
          file.datasetBuilder("d")
              .type(Datatypes.I32LE)
              .space(one)
              .options(DatasetOptions.chunked(4, 2).build())
              .create();
      dataset.write(new int[] {7, 8});
      assertThat(dataset.read(int[][].class)).isDeepEqualTo(new int[][] {{7, 8}});
      assertThat(dataset.readInts()).containsExactly(7, 8, 0, 0);
      assertThat(dataset.readAsync(int[].class).join()).hasSize(6);
      assertThat((int[][]) dataset.read()).hasDimensions(4, 2);
      int[][] into = new int[5][2];
      dataset.readInto(into);
      assertThat(into[0]).containsExactly(7, 8);
      assertThat(dataset.clamped().read(short[][].class)).hasDimensions(6, 2);
      assertThat(dataset.select(Selection.all()).readInts()).hasSize(14);
      assertThat(dataset.shape()).containsExactly(8, 2);
    }
  }
}
