package org.hyperslab.format.index;

import org.hyperslab.format.superblock.SymbolTableEntry;

/**
 * A link of an old-style group.
 *
 * @param name its name
 * @param entry where it leads
 */
public record NamedEntry(String name, SymbolTableEntry entry) {}
