package org.hyperslab.plugins.nativevol.group;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.header.GroupInfoMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.LibraryVersion;
import org.hyperslab.format.header.LinkInfoMessage;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.header.PhaseChange;
import org.hyperslab.format.header.SymbolTableMessage;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.format.index.dense.DenseAddresses;
import org.hyperslab.format.index.symbol.SymbolTable;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.superblock.SymbolTableEntry;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.header.HeaderStyle;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Manages the groups of one file and the links in them. {@link Links} keeps the reference counts of
 * the objects that links lead to.
 *
 * <p>Thread rule: as {@link ObjectHeaders}.
 */
public final class Groups {

  private static final int LINK_MESSAGE_BYTES = 12;
  private static final int MAXIMUM_MESSAGE_BYTES = 65_500;

  /** The most that is set aside for the names of links that are only expected. */
  private static final int MAX_ESTIMATED_BYTES = 1 << 20;

  private final ObjectHeaders headers;

  /**
   * Creates the groups of a file.
   *
   * @param headers the headers of the file
   */
  public Groups(ObjectHeaders headers) {
    this.headers = headers;
  }

  /**
   * Creates a group without references.
   *
   * @param options the creation options
   * @return the address of the group's header
   */
  public long create(GroupOptions options) {
    HeaderStyle style =
        new HeaderStyle(headers.low(), options.attributes(), options.trackTimes(), false);
    if (headers.low() == LibraryVersion.EARLIEST && !options.creationOrderTracked()) {
      SymbolTable table =
          SymbolTable.create(headers.space(), SymbolTableLinks.sizes(headers), heapBytes(options));
      return style.create(headers, List.of(NewMessage.of(table.message())), 0).address();
    }
    PhaseChange change = new PhaseChange(options.maxCompact(), options.minDense());
    int links = options.estimatedLinks() > 0 ? options.estimatedLinks() : 4;
    int nameBytes = options.estimatedNameBytes() > 0 ? options.estimatedNameBytes() : 8;
    boolean estimated = options.estimatedLinks() > 0 || options.estimatedNameBytes() > 0;
    List<NewMessage> messages =
        List.of(
            NewMessage.of(
                LinkInfoMessage.compact(
                    options.creationOrderTracked(), options.creationOrderIndexed())),
            NewMessage.constant(
                new GroupInfoMessage(
                    change.equals(PhaseChange.DEFAULT) ? Optional.empty() : Optional.of(change),
                    estimated
                        ? Optional.of(new GroupInfoMessage.Estimate(links, nameBytes))
                        : Optional.empty())));
    int linkBytes = LINK_MESSAGE_BYTES + nameBytes + headers.file().geometry().sizeOfOffsets();
    long reserve = (long) Math.min(links, options.maxCompact()) * linkBytes;
    return style.create(headers, messages, (int) Math.min(reserve, 60_000)).address();
  }

  private static int heapBytes(GroupOptions options) {
    long names = (long) options.estimatedLinks() * ((options.estimatedNameBytes() + 8L) & ~7L);
    return Math.max(options.localHeapHintBytes(), (int) Math.min(names, MAX_ESTIMATED_BYTES));
  }

  /**
   * {@return the links of the group at an address}
   *
   * @param group the address of the group's header
   */
  public LinkStore links(long group) {
    return links(headers.open(group, ObjectKind.GROUP));
  }

  private LinkStore links(ObjectHeader header) {
    Optional<LinkInfoMessage> info = linkInfo(header);
    if (info.isPresent()) {
      return info.get().isDense()
          ? new DenseLinks(headers, header.address(), info.get())
          : new CompactLinks(header);
    }
    SymbolTableMessage table =
        header.find(MessageType.SYMBOL_TABLE, SymbolTableMessage.class).orElseThrow();
    return new SymbolTableLinks(headers, header.address(), table);
  }

  private Optional<LinkInfoMessage> linkInfo(ObjectHeader header) {
    return header.find(MessageType.LINK_INFO, LinkInfoMessage.class);
  }

  /**
   * {@return the link of the given name in a group}
   *
   * @param group the address of the group's header
   * @param name the name
   */
  public Optional<LinkMessage> find(long group, String name) {
    return links(group).find(name);
  }

  /**
   * Adds a link.
   *
   * @throws AlreadyExistsException if the name is in use
   */
  void insert(long group, String name, TextEncoding encoding, LinkMessage.Target target) {
    NameBytes.requireEncodable(name);
    ObjectHeader header = headers.open(group, ObjectKind.GROUP);
    LinkStore links = links(header);
    boolean checksItself =
        links instanceof DenseLinks
            || links instanceof SymbolTableLinks && SymbolTableLinks.canHold(encoding, target);
    if (!checksItself) {
      requireAbsent(links, name);
    }
    insert(new FreeName(header, links, name), encoding, target);
  }

  /**
   * A name that is not in use in a group; valid until the group is edited.
   *
   * @param group the address of the group's header
   * @param links the links of the group
   * @param name the name
   */
  public record FreeName(ObjectHeader group, LinkStore links, String name) {}

  /**
   * Adds a link without another search for its name. A group of the old style that cannot hold it
   * is converted first.
   */
  void insert(FreeName at, TextEncoding encoding, LinkMessage.Target target) {
    ObjectHeader header = at.group;
    LinkStore links = at.links;
    if (links instanceof SymbolTableLinks old && !SymbolTableLinks.canHold(encoding, target)) {
      modernize(header, old);
      links = links(header);
    }
    OptionalLong index = OptionalLong.empty();
    Optional<LinkInfoMessage> info = linkInfo(header);
    if (info.isPresent() && info.get().tracked()) {
      index = OptionalLong.of(info.get().nextCreationIndex());
    }
    LinkMessage link = new LinkMessage(at.name, encoding, index, target);
    if (links instanceof CompactLinks compact && !fitsCompact(header, compact, link)) {
      links = makeDense(header, compact);
    }
    links.insert(link);
    if (index.isPresent()) {
      LinkInfoMessage now = linkInfo(header).orElseThrow();
      setNextCreation(header, now, now.nextCreationIndex() + 1);
    }
    header.touch(HeaderStyle.now());
  }

  private boolean fitsCompact(ObjectHeader header, CompactLinks compact, LinkMessage link) {
    return compact.count() < phaseChange(header).maximumCompact() && fitsHeader(link);
  }

  private static PhaseChange phaseChange(ObjectHeader header) {
    return header
        .find(MessageType.GROUP_INFO, GroupInfoMessage.class)
        .flatMap(GroupInfoMessage::phaseChange)
        .orElse(PhaseChange.DEFAULT);
  }

  private DenseLinks makeDense(ObjectHeader header, CompactLinks compact) {
    LinkInfoMessage info = linkInfo(header).orElseThrow();
    DenseLinks dense = DenseLinks.create(headers, header.address(), info.indexed());
    for (LinkMessage link : compact.all()) {
      dense.insert(link);
      compact.remove(link);
    }
    storeAddresses(header, info, dense.addresses());
    return dense;
  }

  private void makeCompact(ObjectHeader header, DenseLinks dense) {
    LinkInfoMessage info = linkInfo(header).orElseThrow();
    List<LinkMessage> all = dense.all();
    dense.delete();
    long none = FileGeometry.UNDEFINED;
    storeAddresses(header, info, new DenseAddresses(none, none, none));
    CompactLinks compact = new CompactLinks(header);
    all.forEach(compact::insert);
  }

  private static void storeAddresses(
      ObjectHeader header, LinkInfoMessage info, DenseAddresses addresses) {
    header.replace(
        header.find(MessageType.LINK_INFO).orElseThrow(),
        new LinkInfoMessage(
            info.tracked(),
            info.indexed(),
            info.nextCreationIndex(),
            addresses.heap(),
            addresses.nameIndex(),
            addresses.orderIndex()));
  }

  /** Converts a group of the old style to the new style, which can hold any kind of link. */
  private void modernize(ObjectHeader header, SymbolTableLinks old) {
    List<LinkMessage> all = old.all();
    old.delete();
    header.remove(header.find(MessageType.SYMBOL_TABLE).orElseThrow());
    header.add(LinkInfoMessage.compact(false, false));
    header.add(NewMessage.constant(GroupInfoMessage.DEFAULT));
    if (header.address() == headers.root()) {
      headers.file().setRoot(header.address(), new SymbolTableEntry.Nothing());
    }
    LinkStore links = new CompactLinks(header);
    for (LinkMessage link : all) {
      if (links instanceof CompactLinks compact && !fitsCompact(header, compact, link)) {
        links = makeDense(header, compact);
      }
      links.insert(link);
    }
  }

  /**
   * Requires that a name is not in use in a group.
   *
   * @param group the address of the group's header
   * @param name the name
   * @return the name, for an insertion before the group is edited otherwise
   * @throws AlreadyExistsException if it is
   */
  public FreeName requireAbsent(long group, String name) {
    ObjectHeader header = headers.open(group, ObjectKind.GROUP);
    LinkStore links = links(header);
    requireAbsent(links, name);
    return new FreeName(header, links, name);
  }

  private void requireAbsent(LinkStore links, String name) {
    if (!links.isFree(name)) {
      throw new AlreadyExistsException(
          "link: actual=exists, expected=none, at=" + headers.file().name() + " " + name);
    }
  }

  private static void setNextCreation(ObjectHeader header, LinkInfoMessage info, long next) {
    HeaderMessage old = header.find(MessageType.LINK_INFO).orElseThrow();
    header.replace(
        old,
        new LinkInfoMessage(
            info.tracked(),
            info.indexed(),
            next,
            info.heapAddress(),
            info.nameIndexAddress(),
            info.creationIndexAddress()));
  }

  /** Removes a link; the caller updates its target's reference count. */
  void remove(long group, LinkMessage link) {
    ObjectHeader header = headers.open(group, ObjectKind.GROUP);
    LinkStore links = links(header);
    links.remove(link);
    if (links instanceof DenseLinks dense
        && dense.count() < phaseChange(header).minimumDense()
        && dense.all().stream().allMatch(each -> fitsHeader(each))) {
      makeCompact(header, dense);
    }
    startOverIfEmpty(header);
    header.touch(HeaderStyle.now());
  }

  /** Restarts creation order at 0 in a group without links, as in the HDF5 library. */
  private void startOverIfEmpty(ObjectHeader header) {
    Optional<LinkInfoMessage> info = linkInfo(header);
    if (info.isPresent() && info.get().nextCreationIndex() != 0 && links(header).count() == 0) {
      setNextCreation(header, info.get(), 0);
    }
  }

  private boolean fitsHeader(LinkMessage link) {
    MetadataWriter writer = new MetadataWriter(headers.file().geometry(), 64);
    link.encode(writer);
    return writer.position() < MAXIMUM_MESSAGE_BYTES;
  }

  /**
   * {@return a page of a group's links}
   *
   * @param group the address of the group's header
   * @param page the order, and the entries to return
   */
  public List<LinkMessage> list(long group, PageRequest page) {
    ObjectHeader header = headers.open(group, ObjectKind.GROUP);
    boolean tracked = linkInfo(header).map(LinkInfoMessage::tracked).orElse(false);
    if (page.index() == IterationIndex.CREATION_ORDER && !tracked) {
      throw new InvalidUseException(
          "order: actual=creation order, which the group does not track, expected=name, at="
              + headers.file().name()
              + "@"
              + group);
    }
    return links(header).list(page);
  }

  /**
   * {@return the description of a group}
   *
   * @param group the address of the group's header
   */
  public GroupInfo info(long group) {
    ObjectHeader header = headers.open(group, ObjectKind.GROUP);
    LinkStore links = links(header);
    Optional<LinkInfoMessage> info = linkInfo(header);
    return new GroupInfo(
        links.count(),
        info.filter(LinkInfoMessage::tracked).map(LinkInfoMessage::nextCreationIndex).orElse(0L),
        links.kind(),
        false,
        options(header, info));
  }

  /**
   * {@return the options with which a group was created} Its links are not counted, for which every
   * node of an old group's index would be read.
   *
   * @param group the address of the group's header
   */
  public GroupOptions options(long group) {
    ObjectHeader header = headers.open(group, ObjectKind.GROUP);
    return options(header, linkInfo(header));
  }

  private GroupOptions options(ObjectHeader header, Optional<LinkInfoMessage> info) {
    GroupInfoMessage group =
        header
            .find(MessageType.GROUP_INFO, GroupInfoMessage.class)
            .orElse(GroupInfoMessage.DEFAULT);
    PhaseChange change = group.phaseChange().orElse(PhaseChange.DEFAULT);
    return GroupOptions.builder()
        .creationOrderTracked(info.map(LinkInfoMessage::tracked).orElse(false))
        .creationOrderIndexed(info.map(LinkInfoMessage::indexed).orElse(false))
        .maxCompact(change.maximumCompact())
        .minDense(change.minimumDense())
        .estimatedLinks(group.estimate().map(GroupInfoMessage.Estimate::links).orElse(0))
        .estimatedNameBytes(group.estimate().map(GroupInfoMessage.Estimate::nameLength).orElse(0))
        .trackTimes(header.times().isPresent())
        .attributes(HeaderStyle.attributes(header))
        .build();
  }

  /**
   * {@return the link of the given name, which must exist}
   *
   * @param group the address of the group's header
   * @param name the name
   */
  public LinkMessage require(long group, String name) {
    return find(group, name)
        .orElseThrow(() ->
            new NotFoundException(
                "link not found: actual=none, expected=\""
                    + name
                    + "\", at="
                    + headers.file().name()
                    + "; check the name, which is case-sensitive"));
  }
}
