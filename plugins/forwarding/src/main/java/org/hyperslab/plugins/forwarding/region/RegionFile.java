package org.hyperslab.plugins.forwarding.region;

import java.nio.file.Path;
import java.util.Optional;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.ConfinedFolder;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileLocking;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Handle;

/**
 * A file whose home is elsewhere, and its bytes here.
 *
 * <p>Thread rule: any thread.
 *
 * @param home who has the file's metadata
 * @param handle the file's handle there
 * @param info what the home said when it was opened, with a number of this server's
 * @param root its root group
 * @param store its bytes
 * @param forces whether a flush makes raw data durable, as the file's options say
 */
record RegionFile(
    Connector home, Handle handle, FileInfo info, ObjectInfo root, ByteStore store, boolean forces)
    implements AutoCloseable {

  static ByteStore bytes(Path path, boolean writable, ConfinedFolder within) {
    FileAccess access = writable ? FileAccess.UPDATE : FileAccess.READ;
    return FileStore.open(path, access, FileLocking.NONE, Optional.of(within));
  }

  static boolean forces(FileInfo info) {
    return info.writable() && info.creation().access().durability() == Durability.POWER_CUT;
  }

  /** Makes raw data durable, before the home's flush refers to it. */
  void flush() {
    if (forces) {
      store.force(false);
    }
  }

  @Override
  public void close() {
    try {
      flush();
    } finally {
      store.close();
    }
  }
}
