package org.hyperslab.plugins.nativevol.file;

import org.hyperslab.format.store.ByteStore;
import org.hyperslab.model.OpenOptions;

/**
 * Opens the byte stores of files: {@link #standard()} knows paths and URIs; another one may count,
 * log or break what passes, or keep files in memory.
 *
 * <p>Thread rule: any thread.
 */
public interface Stores {

  /**
   * {@return the bytes of an existing file}
   *
   * @param name the name
   * @param options how it is opened or created
   * @throws org.hyperslab.error.NotFoundException if there is none of that name
   * @throws org.hyperslab.error.StorageException if it cannot be opened
   */
  ByteStore open(String name, OpenOptions options);

  /**
   * {@return the bytes of a file to be created, of which there are none as yet}
   *
   * @param name the name
   * @param options how it is opened or created
   * @param exclusive whether it is an error if the file exists
   */
  ByteStore create(String name, OpenOptions options, boolean exclusive);

  /**
   * Returns stores like {@link #standard()}, except that one name means a store of the caller.
   *
   * @param name not that of a local file
   * @param store holds the bytes of the file
   * @return a finder of stores
   */
  static Stores withOne(String name, ByteStore store) {
    Stores others = standard();
    return new Stores() {
      @Override
      public ByteStore open(String wanted, OpenOptions options) {
        return wanted.equals(name) ? store : others.open(wanted, options);
      }

      @Override
      public ByteStore create(String wanted, OpenOptions options, boolean exclusive) {
        return wanted.equals(name) ? store : others.create(wanted, options, exclusive);
      }
    };
  }

  /** {@return local files and what is reached by HTTP, as the options say} */
  static Stores standard() {
    return new Stores() {
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
