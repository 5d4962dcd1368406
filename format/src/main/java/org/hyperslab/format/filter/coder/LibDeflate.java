package org.hyperslab.format.filter.coder;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.deflate.DeflateNativeCompressor;
import io.airlift.compress.v3.deflate.DeflateNativeDecompressor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.HashMap;
import java.util.Map;

/**
 * Encodes and decodes raw deflate streams (RFC 1951) with libdeflate, which the aircompressor
 * library contains. Only {@link FastDeflate} refers to this class, so that the library is optional.
 *
 * <p>Thread rule: one thread.
 */
final class LibDeflate {

  private final Map<Integer, DeflateNativeCompressor> compressors = new HashMap<>();
  private final DeflateNativeDecompressor decompressor = new DeflateNativeDecompressor();

  private LibDeflate() {}

  /** Opens the library; returns null if it may not be called. */
  static LibDeflate open() {
    return NativeLibrary.DEFLATE.isLoaded() ? new LibDeflate() : null;
  }

  /** Encodes all of the source and returns the number of bytes produced; -1 if there is no room. */
  int encode(MemorySegment source, int level, MemorySegment target) {
    DeflateNativeCompressor compressor =
        compressors.computeIfAbsent(level, wanted -> new DeflateNativeCompressor(wanted));
    try {
      return compressor.compress(source, target);
    } catch (IllegalArgumentException noRoom) {
      return -1;
    } finally {
      Reference.reachabilityFence(compressor);
    }
  }

  /** Decodes all of the source and returns the number of bytes produced; -1 if it is damaged. */
  int decode(MemorySegment source, MemorySegment target) {
    try {
      return decompressor.decompress(source, target);
    } catch (MalformedInputException damaged) {
      return -1;
    } finally {
      Reference.reachabilityFence(decompressor);
    }
  }
}
