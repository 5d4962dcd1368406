package org.hyperslab.remote;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.Ranges;
import org.hyperslab.format.store.StoreDecorator;

/**
 * An object in a bucket that is being created. Its bytes are in a temporary file, which {@link
 * #complete} uploads and {@link #close} deletes.
 *
 * <p>Thread rule: as {@link ByteStore}.
 */
final class UploadStore extends StoreDecorator {

  private final S3Object object;
  private final Path file;

  private UploadStore(S3Object object, Path file) {
    super(FileStore.open(file, FileAccess.UPDATE));
    this.object = object;
    this.file = file;
  }

  /** Creates the store of an object, which is closed with the store. */
  static UploadStore create(S3Object object) {
    Path file = null;
    try {
      file = Files.createTempFile("hyperslab", ".h5");
      return new UploadStore(object, file);
    } catch (IOException | RuntimeException failure) {
      object.close();
      deleteQuietly(file);
      throw failure instanceof RuntimeException known
          ? known
          : Ranges.failed(object.address().toString(), "create", 0, 0, failure);
    }
  }

  @Override
  public String name() {
    return object.address().toString();
  }

  /** Uploads the present content of the file; if the upload fails, the existing object stays. */
  @Override
  public void complete() {
    object.upload(
        (offset, target, length) ->
            store.read(offset, MemorySegment.ofArray(target).asSlice(0, length)),
        store.size());
  }

  @Override
  public void close() {
    try {
      store.close();
    } finally {
      object.close();
      deleteQuietly(file);
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException left) {
      throw new StorageException("temporary file: actual=" + left + ", at=" + file, left);
    }
  }
}
