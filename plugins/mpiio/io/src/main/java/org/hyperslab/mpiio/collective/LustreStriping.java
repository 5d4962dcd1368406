package org.hyperslab.mpiio.collective;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks Lustre's command {@code lfs getstripe} how a file or directory is striped. */
final class LustreStriping {

  private static final Pattern COUNT = Pattern.compile("stripe_count:\\s*(-?\\d+)");
  private static final Pattern SIZE = Pattern.compile("stripe_size:\\s*(\\d+)");
  private static final long WAIT_SECONDS = 5;

  private LustreStriping() {}

  static FileSystemTraits of(Path path, FileSystemTraits traits) {
    try {
      Process lfs =
          new ProcessBuilder("lfs", "getstripe", "-d", path.toString())
              .redirectErrorStream(true)
              .start();
      String text = new String(lfs.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return lfs.waitFor(WAIT_SECONDS, TimeUnit.SECONDS) ? parse(text, traits) : traits;
    } catch (IOException noCommand) {
      return traits;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return traits;
    }
  }

  /** The traits with what the command's text says, as far as it does. */
  static FileSystemTraits parse(String text, FileSystemTraits traits) {
    Matcher count = COUNT.matcher(text);
    Matcher size = SIZE.matcher(text);
    if (!count.find() || !size.find()) {
      return traits;
    }
    int stripes = (int) Math.min(Integer.MAX_VALUE, Math.max(1, Long.parseLong(count.group(1))));
    return traits.striped(Long.parseLong(size.group(1)), stripes);
  }
}
