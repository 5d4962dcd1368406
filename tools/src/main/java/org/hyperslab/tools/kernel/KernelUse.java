package org.hyperslab.tools.kernel;

/** What a command does with a kernel: runs it, tunes it, or simulates it. */
@FunctionalInterface
public interface KernelUse {

  /**
   * Does it, and prints the result.
   *
   * @param kernel the kernel's command, with the options that were given
   */
  void use(KernelCommand kernel);
}
