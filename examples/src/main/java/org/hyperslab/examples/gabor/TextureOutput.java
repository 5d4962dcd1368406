package org.hyperslab.examples.gabor;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Writes textures, each to a file of its own, whose name begins with {@code texture-} and the
 * number of the filter.
 *
 * <p>Thread rule: confined to the rank's thread. Calls are collective.
 */
sealed interface TextureOutput extends AutoCloseable permits MpiTextures, Hdf5Textures {

  /** A write that was started. Its memory must not be touched before the end. */
  interface Ongoing {

    /** Advances the write without waiting. */
    void test();

    /** Waits for the end of the write and closes the file; collective. */
    void end();
  }

  /** Returns the file of a texture. */
  Path file(int filter);

  /**
   * Writes a texture and closes its file.
   *
   * @param filter the number of the filter
   * @param rows this rank's rows of floats
   */
  void write(int filter, MemorySegment rows);

  /**
   * Begins to write a texture.
   *
   * @param filter the number of the filter
   * @param rows this rank's rows of floats
   * @return the write
   */
  Ongoing start(int filter, MemorySegment rows);

  @Override
  void close();
}
