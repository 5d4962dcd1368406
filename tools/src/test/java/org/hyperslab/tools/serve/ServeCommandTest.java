package org.hyperslab.tools.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.hyperslab.testkit.TemporaryFolder;
import org.hyperslab.tools.CommandRun;
import org.junit.jupiter.api.Test;

/** Tests invalid uses that the file servers reject before they start. */
final class ServeCommandTest {

  @Test
  void addressesTokensAndNamesThatAreWrongAreRefused() throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("serve")) {
      String shown = folder.path().toString();
      String token = Files.writeString(folder.file("token"), "short\n").toString();
      String csv = Files.writeString(folder.file("a.csv"), "a,b\n1,2\n").toString();
      String[][] wrong = {
        {"--listen: actual=7070", "serve", shown, "--listen", "7070"},
        {"--listen: actual=127.0.0.1:99999", "serve", shown, "--listen", "127.0.0.1:99999"},
        {"--no-token: actual", "serve", shown, "--no-token", "--listen", "0.0.0.0:0"},
        {"--no-token: actual", "serve", shown, "--no-token", "--token-file", token},
        {"token: actual=5 characters", "serve", shown, "--token-file", token},
        {"no such file", "serve", shown, "--token-file", token + "x"},
        {"file or folder: actual=none", "serve", shown + "/none", "--listen", "127.0.0.1:0"},
        {"file or folder: actual=none", "view", shown + "/none"},
        {"expected=an HDF5 file", "view", csv},
        {"expected=an HDF5 file", "serve", csv, "--listen", "127.0.0.1:0"},
      };
      for (String[] one : wrong) {
        CommandRun run = CommandRun.of(Arrays.copyOfRange(one, 1, one.length));
        assertThat(run.code()).as(one[0]).isEqualTo(1);
        assertThat(run.err()).contains(one[0]);
      }
    }
  }
}
