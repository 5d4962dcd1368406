package org.hyperslab.web;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.TemporaryFolder;

/**
 * Chromium without a window, controlled through ChromeDriver (W3C WebDriver).
 *
 * <p>Thread rule: confined to one thread.
 */
final class Browser implements AutoCloseable {

  private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");

  /** ChromeDriver takes a free port of IPv4, and exits if another program has that port of IPv6. */
  private static final int ATTEMPTS = 5;

  private static final List<String> ARGUMENTS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--use-gl=angle",
          "--use-angle=swiftshader",
          "--enable-unsafe-swiftshader",
          "--disable-dev-shm-usage",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--force-device-scale-factor=1",
          "--window-size=1200,760");

  private final Process driver;
  private final TemporaryFolder profile = TemporaryFolder.create("chromium");
  private final HttpClient http = HttpClient.newHttpClient();
  private final String base;
  private final String session;

  private Browser(Process driver, int port) {
    this.driver = driver;
    this.base = "http://127.0.0.1:" + port + "/session";
    JsonOutput wish = new JsonOutput(100_000).open('{').name("capabilities").open('{');
    wish.name("alwaysMatch").open('{').name("goog:loggingPrefs").open('{');
    wish.member("browser", "ALL").close('}').name("goog:chromeOptions").open('{');
    wish.name("args").open('[');
    ARGUMENTS.forEach(wish::value);
    wish.value("--user-data-dir=" + profile.path()).close(']').close('}').close('}').close('}');
    String reply = post("", wish.close('}').toString());
    Matcher id = Pattern.compile("\"sessionId\":\"(\\w+)\"").matcher(reply);
    if (!id.find()) {
      throw new AssertionError("ChromeDriver: " + reply);
    }
    this.session = "/" + id.group(1);
  }

  /** Starts one; the test is skipped if there is none on this machine. */
  static Browser start() {
    Oracle.program("chromium");
    Oracle.program("chromedriver");
    List<String> output = new ArrayList<>();
    try {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        Process driver =
            new ProcessBuilder("chromedriver", "--port=0").redirectErrorStream(true).start();
        BufferedReader lines = driver.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          output.add(line);
          Matcher port = PORT.matcher(line);
          if (port.find()) {
            Thread.ofVirtual().start(() -> lines.lines().forEach(ignored -> {}));
            return new Browser(driver, Integer.parseInt(port.group(1)));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("ChromeDriver did not start: " + String.join("\n", output));
  }

  void open(String url) {
    post(
        session + "/url",
        new JsonOutput(10_000).open('{').member("url", url).close('}').toString());
  }

  /** Runs a script as the body of a function, and returns its result as ChromeDriver reports it. */
  String run(String script) {
    JsonOutput call = new JsonOutput(100_000).open('{').member("script", script);
    String reply =
        post(
            session + "/execute/sync",
            call.name("args").open('[').close(']').close('}').toString());
    return reply.replaceFirst("^\\{\"value\":", "").replaceFirst("\\}$", "");
  }

  /** Waits until a script's expression is true; fails with the page's text after a while. */
  void await(String expression) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    String script =
        "const done = arguments[arguments.length - 1]; const ask = () => { if ("
            + expression
            + ") { done(true) } else { setTimeout(ask, 20) } }; ask();";
    JsonOutput call = new JsonOutput(100_000).open('{').member("script", script);
    String body = call.name("args").open('[').close(']').close('}').toString();
    while (System.nanoTime() < end) {
      if (post(session + "/execute/async", body).contains("true")) {
        return;
      }
    }
    throw new AssertionError("never: " + expression + "\n" + text() + "\n" + log());
  }

  /** The page's text, as a person sees it. */
  String text() {
    return run("return document.body.innerText");
  }

  /** Returns the page's output to the console. */
  String log() {
    return post(session + "/se/log", "{\"type\":\"browser\"}");
  }

  /** The page as PNG. */
  byte[] screenshot() {
    String reply = get(session + "/screenshot");
    return Base64.getDecoder()
        .decode(reply.replaceFirst("^\\{\"value\":\"", "").replaceFirst("\"\\}$", ""));
  }

  /** The page as a PNG file in the folder that a system property names, to be looked at. */
  void keepScreenshot(String name) {
    String folder = System.getProperty("hyperslab.screenshots");
    if (folder != null) {
      try {
        Files.write(Path.of(folder, name + ".png"), screenshot());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private String post(String path, String body) {
    return send(
        HttpRequest.newBuilder(URI.create(base + path))
            .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8)));
  }

  private String get(String path) {
    return send(HttpRequest.newBuilder(URI.create(base + path)));
  }

  private String send(HttpRequest.Builder request) {
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8))
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    send(HttpRequest.newBuilder(URI.create(base + session)).DELETE());
    driver.destroy();
    try {
      driver.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    http.close();
    profile.close();
  }
}
