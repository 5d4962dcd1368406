package org.hyperslab.mpi;

/** Which threads of a process may call MPI. */
public enum ThreadLevel {
  /** There is only one. */
  SINGLE(Constant.THREAD_SINGLE),
  /** Only the one that started MPI. */
  FUNNELED(Constant.THREAD_FUNNELED),
  /** Any, one at a time. */
  SERIALIZED(Constant.THREAD_SERIALIZED),
  /** Any, at any time. */
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
