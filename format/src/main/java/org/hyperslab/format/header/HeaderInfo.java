package org.hyperslab.format.header;

/**
 * The sizes of an object header's parts in bytes, counted as in {@code h5stat} and {@code
 * H5Oget_native_info}.
 *
 * @param version 1 or 2
 * @param flags the status flags of version 2; 0 in version 1
 * @param messages the number of messages, including NIL and continuation messages
 * @param chunks the number of chunks
 * @param totalBytes the size of all chunks
 * @param metadataBytes the size of prefixes, signatures, checksums, headings and continuation
 *     messages
 * @param messageBytes the size of the payloads of messages other than NIL and continuation
 * @param freeBytes the size of NIL messages with their headings, and of gaps
 * @param presentTypes the types of its messages: bit n is set if it has messages of type n
 * @param sharedTypes the types of messages that are stored elsewhere, in the same form
 */
public record HeaderInfo(
    int version,
    int flags,
    int messages,
    int chunks,
    long totalBytes,
    long metadataBytes,
    long messageBytes,
    long freeBytes,
    long presentTypes,
    long sharedTypes) {}
