package org.hyperslab.plugins.nativevol.store;

import java.util.Optional;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.model.OpenOptions;

/**
 * Opens the byte stores of files. {@link #standard()} opens paths and URIs; other implementations
 * may count, log or break requests, or keep files in memory.
 *
 * <p>Thread rule: any thread.
 */
public interface StoreFactory {

  /**
   * {@return the byte store of an existing file}
   *
   * @param name the file's name
   * @param options the options for opening the file
   * @throws org.hyperslab.error.NotFoundException if no file has that name
   * @throws org.hyperslab.error.StorageException if it cannot be opened
   */
  ByteStore open(String name, OpenOptions options);

  /**
   * {@return the empty byte store of a file to be created}
   *
   * @param name the file's name
   * @param options the options for creating the file
   * @param exclusive whether it is an error if the file exists
   */
  ByteStore create(String name, OpenOptions options, boolean exclusive);

  /**
   * Returns a key that is the same for all names of one file, so that a file is opened only once.
   *
   * @param name the file's name
   * @param options the options for opening the file
   * @return the key; empty if the file is not shared, or not there
   */
  default Optional<Object> identity(String name, OpenOptions options) {
    return StoreOpener.identity(name, options);
  }

  /**
   * Returns stores like {@link #standard()}, except that one name denotes the given store.
   *
   * @param name a name that no local file has
   * @param store the bytes of the file; one that reports the greatest length is a file split by
   *     kind of data, with addresses beyond 2<sup>63</sup>, which is only read
   * @return the stores
   */
  static StoreFactory withOne(String name, ByteStore store) {
    StoreFactory others = standard();
    return new StoreFactory() {
      @Override
      public ByteStore open(String wanted, OpenOptions options) {
        return wanted.equals(name) ? viewed(store) : others.open(wanted, options);
      }

      @Override
      public ByteStore create(String wanted, OpenOptions options, boolean exclusive) {
        return wanted.equals(name) ? store : others.create(wanted, options, exclusive);
      }

      @Override
      public Optional<Object> identity(String wanted, OpenOptions options) {
        return wanted.equals(name) ? Optional.empty() : others.identity(wanted, options);
      }
    };
  }

  private static ByteStore viewed(ByteStore store) {
    return store.size() == Long.MAX_VALUE ? new SplitView(store) : store;
  }

  /**
   * {@return the stores of local files and of remote files over HTTP and S3, as the options direct}
   */
  static StoreFactory standard() {
    return new StoreFactory() {
      @Override
      public ByteStore open(String name, OpenOptions options) {
        return StoreOpener.open(name, options);
      }

      @Override
      public ByteStore create(String name, OpenOptions options, boolean exclusive) {
        return StoreOpener.create(name, options, exclusive);
      }
    };
  }
}
