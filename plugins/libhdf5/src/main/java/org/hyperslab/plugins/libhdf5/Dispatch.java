package org.hyperslab.plugins.libhdf5;

import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.DatasetTransfer;
import org.hyperslab.plugins.libhdf5.bridge.IdSearch;
import org.hyperslab.plugins.libhdf5.bridge.ObjectOpening;
import org.hyperslab.plugins.libhdf5.call.ClassSlot;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.callback.AttributeCallbacks;
import org.hyperslab.plugins.libhdf5.callback.DatasetCallbacks;
import org.hyperslab.plugins.libhdf5.callback.DatasetOptionalCallbacks;
import org.hyperslab.plugins.libhdf5.callback.FileCallbacks;
import org.hyperslab.plugins.libhdf5.callback.FileOptionalCallbacks;
import org.hyperslab.plugins.libhdf5.callback.GroupCallbacks;
import org.hyperslab.plugins.libhdf5.callback.GroupOptionalCallbacks;
import org.hyperslab.plugins.libhdf5.callback.GroupWalker;
import org.hyperslab.plugins.libhdf5.callback.InfoCallbacks;
import org.hyperslab.plugins.libhdf5.callback.IntrospectCallbacks;
import org.hyperslab.plugins.libhdf5.callback.LinkCallbacks;
import org.hyperslab.plugins.libhdf5.callback.ObjectCallbacks;
import org.hyperslab.plugins.libhdf5.callback.RequestCallbacks;
import org.hyperslab.plugins.libhdf5.callback.TokenCallbacks;
import org.hyperslab.plugins.libhdf5.callback.TypeCallbacks;

/**
 * Receives every call of libhdf5. The arguments are those of {@code H5VLconnector.h} in their
 * order; arguments that a callback does not have are arbitrary. The C part of the bridge calls the
 * methods of this class by JNI, and knows their names. No exception leaves this class: it is pushed
 * on libhdf5's error stack, and the callback returns its failure value.
 *
 * <p>This class is long because it lists all callbacks of the bridge.
 */
public final class Dispatch {

  private final Bridge bridge;
  private final IdSearch ids;
  private final AttributeCallbacks attributes;
  private final DatasetCallbacks datasets;
  private final DatasetTransfer transfers;
  private final DatasetOptionalCallbacks datasetOptional;
  private final TypeCallbacks types;
  private final FileCallbacks files;
  private final FileOptionalCallbacks fileOptional;
  private final GroupCallbacks groups;
  private final GroupOptionalCallbacks groupOptional;
  private final LinkCallbacks links;
  private final ObjectCallbacks objects;
  private final ObjectOpening opening;
  private final RequestCallbacks requests;
  private final TokenCallbacks tokens;
  private final InfoCallbacks infos;
  private final IntrospectCallbacks introspection;

  Dispatch(Bridge bridge, IdSearch ids) {
    this.bridge = bridge;
    this.ids = ids;
    this.opening = new ObjectOpening(bridge);
    this.groups = new GroupCallbacks(bridge, opening);
    GroupWalker walker = new GroupWalker(bridge);
    this.groupOptional = new GroupOptionalCallbacks(bridge, walker);
    this.datasets = new DatasetCallbacks(bridge, opening, groups);
    this.transfers = new DatasetTransfer(bridge);
    this.datasetOptional = new DatasetOptionalCallbacks(bridge);
    this.attributes = new AttributeCallbacks(bridge, datasets, transfers);
    this.types = new TypeCallbacks(bridge, opening, groups);
    this.files = new FileCallbacks(bridge, ids);
    this.fileOptional = new FileOptionalCallbacks(bridge);
    this.links = new LinkCallbacks(bridge, walker);
    this.objects = new ObjectCallbacks(bridge, opening, groups, walker);
    this.requests = new RequestCallbacks(bridge);
    this.tokens = new TokenCallbacks(bridge);
    this.infos = new InfoCallbacks(bridge);
    this.introspection = new IntrospectCallbacks(bridge);
  }

  IntrospectCallbacks introspection() {
    return introspection;
  }

  /** Receives an identifier of the library while all of a kind are searched. */
  void visit(long id) {
    ids.visit(id);
  }

  /** Flushes every file as the process ends. */
  void flush() {
    try {
      bridge.files.flushAll();
    } catch (Throwable failure) {
      System.err.println("hyperslab: at the end of the process: " + failure);
    }
  }

  /** Dispatches a callback of up to six parameters. */
  long few(int slot, long a, long b, long c, long d, long e, long f) {
    ClassSlot callback = ClassSlot.at(slot);
    try {
      return fewOrFail(callback, a, b, c, d, e, f);
    } catch (Throwable failure) {
      if (mayFollow(failure)) {
        return few(slot, a, b, c, d, e, f);
      }
      bridge.errors.push(callback.name(), failure);
      return callback.failure();
    }
  }

  /** Dispatches a callback of up to ten parameters. */
  long many(
      int slot, long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
    ClassSlot callback = ClassSlot.at(slot);
    try {
      return manyOrFail(callback, a, b, c, d, e, f, g, h, i, j);
    } catch (Throwable failure) {
      if (mayFollow(failure)) {
        return many(slot, a, b, c, d, e, f, g, h, i, j);
      }
      bridge.errors.push(callback.name(), failure);
      return callback.failure();
    }
  }

  /**
   * Returns whether a call that failed can be made again: a connector refused a link of a class
   * that the program has, and did nothing. From then on paths are followed here.
   */
  private boolean mayFollow(Throwable failure) {
    return failure instanceof UnsupportedFeatureException && bridge.userLinks.discover();
  }

  private long fewOrFail(ClassSlot slot, long a, long b, long c, long d, long e, long f) {
    return switch (slot) {
      case INITIALIZE -> 0;
      case TERMINATE -> terminate();
      case INFO_COPY -> infos.copy(a);
      case INFO_COMPARE -> InfoCallbacks.compare(a, b, c);
      case INFO_FREE -> infos.free(a);
      case INFO_TO_STRING -> infos.toText(a, b);
      case INFO_FROM_STRING -> infos.fromText(a, b);
      case ATTRIBUTE_OPEN -> attributes.open(a, b, c, d);
      case ATTRIBUTE_READ -> attributes.read(a, b, c, d, e);
      case ATTRIBUTE_WRITE -> attributes.write(a, b, c, e);
      case ATTRIBUTE_GET -> attributes.get(a, b);
      case ATTRIBUTE_SPECIFIC -> attributes.specific(a, b, c, e);
      case ATTRIBUTE_OPTIONAL -> attributes.optional(a, b);
      case ATTRIBUTE_CLOSE -> isClosed(a) ? 0 : attributes.close(a);
      case DATASET_OPEN -> datasets.open(a, b, c, d, f);
      case DATASET_GET -> datasets.get(a, b);
      case DATASET_SPECIFIC -> datasets.specific(a, b, d);
      case DATASET_OPTIONAL -> datasetOptional.call(a, b);
      case TYPE_OPEN -> types.open(a, b, c, d, f);
      case TYPE_GET -> types.get(a, b);
      case TYPE_SPECIFIC -> types.specific(a, b, d);
      case FILE_CREATE -> bridge.fileOpener.create(RawMemory.text(a), (int) b, c, d, f);
      case FILE_OPEN -> bridge.fileOpener.open(RawMemory.text(a), (int) b, c, e);
      case FILE_GET -> files.get(a, b);
      case FILE_SPECIFIC -> files.specific(a, b, d);
      case FILE_OPTIONAL -> fileOptional.call(a, b);
      case FILE_CLOSE -> isClosed(a) ? 0 : files.close(a, c);
      case GROUP_OPEN -> groups.open(a, b, c, d, f);
      case GROUP_GET -> groups.get(a, b);
      case GROUP_OPTIONAL -> groupOptional.call(a, b);
      case GROUP_SPECIFIC -> groups.specific(a, b, d);
      case DATASET_CLOSE, TYPE_CLOSE, GROUP_CLOSE -> opening.close(a, c);
      case LINK_GET -> links.get(a, b, c);
      case LINK_SPECIFIC -> links.specific(a, b, c, e);
      case OBJECT_OPEN -> objects.open(a, b, c);
      case OBJECT_GET -> objects.get(a, b, c);
      case OBJECT_SPECIFIC -> objects.specific(a, b, c, e);
      case OBJECT_OPTIONAL -> objects.optional(a, b, c);
      case INTROSPECT_CONNECTOR_CLASS -> introspection.connectorClass(c);
      case INTROSPECT_CAPABILITIES -> introspection.capabilities(a, b);
      case INTROSPECT_OPTIONAL -> IntrospectCallbacks.optional((int) b, (int) c, d);
      case REQUEST_WAIT -> requests.await(a, b, c);
      case REQUEST_NOTIFY -> requests.notify(a, b, c);
      case REQUEST_CANCEL -> requests.cancel(a, b);
      case REQUEST_SPECIFIC -> requests.specific(a, b);
      case REQUEST_FREE -> requests.free(a);
      case TOKEN_COMPARE -> TokenCallbacks.compare(b, c, d);
      case TOKEN_TO_STRING -> tokens.toText(c, d);
      case TOKEN_FROM_STRING -> TokenCallbacks.fromText(c, d);
      default -> throw missing(slot);
    };
  }

  private long manyOrFail(
      ClassSlot slot,
      long a,
      long b,
      long c,
      long d,
      long e,
      long f,
      long g,
      long h,
      long i,
      long j) {
    return switch (slot) {
      case ATTRIBUTE_CREATE -> attributes.create(a, b, c, d, e, f, g);
      case DATASET_CREATE -> datasets.create(a, b, c, e, f, new DatasetCallbacks.Lists(d, g, h), j);
      case DATASET_READ -> transfers.read(new DatasetTransfer.Request(a, b, c, d, e, f, g), h);
      case DATASET_WRITE -> transfers.write(new DatasetTransfer.Request(a, b, c, d, e, f, g), h);
      case TYPE_COMMIT -> types.commit(a, b, c, d, new TypeCallbacks.Lists(e, f, g), i);
      case GROUP_CREATE -> groups.create(a, b, c, d, e, f, h);
      case LINK_CREATE -> links.create(a, b, c, d, e, g);
      case LINK_COPY -> links.copyOrMove(a, b, c, d, new LinkCallbacks.Change(false, e, f, h));
      case LINK_MOVE -> links.copyOrMove(a, b, c, d, new LinkCallbacks.Change(true, e, f, h));
      case OBJECT_COPY -> objects.copy(new ObjectCallbacks.Copying(a, b, c, d, e, f), g, h, j);
      default -> throw missing(slot);
    };
  }

  /**
   * Returns whether an object has been closed before. libhdf5 closes what failed to close again and
   * again as it ends, and aborts the program if that fails.
   */
  private boolean isClosed(long pointer) {
    return bridge.objects.find(pointer).isEmpty();
  }

  private long terminate() {
    bridge.files.closeAll();
    bridge.job.close();
    return 0;
  }

  private static UnsupportedFeatureException missing(ClassSlot slot) {
    return new UnsupportedFeatureException(
        "callback: actual=" + slot + ", expected=a callback that this connector implements");
  }
}
