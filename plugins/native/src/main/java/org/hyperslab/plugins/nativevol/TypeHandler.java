package org.hyperslab.plugins.nativevol;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.vol.TypeOperation;

/**
 * Carries out operations on committed types.
 *
 * <p>Thread rule: any thread.
 */
final class TypeHandler {

  private final HandleTable handles;
  private final GroupHandler groups;

  TypeHandler(HandleTable handles, GroupHandler groups) {
    this.handles = handles;
    this.groups = groups;
  }

  /** Carries out an operation and returns its result. */
  Object execute(TypeOperation<?> operation) {
    return switch (operation) {
      case TypeOperation.Commit commit ->
          groups.create(
              commit.type(),
              commit.at(),
              commit.link(),
              objects -> objects.newObjects().committedType(commit.spec()));
      case TypeOperation.Describe describe -> {
        OpenObject object = handles.require(describe.type());
        if (object.kind() != ObjectKind.COMMITTED_TYPE) {
          throw new InvalidUseException(
              "object: actual=" + object.kind() + ", expected=" + ObjectKind.COMMITTED_TYPE);
        }
        yield object
            .objects()
            .file()
            .read(() -> object.objects().newObjects().committedSpecAt(object.address()));
      }
    };
  }
}
