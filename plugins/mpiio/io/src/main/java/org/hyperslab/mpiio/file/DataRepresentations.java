package org.hyperslab.mpiio.file;

import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Data representations by name: the built-in ones and those that were registered here ({@code
 * MPI_Register_datarep}). Safe for use by several threads.
 */
public final class DataRepresentations {

  private final ConcurrentHashMap<String, DataRepresentation> known = new ConcurrentHashMap<>();

  /** The built-in ones. */
  public DataRepresentations() {
    known.put("native", DataRepresentation.NATIVE);
    known.put("internal", DataRepresentation.INTERNAL);
    known.put("external32", DataRepresentation.EXTERNAL32);
  }

  /**
   * Registers a representation, so that views can name it.
   *
   * @param representation the representation of elements in the file
   * @throws AlreadyExistsException if the name is taken ({@code MPI_ERR_DUP_DATAREP})
   */
  public void register(DataRepresentation representation) {
    if (known.putIfAbsent(representation.name(), representation) != null) {
      throw new AlreadyExistsException(
          "data representation: actual="
              + representation.name()
              + " is already registered, expected=a new name");
    }
  }

  /**
   * {@return the representation with a name}
   *
   * @param name the name that views use
   * @throws UnsupportedFeatureException if there is no such representation ({@code
   *     MPI_ERR_UNSUPPORTED_DATAREP})
   */
  public DataRepresentation named(String name) {
    DataRepresentation found = known.get(name);
    if (found == null) {
      throw new UnsupportedFeatureException(
          "data representation: actual=" + name + ", expected=one of " + known.keySet());
    }
    return found;
  }
}
