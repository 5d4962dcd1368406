package org.hyperslab.mpi;

/** The level of thread support: which threads of a process may call MPI. */
public enum ThreadLevel {
  /** The process has only one thread. */
  SINGLE(Constant.THREAD_SINGLE),
  /** Only the thread that started MPI may call. */
  FUNNELED(Constant.THREAD_FUNNELED),
  /** Any thread may call, one at a time. */
  SERIALIZED(Constant.THREAD_SERIALIZED),
  /** Any thread may call at any time. */
  MULTIPLE(Constant.THREAD_MULTIPLE);

  private final Constant constant;

  ThreadLevel(Constant constant) {
    this.constant = constant;
  }

  Constant constant() {
    return constant;
  }

  static ThreadLevel of(Abi abi, int value) {
    ThreadLevel level = SINGLE;
    for (ThreadLevel candidate : values()) {
      if (candidate.constant.in(abi) <= value) {
        level = candidate;
      }
    }
    return level;
  }
}
