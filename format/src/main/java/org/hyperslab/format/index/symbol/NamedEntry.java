package org.hyperslab.format.index.symbol;

import org.hyperslab.format.superblock.SymbolTableEntry;

/**
 * A link of an old-style group.
 *
 * @param name the name
 * @param entry the target of the link
 */
public record NamedEntry(String name, SymbolTableEntry entry) {}
