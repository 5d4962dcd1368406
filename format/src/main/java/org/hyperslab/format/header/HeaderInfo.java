package org.hyperslab.format.header;

/**
 * The sizes of an object header's parts in bytes, counted as in {@code h5stat} and {@code
 * H5Oget_native_info}.
 *
 * @param version 1 or 2
 * @param messages the number of messages, including NIL and continuation messages
 * @param chunks the number of chunks
 * @param totalBytes the size of all chunks
 * @param metadataBytes the size of prefixes, signatures, checksums, headings and continuation
 *     messages
 * @param messageBytes the size of the payloads of messages other than NIL and continuation
 * @param freeBytes the size of NIL messages with their headings, and of gaps
 */
public record HeaderInfo(
    int version,
    int messages,
    int chunks,
    long totalBytes,
    long metadataBytes,
    long messageBytes,
    long freeBytes) {}
