package org.hyperslab.mpiio.comm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InternalErrorException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.LimitExceededException;
import org.hyperslab.error.MpiException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.RemoteException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;

/** Provides one failure of each type, so that a new type without a sample is an error. */
public final class FailureSamples {

  private FailureSamples() {}

  /**
   * Returns a failure of every type of the package {@code error}.
   *
   * @throws IllegalStateException if a type has no sample here
   */
  public static List<HyperslabException> all() {
    List<HyperslabException> all = new ArrayList<>();
    all.add(new LimitExceededException("heap: actual=3 bytes, expected<=2"));
    for (Class<?> type : HyperslabException.class.getPermittedSubclasses()) {
      all.add(
          samples().stream()
              .filter(type::isInstance)
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("add a sample of " + type)));
    }
    return all;
  }

  private static List<HyperslabException> samples() {
    return Arrays.asList(
        new CorruptFileException("/a/größe.h5", "B-tree node", 4096, "actual=1, expected=2"),
        new UnsupportedFeatureException("filter: actual=307, expected=a registered one"),
        new StorageException("write: actual=no space, at=/a/b.h5", new IOException("full")),
        new InvalidUseException("rank: actual=3, expected=2"),
        new NotFoundException("link: actual=none, at=/a/b"),
        new AlreadyExistsException("link: actual=there, at=/a/b"),
        new RemoteException("server: actual=gone"),
        new MpiException("MPI_File_open", 1, 35, "no such file"),
        new InternalErrorException("copy: actual=npe", new NullPointerException("x")));
  }
}
