package org.hyperslab.plugins.mpiio.comm;

import java.nio.file.Path;

/** What the binding offers beyond communicators, on the ranks of a job. */
final class BindingChecks {

  private BindingChecks() {}

  static void run(Communicator world, Path folder) {}
}
