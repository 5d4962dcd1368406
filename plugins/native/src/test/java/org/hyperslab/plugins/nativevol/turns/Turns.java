package org.hyperslab.plugins.nativevol.turns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.hyperslab.testkit.Dialogue;
import org.hyperslab.testkit.TemporaryFolder;

/**
 * A file on which a test and Python with h5py take turns: one process for all turns of a test, to
 * which the file's path is known as {@code p}. Names that a turn defines stay known.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Turns implements AutoCloseable {

  private static final String SERVE =
      """
      import sys, base64, traceback, ctypes, h5py, numpy as np
      lib = ctypes.CDLL('libhdf5_serial.so.103')
      names = globals()
      while True:
        try: line = input()
        except EOFError: break
        try:
          exec(base64.b64decode(line).decode(), names)
          print('done', flush=True)
        except BaseException:
          print(traceback.format_exc().replace('\\n', ' | '), flush=True)
      """;

  private final TemporaryFolder folder = TemporaryFolder.create("turns");
  private final Dialogue dialogue = Dialogue.h5py(SERVE, Map.of("HDF5_USE_FILE_LOCKING", "FALSE"));

  /** {@return the file} */
  Path path() {
    return file("turns.h5");
  }

  /** {@return another file beside it} */
  Path file(String name) {
    return folder.file(name);
  }

  /** Lets Python take a turn, which must not fail; it closes the files that it opens. */
  void python(String script) {
    byte[] bytes = ("p = '" + path() + "'\n" + script).getBytes(StandardCharsets.UTF_8);
    assertThat(dialogue.ask(Base64.getEncoder().encodeToString(bytes)))
        .as(script)
        .isEqualTo("done");
  }

  @Override
  public void close() {
    dialogue.close();
    folder.close();
  }
}
