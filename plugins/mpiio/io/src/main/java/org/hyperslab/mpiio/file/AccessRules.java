package org.hyperslab.mpiio.file;

import java.util.Set;
import org.hyperslab.error.InvalidUseException;

/**
 * The operations that the modes of an open file allow.
 *
 * @param modes the modes with which it was opened
 * @param name the file, for messages
 */
public record AccessRules(Set<AccessMode> modes, String name) {

  /**
   * Refuses an access that the modes do not allow.
   *
   * @param transfer the access
   */
  public void check(Transfer transfer) {
    AccessMode forbidding = transfer.write() ? AccessMode.READ_ONLY : AccessMode.WRITE_ONLY;
    require(!modes.contains(forbidding), transfer.name(), forbidding);
    if (transfer.pointer() != Transfer.Pointer.SHARED) {
      notSequential(transfer.name());
    }
  }

  /**
   * Refuses a routine on a sequential file.
   *
   * @param routine the routine's name, for the error
   */
  public void notSequential(String routine) {
    require(!modes.contains(AccessMode.SEQUENTIAL), routine, AccessMode.SEQUENTIAL);
  }

  /**
   * Refuses a routine that changes a file opened for reading only.
   *
   * @param routine the routine's name, for the error
   */
  public void writable(String routine) {
    require(!modes.contains(AccessMode.READ_ONLY), routine, AccessMode.READ_ONLY);
  }

  private void require(boolean allowed, String routine, AccessMode forbidding) {
    if (!allowed) {
      throw new InvalidUseException(
          routine
              + ": actual=a file opened "
              + modes
              + ", expected=a file opened without "
              + forbidding
              + ", at="
              + name);
    }
  }
}
