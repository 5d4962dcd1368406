package org.hyperslab.plugins.libhdf5.object;

import org.hyperslab.format.space.Dataspace;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.filter.ProgramFilters;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;

/**
 * The properties of an open dataset, each queried when it is first needed. The extent is cached, as
 * in libhdf5: changes by this process are visible through all identifiers, those of other processes
 * after {@code H5Drefresh}.
 *
 * <p>Thread rule: any thread.
 */
public final class DatasetState {

  private final Handle handle;
  private final OpenedFile file;
  private DatasetInfo info;
  private OpenedFile.SharedExtent extent;
  private boolean closed;

  /** Whether it is known that it is not a virtual dataset. */
  private boolean holdsElements;

  /** The extent of a dataset that is being created; null if it exists. */
  private Dataspace created;

  /** The library's copy of the access property list; 0 for the default. */
  private final long accessList;

  public DatasetState(OpenedFile file, Handle handle, long accessList) {
    this.file = file;
    this.handle = handle;
    this.accessList = accessList;
  }

  /** Returns the access list of the dataset. */
  public long accessList() {
    return accessList;
  }

  /** Returns type, options and extent at the time when the dataset was opened or last refreshed. */
  public synchronized DatasetInfo info() {
    if (info == null) {
      info = file.call(new DatasetOperation.Describe(handle));
      ProgramFilters.prepare(info);
    }
    return info;
  }

  /** Returns the current properties, including the number of chunks and their bytes. */
  public DatasetInfo current() {
    return file.call(new DatasetOperation.Describe(handle, true, false));
  }

  private DatasetInfo described() {
    return file.call(new DatasetOperation.Describe(handle));
  }

  /** Returns the extent that follows from the sources of a virtual dataset, which is used then. */
  public synchronized Dataspace followed() {
    Dataspace space = file.call(new DatasetOperation.Describe(handle, false, true)).space();
    created = null;
    if (extent != null) {
      extent.set(space);
    }
    return space;
  }

  /** Joins the identifiers of the same dataset. */
  public synchronized void identify(ObjectToken itsToken) {
    if (extent == null && !closed) {
      extent = file.extent(itsToken);
      if (created != null) {
        extent.set(created);
        created = null;
      }
    }
  }

  /** Joins the identifiers of the dataset that was opened. */
  public ObjectInfo identified(ObjectInfo opened) {
    identify(opened.token());
    return opened;
  }

  /**
   * Sets the properties with which the dataset is being created, so that nobody needs to ask for
   * its extent.
   */
  public synchronized void created(DatasetOperation.Spec spec) {
    created = spec.space();
    holdsElements = !(spec.options().layout() instanceof Layout.Virtual);
  }

  /** Returns whether its elements are in other datasets. */
  public synchronized boolean isVirtual() {
    return !holdsElements && info().options().layout() instanceof Layout.Virtual;
  }

  /** Returns the extent of the dataset. */
  public synchronized Dataspace space() {
    if (extent == null) {
      return described().space();
    }
    Dataspace known = extent.space();
    if (known == null) {
      known = (info == null ? info() : described()).space();
      extent.set(known);
    }
    return known;
  }

  /** Discards the properties that may have changed. */
  public synchronized void forget() {
    info = null;
    created = null; // its creation may still be under way, and must not restore this extent
    if (extent != null) {
      extent.set(null);
    }
  }

  /** Closes the state with its dataset. */
  public synchronized void close() {
    closed = true;
    if (extent != null) {
      file.releaseExtent(extent);
      extent = null;
    }
  }
}
