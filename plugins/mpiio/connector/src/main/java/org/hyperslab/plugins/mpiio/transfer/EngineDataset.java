package org.hyperslab.plugins.mpiio.transfer;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.plugins.mpiio.agree.RootCalls;
import org.hyperslab.plugins.nativevol.NativeConnector;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.Handle;

/**
 * A dataset in rank 0's engine, by whichever of its handles is open.
 *
 * <p>Thread rule: confined to the thread that makes collective calls.
 */
public final class EngineDataset implements RootDataset {

  private final NativeConnector engine;
  private final List<Handle> open = new ArrayList<>();

  public EngineDataset(NativeConnector engine, Handle handle) {
    this.engine = engine;
    open.add(handle);
  }

  /** Records that the dataset is open. */
  public void opened(Handle handle) {
    open.add(handle);
  }

  /** Records that the dataset is closed. */
  public void closed(Handle handle) {
    open.remove(handle);
  }

  private Handle handle() {
    return open.getFirst();
  }

  @Override
  public DatasetInfo describe() {
    return (DatasetInfo)
        RootCalls.await(engine, new DatasetOperation.Describe(handle(), true, true));
  }

  @Override
  public RawStorage storage() {
    return engine.rawStorage(handle());
  }

  @Override
  public void read(Transfer transfer, DataBuffer target) {
    RootCalls.await(engine, new DatasetOperation.Read(handle(), transfer, target));
  }

  @Override
  public void write(Transfer transfer, DataBuffer source) {
    RootCalls.await(engine, new DatasetOperation.Write(handle(), transfer, source));
  }
}
