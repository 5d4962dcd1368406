package org.hyperslab;

import java.util.Optional;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.Operation;

/**
 * Adds to errors the object or attribute that they concern: only the API knows by which path the
 * caller reached it.
 *
 * <p>Thread rule: no state.
 */
final class ErrorContext {

  private ErrorContext() {}

  /**
   * Returns the failure with the place added to its text. Failures other than refusals and a lack
   * of memory are returned unchanged: they name the file and the place in it.
   */
  static HyperslabException named(HyperslabException failure, String place) {
    String message = String.valueOf(failure.getMessage());
    boolean named =
        switch (failure) {
          case InvalidUseException _,
              NotFoundException _,
              AlreadyExistsException _,
              UnsupportedFeatureException _ ->
              true;
          case StorageException _ -> failure.getCause() instanceof OutOfMemoryError;
          case CorruptFileException _,
              RemoteException _,
              MpiException _,
              InternalErrorException _ ->
              false;
        };
    return !named || message.contains(place)
        ? failure
        : failure.withMessage(message + "; " + place);
  }

  /** Returns an attribute of an object. */
  static String attribute(String name, String object) {
    return "attribute \"" + name + "\" of " + object;
  }

  /** Returns the subject of an operation on an object: the object or one of its attributes. */
  static String of(Operation<?> operation, String object) {
    return operation instanceof AttributeOperation<?> about
        ? nameIn(about).map(name -> attribute(name, object)).orElse(object)
        : object;
  }

  private static Optional<String> nameIn(AttributeOperation<?> operation) {
    return switch (operation) {
      case AttributeOperation.Create o -> Optional.of(o.name());
      case AttributeOperation.Describe o -> Optional.of(o.name());
      case AttributeOperation.Exists o -> Optional.of(o.name());
      case AttributeOperation.Set o -> Optional.of(o.name());
      case AttributeOperation.Read o -> Optional.of(o.name());
      case AttributeOperation.Write o -> Optional.of(o.name());
      case AttributeOperation.Rename o -> Optional.of(o.from());
      case AttributeOperation.Delete o -> Optional.of(o.name());
      case AttributeOperation.ListAttributes _ -> Optional.empty();
    };
  }
}
