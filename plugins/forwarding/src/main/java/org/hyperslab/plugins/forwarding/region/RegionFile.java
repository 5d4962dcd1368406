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
 * An open file whose metadata belongs to its home, with direct access to its bytes.
 *
 * <p>Thread rule: any thread.
 *
 * @param home the connector to the home, which manages the file's metadata
 * @param handle the handle of the file at the home
 * @param info the home's information on the file, with a file number of this server
 * @param root the home's information on the root group
 * @param store the bytes of the file
 * @param forces whether a flush forces raw data to storage, as the file's options require
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

  /** Forces raw data to storage before the home flushes metadata that refers to it. */
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
