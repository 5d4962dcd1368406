package org.hyperslab.mpiio.plan;

import java.util.List;
import java.util.ServiceLoader;

/**
 * Provides further collective algorithms, found by {@link ServiceLoader}. The hint {@code
 * hyperslab_collective} selects them by name.
 *
 * <p>Thread rule: any thread.
 */
@FunctionalInterface
public interface AlgorithmProvider {

  /** {@return the algorithms; their names differ from those of all others} */
  List<CollectiveAlgorithm.Separate> algorithms();

  /** {@return the algorithms of all providers} */
  static List<CollectiveAlgorithm.Separate> all() {
    return ServiceLoader.load(AlgorithmProvider.class, AlgorithmProvider.class.getClassLoader())
        .stream()
        .flatMap(provider -> provider.get().algorithms().stream())
        .toList();
  }
}
