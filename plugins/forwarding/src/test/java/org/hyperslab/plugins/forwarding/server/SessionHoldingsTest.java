package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.junit.jupiter.api.Test;

/**
 * Tests that open files and objects, and the caches of files, count against the memory of a
 * session.
 */
final class SessionHoldingsTest {

  private static final int MIB = 1 << 20;

  private final OpenFileLimit limit = new OpenFileLimit(20);
  private final SessionHoldings holdings = new SessionHoldings(4 * MIB, limit);

  private OpenOptions open(SessionHoldings by, long handle, String path) {
    return by.openFile(new Handle(handle), path, path, OpenOptions.READ, 0);
  }

  private static ObjectOperation.Open opening(long object, long base) {
    return new ObjectOperation.Open(new Handle(object), new Location(new Handle(base), "x"));
  }

  @Test
  void cachesShrinkWithTheNumberOfFilesDownToAMinimum() {
    SessionHoldings session = new SessionHoldings(4 * MIB, new OpenFileLimit(1000));
    long before = MIB + 1;
    for (int i = 1; i <= 15; i++) {
      long cache = open(session, i, "file" + i).cacheBytes();
      assertThat(cache).isBetween(SessionHoldings.MIN_CACHE_BYTES, before);
      before = cache;
    }
    assertThatThrownBy(
            () -> {
              for (int i = 100; i < 200; i++) {
                open(session, i, "other" + i);
              }
            })
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("memory for open files");
  }

  @Test
  void handlesOfOneFileShareItsCachesUntilTheLastIsClosed() {
    long cache = open(holdings, 1, "same").cacheBytes();
    for (int i = 2; i <= 20; i++) {
      assertThat(open(holdings, i, "same").cacheBytes()).isEqualTo(cache);
    }
    for (int i = 1; i <= 20; i++) {
      holdings.succeeded(new FileOperation.Close(new Handle(i)));
    }
    assertThat(open(holdings, 1, "other").cacheBytes()).as("all is free").isEqualTo(cache);
  }

  @Test
  void objectsAreRefusedWhenTheMemoryIsUsedUpAndAdmittedWhenSomeAreClosed() {
    SessionHoldings small = new SessionHoldings(128 << 10, limit);
    open(small, 1, "file");
    int opened = 0;
    try {
      for (int i = 2; i < 10_000; i++) {
        small.checkRoom(opening(i, 1));
        small.succeeded(opening(i, 1));
        opened++;
      }
    } catch (InvalidUseException full) {
      assertThat(full).hasMessageContaining("another object");
    }
    assertThat(opened).isBetween(10, 300);
    small.succeeded(new ObjectOperation.Close(new Handle(2)));
    small.checkRoom(opening(2, 1));
    small.succeeded(new FileOperation.Close(new Handle(1)));
    assertThat(small.objects()).as("closed with their file").isZero();
  }

  @Test
  void filesOfAllSessionsAreBounded() {
    SessionHoldings other = new SessionHoldings(64 * MIB, limit);
    for (int i = 1; i <= 19; i++) {
      open(other, i, "same");
    }
    open(holdings, 1, "mine");
    assertThatThrownBy(() -> open(other, 20, "same"))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("open files of the server");
    other.succeeded(new FileOperation.Close(new Handle(3)));
    open(holdings, 2, "mine");
    other.clear();
    open(holdings, 3, "mine");
  }

  @Test
  void aFileThatCouldNotBeOpenedCountsNoMore() {
    for (int i = 1; i <= 1000; i++) {
      open(holdings, i, "missing");
      Optional<Handle> oldest =
          holdings.failed(new FileOperation.Open(new Handle(i), "missing", OpenOptions.READ));
      assertThat(oldest.isPresent()).isEqualTo(i > SessionHoldings.MAX_FAILED);
    }
    assertThat(holdings.files()).isZero();
  }

  @Test
  void aServerRefusesObjectsBeyondASessionsMemory() {
    try (TemporaryFolder folder = TemporaryFolder.create("holdings");
        StageServer server =
            StageServer.start(
                ServerOptions.of(new Address.Tcp("127.0.0.1", 0), folder.path())
                    .withMemory(16 * MIB, MIB));
        Session session = Hdf5.session("forwarding servers=" + server.address());
        H5File file = session.create("many.h5", CreateOptions.DEFAULT)) {
      file.root().createGroup("g");
      List<Group> open = new ArrayList<>();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 3000; i++) {
                  open.add(file.root().group("g"));
                }
              })
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("memory for open files and objects");
      assertThat(open.size()).isGreaterThan(500);
      open.removeLast().close();
      open.add(file.root().group("g"));
    }
  }
}
