package org.hyperslab.format.metadata;

import org.hyperslab.format.io.MetadataReader;

/**
 * Decodes a {@link MetadataBlock} from its bytes.
 *
 * @param <B> the type of block
 */
@FunctionalInterface
public interface BlockDecoder<B extends MetadataBlock> {

  /**
   * Decodes the block that begins at the reader's position.
   *
   * @param reader reads the bytes, from its position
   * @return the block
   * @throws org.hyperslab.error.CorruptFileException if the bytes are not such a block
   */
  B decode(MetadataReader reader);
}
