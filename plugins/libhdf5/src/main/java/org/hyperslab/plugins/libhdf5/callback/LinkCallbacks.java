package org.hyperslab.plugins.libhdf5.callback;

import java.io.ByteArrayOutputStream;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.model.LinkData;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.LinkKind;
import org.hyperslab.model.LinkOptions;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.LocationResolver;
import org.hyperslab.plugins.libhdf5.bridge.UserLinks;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.Operation;

/** The callbacks on links ({@code H5VL_link_class_t}). */
public final class LinkCallbacks {

  private static final int EXTERNAL = 64;
  private static final int ITERATE = 2;

  /** The kind of creation {@code H5VL_LINK_CREATE_UD}. */
  private static final int USER_DEFINED = 2;

  private final Bridge bridge;
  private final GroupWalker walker;

  public LinkCallbacks(Bridge bridge, GroupWalker walker) {
    this.bridge = bridge;
    this.walker = walker;
  }

  /** Answers the callback {@code link.create} of libhdf5. */
  public long create(
      long args, long base, long parameters, long linkList, long accessList, long request) {
    boolean hard = RawMemory.getInt(args) == 0;
    long from = hard && base == 0 ? RawMemory.getLong(args + 8) : base;
    bridge.access.require(accessList);
    LinkOptions options = bridge.properties.link(linkList);
    if (hard) {
      return createHard(args, base, parameters, options, request);
    }
    if (RawMemory.getInt(args) == USER_DEFINED) {
      bridge.userLinks.requireRegistered(RawMemory.getInt(args + 8));
    }
    try (LocationResolver.Place place = bridge.locations.link(base, parameters)) {
      Operation<?> operation =
          RawMemory.getInt(args) == 1
              ? new LinkOperation.CreateSoft(
                  RawMemory.text(RawMemory.getLong(args + 8)), place.at(), options)
              : userDefined(args, place.at(), options);
      bridge.run(place.file(), operation, request);
      if (operation instanceof LinkOperation.CreateUserDefined made) {
        bridge.userLinks.created(place, made.userClass(), made.data());
      }
    }
    return 0;
  }

  private long createHard(
      long args, long base, long parameters, LinkOptions options, long request) {
    long current = RawMemory.getLong(args + 8);
    try (LocationResolver.Place target =
            bridge.locations.resolve(current == 0 ? base : current, args + 16);
        LocationResolver.Place link =
            bridge.locations.link(base == 0 ? current : base, parameters)) {
      requireSameFile(target, link);
      OpenedFile file = link.file();
      bridge.settle(
          file,
          file.submit(new LinkOperation.CreateHard(target.at(), link.at(), options)),
          request,
          null);
    }
    return 0;
  }

  private static void requireSameFile(LocationResolver.Place a, LocationResolver.Place b) {
    if (a.file() != b.file()) {
      throw otherFile(a, b);
    }
  }

  private static InvalidUseException otherFile(LocationResolver.Place a, LocationResolver.Place b) {
    return new InvalidUseException(
        "hard link: actual=from "
            + a.file().name()
            + " to "
            + b.file().name()
            + ", expected=both in one file; use an external link for an object of another file");
  }

  private static Operation<?> userDefined(long args, Location at, LinkOptions options) {
    int linkClass = RawMemory.getInt(args + 8);
    long size = RawMemory.getLong(args + 24);
    byte[] data = size == 0 ? new byte[0] : RawMemory.bytes(RawMemory.getLong(args + 16), size);
    if (linkClass == EXTERNAL) {
      Optional<LinkOperation.CreateExternal> external = external(data, at, options);
      if (external.isPresent()) {
        return external.get();
      }
    }
    return new LinkOperation.CreateUserDefined(linkClass, LinkData.of(data), at, options);
  }

  /** Decodes the value of an external link; returns empty if the value is malformed. */
  private static Optional<LinkOperation.CreateExternal> external(
      byte[] value, Location at, LinkOptions options) {
    int file = nul(value, 1);
    int path = nul(value, file + 1);
    if (path != value.length - 1) {
      return Optional.empty();
    }
    return Optional.of(
        new LinkOperation.CreateExternal(
            NameBytes.decode(value, 1, file - 1),
            NameBytes.decode(value, file + 1, path - file - 1),
            at,
            options));
  }

  /** Returns the index of the first zero byte, or the length if there is none. */
  private static int nul(byte[] value, int from) {
    int at = from;
    while (at < value.length && value[at] != 0) {
      at++;
    }
    return at;
  }

  /** Copies or moves a link. If the source or the target object is null, the other is used. */
  public long copyOrMove(
      long source, long sourceParameters, long target, long targetParameters, Change change) {
    bridge.access.require(change.accessList);
    LinkOptions options = bridge.properties.link(change.linkList);
    try (LocationResolver.Place from =
            bridge.locations.link(source == 0 ? target : source, sourceParameters);
        LocationResolver.Place to =
            bridge.locations.link(target == 0 ? source : target, targetParameters)) {
      if (from.file() != to.file()) {
        toOtherFile(from, to, options, change);
        return 0;
      }
      Optional<LinkInfo> info = ofProgram(from);
      Operation<?> operation =
          change.moves
              ? new LinkOperation.Move(from.at(), to.at(), options)
              : new LinkOperation.Copy(from.at(), to.at(), options);
      bridge.run(to.file(), operation, change.request);
      info.ifPresent(link -> tellClass(from, to, link, change.moves));
    }
    return 0;
  }

  /**
   * Tells the class of a link that it was copied or moved, which is undone if the class refuses.
   */
  private void tellClass(
      LocationResolver.Place from, LocationResolver.Place to, LinkInfo link, boolean moved) {
    try {
      bridge.userLinks.placed(moved, to, link);
    } catch (RuntimeException refused) {
      to.file()
          .call(
              moved
                  ? new LinkOperation.Move(to.at(), from.at(), LinkOptions.DEFAULT)
                  : new LinkOperation.Delete(to.at()));
      throw refused;
    }
    if (moved) {
      bridge.userLinks.deleted(from, link);
    }
  }

  /** Returns a link, if it may be of a class of the program. */
  private Optional<LinkInfo> ofProgram(LocationResolver.Place link) {
    return bridge.userLinks.areUsed()
        ? Optional.of(link.file().call(new LinkOperation.Describe(link.at())))
        : Optional.empty();
  }

  /**
   * Copies a link to another file, and deletes the original if it is moved. Hard links are refused.
   */
  private void toOtherFile(
      LocationResolver.Place from, LocationResolver.Place to, LinkOptions options, Change change) {
    LinkInfo info = from.file().call(new LinkOperation.Describe(from.at()));
    Operation<?> made =
        switch (info.kind()) {
          case HARD -> throw otherFile(from, to);
          case SOFT -> new LinkOperation.CreateSoft(info.targetPath(), to.at(), options);
          case EXTERNAL ->
              new LinkOperation.CreateExternal(
                  info.targetFile(), info.targetPath(), to.at(), options);
          case USER_DEFINED ->
              new LinkOperation.CreateUserDefined(
                  info.userClass(), info.userData(), to.at(), options);
        };
    to.file().call(made);
    bridge.userLinks.placed(change.moves, to, info);
    if (change.moves) {
      from.file().call(new LinkOperation.Delete(from.at()));
    }
  }

  /** The kind of the change, the lists for the new link, and the address for a request. */
  public record Change(boolean moves, long linkList, long accessList, long request) {}

  /** Answers the callback {@code link.get} of libhdf5. */
  public long get(long base, long parameters, long args) {
    LinkInfo info;
    if (LocationResolver.isByIndex(parameters)) {
      try (LocationResolver.Place group = bridge.locations.group(base, parameters)) {
        info =
            LocationResolver.link(
                group.file(),
                group.at(),
                LocationResolver.order(parameters),
                LocationResolver.index(parameters));
      }
    } else {
      try (LocationResolver.Place place = bridge.locations.link(base, parameters)) {
        info = place.file().call(new LinkOperation.Describe(place.at()));
      }
    }
    switch (RawMemory.getInt(args)) {
      case 0 -> {
        long out = RawMemory.getLong(args + 8);
        if (out != 0) { // the program may only ask whether there is a link
          put(bridge.userLinks, info, out);
        }
      }
      case 1 -> {
        int length =
            RawMemory.putText(
                info.name(), RawMemory.getLong(args + 16), RawMemory.getLong(args + 8));
        RawMemory.setLong(RawMemory.getLong(args + 24), length);
      }
      case 2 -> putValue(info, RawMemory.getLong(args + 16), RawMemory.getLong(args + 8));
      default -> throw FileCallbacks.unknown("get of a link", RawMemory.getInt(args));
    }
    return 0;
  }

  private void putValue(LinkInfo info, long buffer, long size) {
    if (info.kind() == LinkKind.HARD) {
      throw new InvalidUseException(
          "value of a link: actual="
              + info.name()
              + " is a hard link, expected=a soft, external or user-defined link");
    }
    if (bridge.userLinks.value(info, buffer, size).isPresent()) {
      return;
    }
    byte[] value = value(info);
    RawMemory.put(value, buffer, (int) Math.min(value.length, size));
  }

  /** Returns a link's value in the form of {@code H5Lget_val}. */
  static byte[] value(LinkInfo info) {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    switch (info.kind()) {
      case HARD -> {}
      case SOFT -> putText(value, info.targetPath());
      case EXTERNAL -> {
        value.write(0);
        putText(value, info.targetFile());
        putText(value, info.targetPath());
      }
      case USER_DEFINED -> value.writeBytes(info.userData().toByteArray());
    }
    return value.toByteArray();
  }

  private static void putText(ByteArrayOutputStream value, String text) {
    value.writeBytes(NameBytes.encode(text));
    value.write(0);
  }

  /** Stores an {@code H5L_info2_t}. */
  static void put(UserLinks userLinks, LinkInfo info, long out) {
    RawMemory.setInt(
        out,
        switch (info.kind()) {
          case HARD -> 0;
          case SOFT -> 1;
          case EXTERNAL -> EXTERNAL;
          case USER_DEFINED -> info.userClass();
        });
    RawMemory.setBool(out + 4, info.creationOrder().isPresent());
    RawMemory.setLong(out + 8, info.creationOrder().orElse(0));
    RawMemory.setInt(out + 16, info.charset() == CharacterSet.UTF8 ? 1 : 0);
    if (info.kind() == LinkKind.HARD) {
      LocationResolver.putToken(out + 24, info.token());
    } else {
      long length = value(info).length;
      RawMemory.setLong(out + 24, userLinks.value(info, 0, 0).orElse(length));
      RawMemory.setLong(out + 32, 0);
    }
  }

  /** Answers the callback {@code link.specific} of libhdf5. */
  public long specific(long base, long parameters, long args, long request) {
    int operation = RawMemory.getInt(args);
    try (LocationResolver.Place place =
        operation == ITERATE
            ? bridge.locations.resolve(base, parameters)
            : bridge.locations.link(base, parameters)) {
      switch (operation) {
        case 0 -> {
          ofProgram(place).ifPresent(link -> bridge.userLinks.deleted(place, link));
          bridge.run(place.file(), new LinkOperation.Delete(place.at()), request);
        }
        case 1 ->
            RawMemory.setBool(
                RawMemory.getLong(args + 8),
                place.file().call(new LinkOperation.Exists(place.at())));
        case ITERATE -> {
          return walker.links(place, args + 8);
        }
        default -> throw FileCallbacks.unknown("operation on a link", operation);
      }
    }
    return 0;
  }
}
