package org.hyperslab.plugins.libhdf5.object;

import java.util.concurrent.CompletableFuture;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.vol.Handle;

/**
 * The object behind a {@code void *} of this connector that libhdf5 keeps. Every identifier of the
 * library has its own, even if several refer to the same object.
 */
public sealed interface BridgeObject {

  /** Returns the file that it was reached through. */
  OpenedFile file();

  /** Returns the number of the file identifier that it was reached through; 0 if through none. */
  default long opening() {
    return 0;
  }

  /** Returns the path from the root by which it was opened; null if there was none. */
  default OpenedPath opened() {
    return null;
  }

  /** Returns the handle from which paths are followed; for an attribute, that of its object. */
  Handle handle();

  /**
   * An identifier of a file.
   *
   * @param file the file
   * @param opening the number of this identifier
   */
  record OfFile(OpenedFile file, long opening) implements BridgeObject {
    @Override
    public Handle handle() {
      return file.handle();
    }

    @Override
    public OpenedPath opened() {
      return OpenedPath.ROOT;
    }
  }

  /**
   * A group, dataset or committed type.
   *
   * @param file the file that it was reached through
   * @param handle its own handle
   * @param type its type for libhdf5, of {@link IdType}
   * @param info the information from opening it; pending while it is being opened
   * @param dataset the known properties of a dataset; null for others
   * @param opened the path by which it was opened; null if there was none
   * @param opening the number of the file identifier that it was reached through
   */
  record OfObject(
      OpenedFile file,
      Handle handle,
      int type,
      CompletableFuture<ObjectInfo> info,
      DatasetState dataset,
      OpenedPath opened,
      long opening)
      implements BridgeObject {

    /** Returns the path from the root by which it was opened; null if there was none. */
    public String path() {
      return opened == null ? null : opened.text();
    }
  }

  /**
   * An identifier of an attribute.
   *
   * @param file the file that it was reached through
   * @param handle a handle of its object, which this one closes
   * @param name its name, which may change
   * @param info its known properties; null until first requested
   * @param opening the number of the file identifier that it was reached through
   */
  record OfAttribute(
      OpenedFile file, Handle handle, String[] name, AttributeInfo[] info, long opening)
      implements BridgeObject {

    /** Returns the name under which the object is known now. */
    public String currentName() {
      return name[0];
    }
  }

  /**
   * A pending operation.
   *
   * @param file the file on which it works
   * @param request the operation
   */
  record OfRequest(OpenedFile file, RequestUnderWay request) implements BridgeObject {
    @Override
    public Handle handle() {
      return file.handle();
    }
  }
}
