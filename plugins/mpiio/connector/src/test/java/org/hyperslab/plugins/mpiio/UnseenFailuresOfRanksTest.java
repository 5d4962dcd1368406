package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that an edit which ranks started and which failed is told by the next flush or close, on
 * each rank that did not look at its future.
 */
final class UnseenFailuresOfRanksTest {

  private final TemporaryFolder folder = TemporaryFolder.create("unseen");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  /** Starts an edit that fails on all ranks, in each way in which one can be started. */
  private static List<Consumer<H5File>> failing() {
    return List.of(
        file -> file.dataset("bytes").writeAsync(new int[] {1, 300, 2}),
        file -> file.dataset("bytes").writeAsync(Selection.all(), new int[4]),
        file -> file.dataset("bytes").setExtentAsync(4),
        file -> file.root().createAttributeAsync("there", 2),
        file -> file.root().setAttributeAsync("new", new Object()),
        file -> file.root().createGroupAsync("bytes"),
        file -> file.root().datasetBuilder("bytes").type(Datatypes.I32LE).shape(2).createAsync());
  }

  private static H5File created(Session session, String name) {
    H5File file = session.create(name);
    file.createDataset("bytes", byte.class, 3);
    file.setAttribute("there", 1);
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"mpiio", "mpiio metadata=independent"})
  void failureThatNobodySawIsToldByTheNextFlushOrClose(String connector) {
    ThreadWorld.of(2)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          try (Session session = Hdf5.session(connector)) {
            int number = 0;
            for (Consumer<H5File> edit : failing()) {
              String which = connector + " " + number;
              H5File closed = created(session, folder.file("closed" + number + ".h5").toString());
              edit.accept(closed);
              assertThat(catchThrowable(closed::close))
                  .as(which)
                  .isInstanceOf(HyperslabException.class);
              H5File flushed = created(session, folder.file("flush" + number++ + ".h5").toString());
              edit.accept(flushed);
              assertThat(catchThrowable(flushed::flush))
                  .as(which)
                  .isInstanceOf(HyperslabException.class);
              flushed.flush(); // told once
              flushed.close();
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"mpiio", "mpiio metadata=independent"})
  void failureThatARankHasSeenIsNotToldToItAgain(String connector) {
    ThreadWorld.of(2)
        .withTimeLimit(Duration.ofMinutes(5))
        .run(comm -> {
          try (Session session = Hdf5.session(connector)) {
            H5File file = created(session, folder.file("seen.h5").toString());
            CompletableFuture<Void> edit = file.root().createAttributeAsync("there", 2);
            if (comm.rank() == 0) {
              assertThat(catchThrowable(edit::join)).hasMessageContaining("there");
            }
            Throwable told = catchThrowable(file::flush);
            if (comm.rank() == 0) {
              assertThat(told).isNull();
            } else {
              assertThat(told).isInstanceOf(HyperslabException.class);
            }
            file.close();
          }
        });
  }
}
