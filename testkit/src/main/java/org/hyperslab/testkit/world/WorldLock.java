package org.hyperslab.testkit.world;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/**
 * A lock on a file of a disk.
 *
 * <p>Thread rule: confined to the world.
 */
final class WorldLock extends FileLock {

  private final DiskNode node;

  WorldLock(FileChannel channel, DiskNode node, boolean shared) {
    super(channel, 0, Long.MAX_VALUE, shared);
    this.node = node;
  }

  @Override
  public boolean isValid() {
    return node.locks().contains(this);
  }

  @Override
  public void release() {
    node.locks().remove(this);
  }
}
