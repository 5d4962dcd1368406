package org.hyperslab.plugins.mpiio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.StoreDecorator;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.ThreadWorld;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.mpiio.waiting.LeapingTicker;
import org.hyperslab.testkit.TemporaryFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests collective calls of the HDF5 API that some ranks never make, or make late. */
final class AbsentRankTest {

  private static final int RANKS = 3;

  private final TemporaryFolder folder = TemporaryFolder.create("absent-rank");

  @AfterEach
  void deleteFolder() {
    folder.close();
  }

  private static MpiioOptions options(String hints) {
    return MpiioOptions.DEFAULT.withHints(Hints.parse(hints));
  }

  private enum Routine {
    CREATE_GROUP,
    FLUSH,
    CLOSE,
    OPEN
  }

  private void call(Session session, H5File file, Routine routine) {
    switch (routine) {
      case CREATE_GROUP -> file.createGroup("late");
      case FLUSH -> file.flush();
      case CLOSE -> file.close();
      case OPEN -> session.open(name(), OpenOptions.READ).close();
    }
  }

  private String name() {
    return folder.file("absent.h5").toString();
  }

  private static void pauseUntil(Communicator comm, CountDownLatch latch) {
    while (latch.getCount() > 0) {
      comm.ticker().parkNanos(latch, 1_000_000);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, CREATE_GROUP", "0, CREATE_GROUP", "2, FLUSH", "0, FLUSH", "1, CLOSE", "0, OPEN"})
  void absentRankIsNamedOnTheOthersWhichCloseTheFile(int absent, Routine routine) {
    CountDownLatch ended = new CountDownLatch(RANKS - 1);
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          MpiioConnector connector = MpiioConnector.over(comm, options("hyperslab_deadline=2"));
          Session session = Hdf5.session(connector);
          H5File file = session.create(name(), CreateOptions.DEFAULT);
          file.createGroup("early");
          file.flush();
          if (comm.rank() == absent) {
            pauseUntil(comm, ended);
            Throwable late = catchThrowable(file::close);
            assertThat(late == null || late instanceof HyperslabException).isTrue();
            return;
          }
          Throwable failure = catchThrowable(() -> call(session, file, routine));
          assertThat(failure).isInstanceOf(HyperslabException.class);
          assertThat(failure).hasStackTraceContaining("for rank " + absent);
          assertThat(catchThrowable(() -> file.createGroup("later")))
              .isInstanceOf(HyperslabException.class);
          Throwable closing = catchThrowable(file::close);
          assertThat(closing == null || closing instanceof HyperslabException).isTrue();
          ended.countDown();
        });
    try (H5File file = Hdf5.open(folder.file("absent.h5"))) {
      assertThat(file.exists("early")).isTrue();
      assertThat(file.exists("late")).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void rankThatCallsAloneGivesUpTheOthers(int caller) {
    CountDownLatch failed = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(RANKS - 1);
    ThreadWorld.of(RANKS)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          MpiioConnector connector = MpiioConnector.over(comm, options("hyperslab_deadline=2"));
          H5File file = Hdf5.session(connector).create(name(), CreateOptions.DEFAULT);
          file.createGroup("early");
          file.flush();
          if (comm.rank() == caller) {
            Throwable failure = catchThrowable(() -> file.createGroup("alone"));
            failed.countDown();
            assertThat(failure).isInstanceOf(HyperslabException.class);
            assertThat(failure).hasStackTraceContaining("for ");
          } else {
            failed.await();
          }
          Throwable closing = catchThrowable(file::close);
          assertThat(closing == null || closing instanceof HyperslabException).isTrue();
          if (comm.rank() != caller) {
            ended.countDown();
          }
          pauseUntil(comm, ended); // a rank that has ended would be a deadlock of the others
        });
    try (H5File file = Hdf5.open(folder.file("absent.h5"))) {
      assertThat(file.exists("early")).isTrue();
      assertThat(file.exists("alone")).isFalse();
    }
  }

  @Test
  void longFlushesAreNotTakenForAbsence() {
    CreateOptions durable =
        CreateOptions.DEFAULT.withAccess(OpenOptions.EDIT.withDurability(Durability.POWER_CUT));
    LeapingTicker ticker = new LeapingTicker(); // three seconds that nobody waits for
    ThreadWorld.of(RANKS)
        .withTicker(ticker)
        .withTimeLimit(Duration.ofMinutes(1))
        .run(comm -> {
          MpiioOptions slow =
              options("hyperslab_deadline=2")
                  .withStores((ByteStore store) ->
                      new StoreDecorator(store) {
                        @Override
                        public void force(boolean metadata) {
                          ticker.pause(TimeUnit.SECONDS.toNanos(3));
                          super.force(metadata);
                        }
                      });
          try (MpiioConnector connector = MpiioConnector.over(comm, slow);
              Session session = Hdf5.session(connector)) {
            H5File file = session.create(name(), durable);
            file.createGroup("g");
            file.flush();
            file.close();
          }
        });
  }
}
