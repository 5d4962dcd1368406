package org.hyperslab.remote;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The user names and passwords of servers in the file {@code ~/.netrc}, or the one that the
 * variable {@code NETRC} names.
 *
 * <p>Thread rule: no state.
 *
 * <p>Source: the manual of GNU inetutils, "The .netrc file".
 */
final class NetrcFile {

  private static final int MAX_BYTES = 1 << 20;

  private NetrcFile() {}

  /** A user name and password. Its text form contains neither. */
  record Login(String user, String password) {
    @Override
    public String toString() {
      return "Login";
    }
  }

  /**
   * Searches for a server.
   *
   * @param host its name
   * @param environment the environment variables
   * @param home the user's folder
   * @return the login of its first entry or of the default entry, which is after all others
   */
  static Optional<Login> login(String host, Map<String, String> environment, Path home) {
    String named = environment.get("NETRC");
    Deque<String> words = words(text(named != null ? Path.of(named) : home.resolve(".netrc")));
    boolean isMeant = false;
    String user = null;
    String password = "";
    while (!words.isEmpty()) {
      String word = words.pop();
      boolean begins = word.equals("machine") || word.equals("default");
      if (begins && isMeant) {
        break;
      }
      if (begins) {
        isMeant = word.equals("default") || host.equalsIgnoreCase(words.poll());
      } else if (word.equals("login") || word.equals("password") || word.equals("account")) {
        String value = words.isEmpty() ? "" : words.pop();
        user = isMeant && word.equals("login") ? value : user;
        password = isMeant && word.equals("password") ? value : password;
      }
    }
    return user == null ? Optional.empty() : Optional.of(new Login(user, password));
  }

  /** Returns the words of the file without comments and macros, which end at an empty line. */
  private static Deque<String> words(String text) {
    List<String> words = new ArrayList<>();
    boolean isMacro = false;
    for (String line : text.lines().toList()) {
      isMacro = !line.isBlank() && (isMacro || line.strip().startsWith("macdef"));
      if (!isMacro && !line.isBlank() && !line.strip().startsWith("#")) {
        words.addAll(Arrays.asList(line.strip().split("\\s+")));
      }
    }
    return new ArrayDeque<>(words);
  }

  private static String text(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
    } catch (IOException absent) {
      return "";
    }
  }
}
