package org.hyperslab.plugins.mpiio.dataset;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.hyperslab.model.Locking;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.mpiio.agree.RootCalls;
import org.hyperslab.plugins.mpiio.dataset.OpenHandles.Opened;
import org.hyperslab.plugins.mpiio.report.NoCollectiveCause;
import org.hyperslab.plugins.mpiio.report.TransferReport;
import org.hyperslab.plugins.nativevol.NativeConnector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;

/**
 * Reads data that needs a whole engine, such as strings of variable length, by this rank alone.
 * Only for files that no rank edits, which each rank may open by itself.
 *
 * <p>Thread rule: any thread.
 */
final class LocalEngineReader implements AutoCloseable {

  private final Map<Handle, Handle> files = new HashMap<>();
  private NativeConnector engine;

  /** Reads elements of a dataset. */
  synchronized TransferReport read(Opened dataset, DatasetOperation.Read read) {
    if (engine == null) {
      engine = new NativeConnector();
    }
    Handle file = files.computeIfAbsent(dataset.session(), session -> open(dataset));
    Handle own = Handle.fresh();
    ObjectToken token = new ObjectToken(dataset.key().token());
    RootCalls.await(engine, new ObjectOperation.OpenToken(own, file, token));
    try {
      RootCalls.await(engine, new DatasetOperation.Read(own, read.transfer(), read.target()));
    } finally {
      RootCalls.await(engine, new ObjectOperation.Close(own));
    }
    return TransferReport.independent(
        Set.of(NoCollectiveCause.INDEPENDENT_CALL),
        read.transfer().fileSelection().elementCount(read.transfer().memorySpace().dims()),
        "by this rank's own engine");
  }

  private Handle open(Opened dataset) {
    Handle file = Handle.fresh();
    OpenOptions options = dataset.file().options().withWritable(false).withLocking(Locking.OFF);
    RootCalls.await(engine, new FileOperation.Open(file, dataset.file().name(), options));
    return file;
  }

  /** Removes a file that is closed. */
  synchronized void forget(Handle session) {
    Handle file = files.remove(session);
    if (file != null) {
      RootCalls.await(engine, new FileOperation.Close(file));
    }
  }

  @Override
  public synchronized void close() {
    if (engine != null) {
      engine.close();
      engine = null;
      files.clear();
    }
  }
}
