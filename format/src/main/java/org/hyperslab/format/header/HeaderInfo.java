package org.hyperslab.format.header;

/**
 * The sizes of an object header's parts in bytes, as {@code h5stat} and {@code H5Oget_native_info}
 * count it.
 *
 * @param version 1 or 2
 * @param messages messages, NIL and continuations included
 * @param chunks pieces
 * @param totalBytes all pieces together
 * @param metadataBytes prefixes, signatures, checksums, headings and continuation messages
 * @param messageBytes payloads of messages other than NIL and continuation
 * @param freeBytes NIL messages with their headings, and gaps
 */
public record HeaderInfo(
    int version,
    int messages,
    int chunks,
    long totalBytes,
    long metadataBytes,
    long messageBytes,
    long freeBytes) {}
