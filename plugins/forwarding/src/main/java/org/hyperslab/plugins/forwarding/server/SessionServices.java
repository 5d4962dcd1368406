package org.hyperslab.plugins.forwarding.server;

import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.plugins.compacting.CompactingConnector;
import org.hyperslab.plugins.forwarding.journal.JournalingConnector;
import org.hyperslab.vol.base.Scheduling;

/**
 * The parts of a server that its sessions use.
 *
 * @param pool supplies memory for payloads
 * @param names resolves the names of files
 * @param journals carries operations out, and journals the durable ones
 * @param compacting the connector below, which merges transfers
 * @param scheduling tells the time
 * @param workers runs operations
 * @param inlineWrites decides which writes the receiving thread carries out
 * @param grants the memory granted to sessions
 * @param fileLimit bounds the open files of all sessions
 * @param errors counts the operations that storage has let fail
 * @param expel ends the session with a given identifier because its client has violated the
 *     protocol, and sends the client the reason
 */
record SessionServices(
    BufferPool pool,
    ConfinedNames names,
    JournalingConnector journals,
    CompactingConnector compacting,
    Scheduling scheduling,
    Executor workers,
    InlineWritePolicy inlineWrites,
    MemoryGrants grants,
    OpenFileLimit fileLimit,
    StorageErrors errors,
    BiConsumer<Long, String> expel) {}
