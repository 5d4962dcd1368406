package org.hyperslab.format.store;

import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Opens, creates, deletes and lists files by their URIs, for {@link RemoteStores}; found by {@link
 * java.util.ServiceLoader}.
 *
 * <p>Thread rule: any thread.
 */
public interface RemoteStoreProvider {

  /**
   * Opens a remote file for reading.
   *
   * @param name the file's URI
   * @param properties the properties of the opening
   * @return the file's bytes, which are fetched when they are read
   * @throws NotFoundException if the server has no such resource
   * @throws org.hyperslab.error.StorageException if the server cannot be reached, refuses, or does
   *     not serve ranges
   * @throws InvalidUseException if the name or a property is malformed
   */
  ByteStore open(String name, Map<String, String> properties);

  /**
   * Creates an object in a bucket. Its bytes are kept in a temporary file and sent when they are
   * {@linkplain ByteStore#complete complete}; before that, and if they never are, the bucket is
   * unchanged.
   *
   * @param name {@code s3://BUCKET/KEY}
   * @param properties the properties of the opening
   * @param exclusive whether an existing object is an error; an object that is created while the
   *     file is written is replaced
   * @return the empty store
   * @throws org.hyperslab.error.AlreadyExistsException if the object exists and {@code exclusive}
   *     is true
   * @throws UnsupportedFeatureException if the name is that of a web server's resource
   */
  ByteStore create(String name, Map<String, String> properties, boolean exclusive);

  /**
   * Deletes an object of a bucket.
   *
   * @param name {@code s3://BUCKET/KEY}
   * @param properties the properties of the opening
   * @throws NotFoundException if no object has that name
   * @throws UnsupportedFeatureException if the name is that of a web server's resource
   */
  void delete(String name, Map<String, String> properties);

  /**
   * Lists the objects of a bucket whose keys begin with a prefix, or the files of a web server to
   * which the page of a folder links.
   *
   * @param name {@code s3://BUCKET/}, {@code s3://BUCKET/PREFIX/} or the address of a folder; a
   *     slash at its end may be missing
   * @param properties the properties of an opening
   * @param recursive whether the files in folders below are listed, too
   * @param most the greatest number of entries
   * @return the content
   * @throws NotFoundException if there is no such bucket or folder; in a bucket, a folder without
   *     objects is empty
   * @throws org.hyperslab.error.StorageException if the server cannot be reached, refuses, or does
   *     not list the folder
   */
  RemoteStores.Listing list(
      String name, Map<String, String> properties, boolean recursive, int most);
}
