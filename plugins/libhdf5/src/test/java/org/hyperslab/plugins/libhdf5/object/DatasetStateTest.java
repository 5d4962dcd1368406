package org.hyperslab.plugins.libhdf5.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.Layout;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.model.Locking;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.nativevol.NativeConnector;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is known of an open dataset while its creation is under way. */
final class DatasetStateTest {

  @TempDir Path folder;

  @Test
  void anExtentThatIsSetBeforeTheCreationEndsIsNotForgotten() {
    try (Connector connector = new NativeConnector()) {
      Handle handle = Handle.fresh();
      String name = folder.resolve("a.h5").toString();
      var made =
          connector
              .submit(new FileOperation.Create(handle, name, CreateOptions.DEFAULT))
              .toCompletableFuture();
      OpenedFile file =
          new OpenedFile(
              connector,
              handle,
              name,
              new OpenedFile.FileKey("native", name),
              new OpenedFile.FileSettings(true, false, 0, 0, name, false, Locking.DEFAULT, null),
              CompletableFuture.completedFuture(made.join()));
      Dataspace two = Dataspace.simple(new long[] {2}, new long[] {Dataspace.UNLIMITED});
      Handle dataset = Handle.fresh();
      DatasetOperation.Spec spec =
          new DatasetOperation.Spec(
              Datatypes.I32LE,
              Optional.empty(),
              two,
              DatasetOptions.builder().layout(Layout.Chunked.of(4)).build());
      ObjectInfo created =
          file.call(
              new DatasetOperation.Create(
                  dataset, new Location(handle, "d"), spec, LinkOptions.DEFAULT));
      DatasetState state = new DatasetState(file, dataset, 0);
      state.created(spec);
      file.call(new DatasetOperation.SetExtent(dataset, List.of(5L)));
      state.forget();
      state.identify(created.token());
      assertThat(state.space().dims()).containsExactly(5);
      state.close();
      file.closeInConnector().join();
    }
  }
}
