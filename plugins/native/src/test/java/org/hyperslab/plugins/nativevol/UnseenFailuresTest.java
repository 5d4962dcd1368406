package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.hyperslab.Dataset;
import org.hyperslab.EventSet;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a failed edit is told by the next flush or close if its future is not looked at. */
final class UnseenFailuresTest {

  @TempDir private Path folder;

  /** Starts an edit that fails, in each way in which one can be started. */
  private static List<Consumer<H5File>> failing() {
    return List.of(
        file -> file.dataset("bytes").writeAsync(new int[] {1, 300, 2}),
        file -> file.dataset("bytes").writeAsync(Selection.all(), new int[4]),
        file -> file.dataset("bytes").slice("1:").writeAsync(new int[] {1, 300}),
        file -> file.dataset("bytes").slice("1:").writeAsync(new Object()),
        file -> file.dataset("bytes").setExtentAsync(4),
        file -> file.root().createAttributeAsync("there", 2),
        file -> file.root().setAttributeAsync("new", new Object()),
        file -> file.multiWrite().write(file.dataset("bytes"), new int[] {1, 300, 2}).runAsync(),
        file -> file.root().createGroupAsync("bytes"),
        file -> file.root().datasetBuilder("bytes").type(Datatypes.I32LE).shape(2).createAsync());
  }

  private H5File created(Session session, String name) {
    H5File file = session.create(folder.resolve(name));
    file.createDataset("bytes", byte.class, 3).write(new byte[] {4, 5, 6});
    file.root().setAttribute("there", 1);
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "async | native", "caching | async | native"})
  void failureThatNobodySawIsToldByTheNextFlushOrClose(String connectors) {
    try (Session session = Hdf5.session(connectors)) {
      int number = 0;
      for (Consumer<H5File> edit : failing()) {
        String which = connectors + " " + number;
        H5File closed = created(session, "closed" + number + ".h5");
        edit.accept(closed);
        assertThat(catchThrowable(closed::close)).as(which).isNotNull();
        assertThat(closed.isClosed()).isTrue();
        H5File flushed = created(session, "flushed" + number++ + ".h5");
        edit.accept(flushed);
        assertThat(catchThrowable(flushed::flush)).as(which).isNotNull();
        flushed.flush(); // told once
        flushed.close();
      }
    }
    try (H5File file = Hdf5.open(folder.resolve("closed0.h5"))) {
      assertThat(file.dataset("bytes").readInts()).containsExactly(4, 5, 6);
    }
  }

  @Test
  void failuresNameTheirObjectsAndTheFirstHasTheOthers() {
    H5File file = created(Hdf5.session("native"), "x.h5");
    file.dataset("bytes").writeAsync(new int[] {1, 300, 2});
    file.root().createAttributeAsync("there", 2);
    Throwable thrown = catchThrowable(file::close);
    assertThat(thrown)
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContainingAll("300", "/bytes");
    assertThat(thrown.getSuppressed()).hasSize(1);
    assertThat(thrown.getSuppressed()[0])
        .isInstanceOf(AlreadyExistsException.class)
        .hasMessageContaining("there");
  }

  @Test
  void failureThatWasSeenIsNotToldAgain() {
    List<Consumer<CompletableFuture<Void>>> looks =
        List.of(
            future -> catchThrowable(future::join),
            future -> catchThrowable(future::get),
            future -> future.exceptionally(_ -> null),
            future -> future.thenApply(x -> x).handle((_, failure) -> failure),
            future -> new EventSet().insert(future),
            CompletableFuture::exceptionNow);
    try (H5File file = created(Hdf5.session("native"), "x.h5")) {
      for (Consumer<CompletableFuture<Void>> look : looks) {
        look.accept(file.dataset("bytes").writeAsync(new int[] {1, 300, 2}));
        file.flush();
      }
      assertThatThrownBy(() -> file.dataset("bytes").write(new int[] {1, 300, 2}))
          .isInstanceOf(InvalidUseException.class);
      assertThatThrownBy(() -> file.createGroup("bytes"))
          .isInstanceOf(AlreadyExistsException.class);
    }
  }

  @Test
  void futureOfACloseHasTheFailure() {
    H5File file = created(Hdf5.session("native"), "x.h5");
    file.dataset("bytes").writeAsync(new int[] {1, 300, 2});
    assertThat(file.closeAsync()).failsWithin(Duration.ofMinutes(1));
    assertThat(file.isClosed()).isTrue();
  }

  @Test
  void otherFilesAndEditsThatSucceedAreNotAffected() {
    try (Session session = Hdf5.session("native");
        H5File other = created(session, "other.h5")) {
      H5File file = created(session, "x.h5");
      file.dataset("bytes").writeAsync(new int[] {1, 300, 2});
      Dataset bytes = other.dataset("bytes");
      List<CompletableFuture<Void>> futures = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        futures.add(bytes.writeAsync(new int[] {i, i, i}));
      }
      other.flush();
      assertThat(futures).allMatch(CompletableFuture::isDone);
      assertThat(bytes.readInts()).containsExactly(99, 99, 99);
      assertThatThrownBy(file::close).isInstanceOf(InvalidUseException.class);
    }
  }
}
