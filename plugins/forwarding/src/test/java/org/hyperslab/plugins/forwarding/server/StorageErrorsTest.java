package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.plugins.forwarding.Address;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.vol.Connectors;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what a server tells of storage that fails. */
@Timeout(300)
final class StorageErrorsTest {

  private final RecordedLog recorded = new RecordedLog();
  private final AtomicLong now = new AtomicLong();

  private static StorageException error(String message) {
    return new StorageException(message);
  }

  @Test
  void eachKindIsALineAMinute() {
    StageLog log = new StageLog(recorded);
    StorageErrors errors = new StorageErrors(log, now::get);
    for (int i = 0; i < 5; i++) {
      errors.failed(error("write failed: actual=no space, at=a.h5@" + i), "job");
      errors.failed(error("file: actual=unusable, at=a.h5"), "job");
      errors.failed(new InvalidUseException("write failed: actual=wrong"), "job");
    }
    now.addAndGet(RareLines.PAUSE_NANOS);
    errors.failed(error("write failed: actual=no space, at=b.h5"), "other");
    now.addAndGet(RareLines.PAUSE_NANOS);
    errors.failed(error("write failed: actual=no space, at=b.h5"), "other");
    log.close();
    assertThat(errors.count()).isEqualTo(12);
    assertThat(recorded.lines())
        .containsExactly(
            "WARNING event=storage client=job error=\"write failed: actual=no space, at=a.h5@0\"",
            "WARNING event=storage client=job error=\"file: actual=unusable, at=a.h5\"",
            "WARNING event=storage client=other error=\"write failed: actual=no space, at=b.h5\""
                + " more=4",
            "WARNING event=storage client=other error=\"write failed: actual=no space, at=b.h5\"");
  }

  @Test
  void manyKindsAreFewLines() {
    StageLog log = new StageLog(recorded);
    StorageErrors errors = new StorageErrors(log, now::get);
    for (int i = 0; i < 500; i++) {
      errors.failed(error("kind" + i + ": actual=bad"), "job");
      errors.failed(error("no colon"), "job");
    }
    log.close();
    assertThat(errors.count()).isEqualTo(1000);
    assertThat(recorded.lines()).hasSizeBetween(2, RareLines.MOST_KINDS + 1);
  }

  @Test
  void aFullDiskIsInTheLogAndTheStatus() {
    try (TemporaryFolder folder = TemporaryFolder.create("full")) {
      FailingStorage storage = new FailingStorage(Connectors.create("native"));
      ServerOptions options =
          ServerOptions.of(
                  new Address.Unix(folder.file("socket").toString()), folder.path().resolve("root"))
              .withLog(recorded);
      try (StageServer server = StageServer.start(options, storage)) {
        try (Session session =
            Hdf5.session("forwarding reconnect=0 name=job servers=" + server.address())) {
          H5File file = session.create("f.h5");
          var data = file.createDataset("d", new int[] {1});
          assertThat(server.metrics()).contains("hyperslab_stage_storage_errors_total 0\n");
          storage.fail(DatasetOperation.Write.class, FailingStorage.Way.LATER);
          for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> data.write(new int[] {2}))
                .isInstanceOf(StorageException.class);
          }
          assertThat(server.metrics()).contains("hyperslab_stage_storage_errors_total 3\n");
          assertThat(server.statusJson()).contains("\"storage_errors_total\":3,");
          assertThat(server.status()).contains("storage errors 3\n");
          storage.fail(FileOperation.Close.class, FailingStorage.Way.AT_ONCE);
        }
        Polling.until(() -> server.statusJson().matches("(?s).*_errors_total\":[4-9],.*"));
      }
    }
    List<String> lines = recorded.of("storage");
    assertThat(lines)
        .containsExactly(
            "WARNING event=storage client=job error=\"disk: actual=full, expected=room\"");
  }
}
