package org.hyperslab.format.filter.bare;

import org.hyperslab.format.filter.FilterScratch;
import org.hyperslab.format.filter.MalformedDataException;
import org.hyperslab.format.filter.Span;
import org.hyperslab.format.filter.blosc.BloscContainer;
import org.hyperslab.format.filter.coder.BlockCodecs;

/**
 * Decodes blocks and containers that other formats store without what HDF5's filters put around
 * them.
 *
 * <p>Thread rule: no state but that of the scratch.
 */
public final class BareDecoders {

  private BareDecoders() {}

  /**
   * Decodes one block of LZ4.
   *
   * @param source the block
   * @param target receives the bytes
   * @param scratch keeps the decoder
   * @return the number of bytes produced, at most the length of {@code target}
   * @throws MalformedDataException if the block is damaged or does not fit the target
   * @throws org.hyperslab.error.UnsupportedFeatureException if the library for it is absent
   */
  public static int lz4(Span source, Span target, FilterScratch scratch)
      throws MalformedDataException {
    return BlockCodecs.of(scratch).decode(BlockCodecs.Coder.LZ4, source, target);
  }

  /**
   * Decodes a container of Blosc to the form that HDF5's shuffle filter makes: byte j of all
   * elements together. Blosc shuffles its blocks in the same way, so that elements need not be put
   * together and taken apart again.
   *
   * @param container the container
   * @param elementBytes the size of an element in bytes
   * @param target receives the bytes; as long as the elements
   * @param scratch keeps the decoder
   * @return false if the container's bytes are not shuffled by elements of this size, or their
   *     number is another; the target's content is then unspecified
   * @throws MalformedDataException if the container is damaged
   * @throws org.hyperslab.error.UnsupportedFeatureException if the library for its coder is absent
   */
  public static boolean bloscShuffled(
      Span container, int elementBytes, byte[] target, FilterScratch scratch)
      throws MalformedDataException {
    return BloscContainer.decodeShuffled(container, elementBytes, target, scratch);
  }
}
