package org.hyperslab.plugins.nativevol.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.SymbolTableMessage;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.format.index.symbol.GroupNodeSizes;
import org.hyperslab.format.index.symbol.NamedEntry;
import org.hyperslab.format.index.symbol.SymbolTable;
import org.hyperslab.format.superblock.SymbolTableEntry;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.header.ListingCache;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/** Stores the hard and soft links of an old-style group in a version 1 B-tree and a local heap. */
public final class SymbolTableLinks implements LinkStore {

  private final ObjectHeaders headers;
  private final long group;
  private final SymbolTable table;

  SymbolTableLinks(ObjectHeaders headers, long group, SymbolTableMessage message) {
    this.headers = headers;
    this.group = group;
    this.table = SymbolTable.open(headers.space(), message, sizes(headers));
  }

  /**
   * {@return the information about a group that superblocks and symbol tables cache}
   *
   * @param headers the headers of the file
   * @param group the address of the group's header
   */
  public static SymbolTableEntry.Cache cache(ObjectHeaders headers, long group) {
    Optional<SymbolTableMessage> table =
        headers.open(group).find(MessageType.SYMBOL_TABLE, SymbolTableMessage.class);
    return table.isPresent()
        ? new SymbolTableEntry.CachedGroup(table.get().btreeAddress(), table.get().heapAddress())
        : new SymbolTableEntry.Nothing();
  }

  static GroupNodeSizes sizes(ObjectHeaders headers) {
    return new GroupNodeSizes(headers.settings().groupLeafK(), headers.settings().groupInternalK());
  }

  @Override
  public GroupInfo.Storage kind() {
    return GroupInfo.Storage.SYMBOL_TABLE;
  }

  @Override
  public long count() {
    return table.count();
  }

  @Override
  public Optional<LinkMessage> find(String name) {
    return table.find(name).map(entry -> link(name, entry));
  }

  @Override
  public boolean isFree(String name) {
    return table.isFree(name);
  }

  private LinkMessage link(String name, SymbolTableEntry entry) {
    LinkMessage.Target target =
        entry.isSoftLink()
            ? new LinkMessage.Soft(table.softLinkPath(entry))
            : new LinkMessage.Hard(entry.headerAddress());
    return new LinkMessage(name, TextEncoding.ASCII, OptionalLong.empty(), target);
  }

  /** Returns whether a symbol table can store a link of this kind. */
  static boolean canHold(TextEncoding encoding, LinkMessage.Target target) {
    return encoding == TextEncoding.ASCII
        && (target instanceof LinkMessage.Hard || target instanceof LinkMessage.Soft);
  }

  @Override
  public void insert(LinkMessage link) {
    switch (link.target()) {
      case LinkMessage.Hard hard ->
          table.insertHard(link.name(), hard.headerAddress(), cache(headers, hard.headerAddress()));
      case LinkMessage.Soft soft -> table.insertSoft(link.name(), soft.path());
      case LinkMessage.External _, LinkMessage.UserDefined _ ->
          throw new IllegalArgumentException("in a symbol table: " + link);
    }
  }

  @Override
  public void remove(LinkMessage link) {
    table.remove(link.name());
  }

  /** All entries in the order of names. */
  private record Names(List<NamedEntry> entries) {}

  @Override
  public List<LinkMessage> list(PageRequest page) {
    List<NamedEntry> entries =
        headers
            .listings()
            .get(
                new ListingCache.Key(group, ListingCache.Kind.LINKS, IterationIndex.NAME),
                Names.class,
                () -> new Names(table.list(Optional.empty(), Integer.MAX_VALUE)))
            .entries();
    List<LinkMessage> links = new ArrayList<>();
    long end = Math.min(entries.size(), page.position() + (long) page.limit());
    for (long i = page.position(); i < end; i++) {
      NamedEntry entry = entries.get((int) (page.descending() ? entries.size() - 1 - i : i));
      links.add(link(entry.name(), entry.entry()));
    }
    return links;
  }

  @Override
  public List<LinkMessage> all() {
    return table.list(Optional.empty(), Integer.MAX_VALUE).stream()
        .map(entry -> link(entry.name(), entry.entry()))
        .toList();
  }

  @Override
  public long indexBytes() {
    return table.treeBytes();
  }

  @Override
  public long heapBytes() {
    return table.heapBytes();
  }

  @Override
  public void delete() {
    table.delete();
  }
}
