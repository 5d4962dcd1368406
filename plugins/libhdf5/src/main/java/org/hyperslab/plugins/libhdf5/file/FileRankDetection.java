package org.hyperslab.plugins.libhdf5.file;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.mpi.Mpi;
import org.hyperslab.mpi.MpiCommunicator;
import org.hyperslab.mpi.MpiInfo;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.comm.Worlds;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.vol.ConnectorConfiguration;
import org.hyperslab.vol.Connectors;

/**
 * Finds out which ranks open a file: those of the communicator that {@code H5Pset_fapl_mpio} put
 * into the access property list, otherwise the calling rank alone.
 *
 * <p>libhdf5 duplicates the communicator for every reader of the list. The duplicates of equal
 * ranks are freed, so that files of the same ranks share one connector. All ranks of a communicator
 * come here together and with equal histories, so they free the same ones.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class FileRankDetection {

  private static final String MPIIO = "mpiio";
  private static final String MPIO = "mpio";
  private static final String METADATA = "metadata";
  private static final String INDEPENDENT = "independent";
  private static final int HANDLE_ROOM = 8;

  private final Hdf5Calls hdf5;

  /** The communicators of files, which are freed when the library closes. */
  private final List<Member> members = new ArrayList<>();

  public FileRankDetection(Hdf5Calls hdf5) {
    this.hdf5 = hdf5;
  }

  /** A communicator of the program, adopted. */
  private record Member(MpiCommunicator mpi, Communicator ranks) {}

  /**
   * Returns the ranks that open a file, and the configuration of the connector that they use.
   *
   * <p>With the connector {@code native}, ranks that only read open the file each for itself, so
   * that they may look for different objects. With {@code mpiio}, a rank that reads metadata waits
   * for no other, also if the program promises by {@code H5Pset_all_coll_metadata_ops} that all
   * ranks read it together: some that promise it do not, and libhdf5 does not notice.
   *
   * @param configuration the configuration of the connector; empty for the default
   * @param accessList the access property list
   * @param writable whether the file may be edited
   * @throws UnsupportedFeatureException if the connector is not for several ranks
   */
  public FileRanks of(String configuration, long accessList, boolean writable) {
    if (!hdf5.has(Hdf5Function.P_GET_MPIO)) {
      return new FileRanks(configuration, configuration, null);
    }
    if (!isShared(accessList) || (!writable && isNative(parsed(configuration).lowest()))) {
      return alone(configuration);
    }
    MemorySegment handles = hdf5.scratch().asSlice(0, 2L * HANDLE_ROOM);
    handles.fill((byte) 0);
    hdf5.checked(
        Hdf5Function.P_GET_MPIO, accessList, handles.address(), handles.address() + HANDLE_ROOM);
    Mpi mpi = Mpi.start();
    Map<String, String> hints = takeHints(mpi, handles.asSlice(HANDLE_ROOM));
    hints.putIfAbsent(METADATA, INDEPENDENT);
    Communicator ranks = known(mpi.adoptCommunicator(handles.asSlice(0, HANDLE_ROOM)));
    return ranks.size() == 1
        ? alone(configuration)
        : new FileRanks(configuration, shared(configuration, hints), ranks);
  }

  /** Returns whether a list has the driver mpio. */
  public boolean isShared(long accessList) {
    long driver = hdf5.call(Hdf5Function.P_GET_DRIVER, accessList);
    return driver > 0 && driver == hdf5.driver(MPIO);
  }

  /** Returns what opens a file of one rank: {@code native} in the place of {@code mpiio}. */
  private static FileRanks alone(String configuration) {
    ConnectorConfiguration given = parsed(configuration);
    String effective =
        given.lowest().name().equals(MPIIO)
            ? given.withLowest(ConnectorConfiguration.of(Connectors.FALLBACK)).toString()
            : configuration;
    return new FileRanks(configuration, effective, null);
  }

  /** Returns a configuration with {@code native} as its lowest connector. */
  public static String inMemory(String configuration) {
    return parsed(configuration)
        .withLowest(ConnectorConfiguration.of(Connectors.FALLBACK))
        .toString();
  }

  /** Returns whether a configuration keeps files where the program sees them, by their names. */
  public static boolean isLocal(String configuration) {
    String lowest = parsed(configuration).lowest().name();
    return lowest.equals(Connectors.FALLBACK) || lowest.equals(MPIIO);
  }

  private static ConnectorConfiguration parsed(String configuration) {
    return Connectors.parse(OpenFiles.effective(configuration));
  }

  private static boolean isNative(ConnectorConfiguration lowest) {
    return lowest.equals(ConnectorConfiguration.of(Connectors.FALLBACK));
  }

  private static Map<String, String> takeHints(Mpi mpi, MemorySegment place) {
    Optional<MpiInfo> info = mpi.adoptInfo(place);
    if (info.isEmpty()) {
      return new LinkedHashMap<>();
    }
    try (MpiInfo hints = info.get()) {
      return new LinkedHashMap<>(hints.toMap());
    }
  }

  private Communicator known(MpiCommunicator mine) {
    for (Member member : members) {
      if (member.mpi.isCongruent(mine)) {
        mine.close();
        return member.ranks;
      }
    }
    Communicator ranks = Worlds.of(mine, "communicator of H5Pset_fapl_mpio");
    members.add(new Member(mine, ranks));
    return ranks;
  }

  /** Returns the configuration with {@code mpiio} as its lowest connector, with the hints. */
  private static String shared(String configuration, Map<String, String> hints) {
    ConnectorConfiguration given = parsed(configuration);
    ConnectorConfiguration lowest = given.lowest();
    if (!isNative(lowest) && !lowest.name().equals(MPIIO)) {
      throw new UnsupportedFeatureException(
          "file driver: actual=mpio with several ranks on connector "
              + lowest
              + ", expected=connector mpiio, or native, instead of which mpiio is used");
    }
    Map<String, String> options = new LinkedHashMap<>();
    hints.forEach((key, value) -> {
      if (isHonoured(key, value)) {
        options.put(key, value);
      }
    });
    options.putAll(lowest.options());
    return given
        .withLowest(new ConnectorConfiguration(MPIIO, options, Optional.empty()))
        .toString();
  }

  /** Returns whether the connector takes a hint; MPI has others be ignored. */
  private static boolean isHonoured(String key, String value) {
    try {
      Connectors.create(new ConnectorConfiguration(MPIIO, Map.of(key, value), Optional.empty()))
          .close();
      return true;
    } catch (InvalidUseException unknown) {
      return false;
    }
  }

  /**
   * Returns whether the program has finalised MPI, after which files of several ranks cannot be
   * written.
   */
  static boolean isJobOver() {
    return Mpi.started().map(Mpi::isFinished).orElse(false);
  }

  /** Frees the communicators; collective. Called once the connectors are closed. */
  public void close() {
    members.forEach(member -> member.ranks.close());
    members.clear();
  }
}
