package org.hyperslab.plugins.forwarding.server;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.hyperslab.plugins.compacting.report.CompactorCounts;

/**
 * The state of a server at one time, for programs.
 *
 * @param address the server's address
 * @param upSeconds the time since its start
 * @param grantedBytes the memory granted to sessions
 * @param memoryBytes the memory that can be granted
 * @param refused the number of connections that ended without a session
 * @param storageErrors the number of operations that failed because storage did
 * @param withheld the number of files that are not served because of their journals
 * @param droppedLines the number of lines that the log left out
 * @param compactor the counters of the compactor
 * @param clients the sessions
 * @param slow the operations that have not ended for long, as texts
 */
record ServerStatus(
    String address,
    long upSeconds,
    long grantedBytes,
    long memoryBytes,
    long refused,
    long storageErrors,
    long withheld,
    long droppedLines,
    CompactorCounts compactor,
    List<Client> clients,
    List<String> slow) {

  /**
   * A session of a client.
   *
   * @param number distinguishes it from others of the same client's name
   * @param name the client's name
   * @param queued the number of requests that have not started
   * @param running the number of requests that have started and not ended
   * @param files the number of open files
   * @param away whether the client has lost its connection
   * @param windowUsed the part of the window that is in use, from 0 to 1
   * @param counts its counters
   */
  record Client(
      int number,
      String name,
      int queued,
      int running,
      int files,
      boolean away,
      double windowUsed,
      SessionCounts counts) {

    /** {@return the session's line on the status page} */
    String line() {
      return String.format(
          "%-24s %8d %8d %10d %10d %8d %10d %10d %14d %14d %6.0f%% %5d%s",
          name,
          queued,
          running,
          counts.requests.sum(),
          counts.replies.sum(),
          counts.failures.sum(),
          counts.merged.sum(),
          counts.stolen.sum(),
          counts.bytesIn.sum(),
          counts.bytesOut.sum(),
          100.0 * windowUsed,
          files,
          away ? " (away)" : "");
    }

    /** {@return the heading of the lines on the status page} */
    static String heading() {
      return String.format(
          "%-24s %8s %8s %10s %10s %8s %10s %10s %14s %14s %7s %5s",
          "client",
          "queued",
          "running",
          "requests",
          "replies",
          "failed",
          "merged",
          "stolen",
          "bytes in",
          "bytes out",
          "window",
          "files");
    }
  }

  /** A number of the server: its name, its unit's kind, its meaning and its value. */
  private record Metric(String name, boolean isCounter, String help, long value) {}

  /** A number of each session. */
  private record ClientMetric(
      String name, boolean isCounter, String help, ToLongFunction<Client> value) {}

  private List<Metric> metrics() {
    return List.of(
        new Metric("up_seconds", false, "Time since the start of the server", upSeconds),
        new Metric("sessions", false, "Sessions", clients.size()),
        new Metric("memory_granted_bytes", false, "Memory granted to sessions", grantedBytes),
        new Metric("memory_bytes", false, "Memory that can be granted", memoryBytes),
        new Metric("slow_operations", false, "Operations that take long", slow.size()),
        new Metric("refused_connections_total", true, "Connections refused", refused),
        new Metric("storage_errors_total", true, "Operations that storage let fail", storageErrors),
        new Metric("withheld_files", false, "Files not served because of a journal", withheld),
        new Metric("log_dropped_lines_total", true, "Lines missing in the log", droppedLines),
        new Metric("queued_requests", false, "Requests queued", compactor.queuedRequests()),
        new Metric("queued_bytes", false, "Bytes queued", compactor.queuedBytes()),
        new Metric("issued_writes_total", true, "Writes to storage", compactor.issuedWrites()),
        new Metric("issued_reads_total", true, "Reads from storage", compactor.issuedReads()),
        new Metric("issued_bytes_total", true, "Bytes of both", compactor.issuedBytes()),
        new Metric(
            "stolen_bytes_total", true, "Bytes read from queued writes", compactor.stolenBytes()),
        new Metric(
            "saved_bytes_total",
            true,
            "Bytes never written, as others followed",
            compactor.savedBytes()));
  }

  private static final List<ClientMetric> OF_CLIENTS =
      List.of(
          new ClientMetric("queued", false, "Requests that have not started", Client::queued),
          new ClientMetric("running", false, "Requests that have started", Client::running),
          new ClientMetric("open_files", false, "Open files", Client::files),
          new ClientMetric("requests_total", true, "Requests", c -> c.counts.requests.sum()),
          new ClientMetric("replies_total", true, "Replies", c -> c.counts.replies.sum()),
          new ClientMetric("failures_total", true, "Failures", c -> c.counts.failures.sum()),
          new ClientMetric("merged_total", true, "Requests merged", c -> c.counts.merged.sum()),
          new ClientMetric(
              "stolen_total", true, "Reads from queued writes", c -> c.counts.stolen.sum()),
          new ClientMetric("received_bytes_total", true, "Bytes in", c -> c.counts.bytesIn.sum()),
          new ClientMetric("sent_bytes_total", true, "Bytes out", c -> c.counts.bytesOut.sum()));

  /** {@return the state in Prometheus's text format, version 0.0.4} */
  String prometheus() {
    StringBuilder text = new StringBuilder(4096);
    for (Metric metric : metrics()) {
      head(text, metric.name, metric.isCounter, metric.help);
      text.append("hyperslab_stage_").append(metric.name).append(' ').append(metric.value);
      text.append('\n');
    }
    head(text, "outcomes_total", true, "Requests for raw data, by what became of them");
    outcomes()
        .forEach((outcome, count) ->
            text.append("hyperslab_stage_outcomes_total{outcome=\"")
                .append(outcome)
                .append("\"} ")
                .append(count)
                .append('\n'));
    for (ClientMetric metric : OF_CLIENTS) {
      head(text, "client_" + metric.name, metric.isCounter, metric.help + ", of a session");
      for (Client client : clients) {
        text.append("hyperslab_stage_client_").append(metric.name).append("{client=");
        quote(text, client.name);
        text.append(",session=\"").append(client.number).append("\"} ");
        text.append(metric.value.applyAsLong(client)).append('\n');
      }
    }
    return text.toString();
  }

  /** Returns the numbers of outcomes that occurred, by their names in lower case. */
  private Map<String, Long> outcomes() {
    Map<String, Long> outcomes = new TreeMap<>();
    compactor
        .outcomes()
        .forEach((outcome, count) -> outcomes.put(outcome.name().toLowerCase(Locale.ROOT), count));
    return outcomes;
  }

  private static void head(StringBuilder text, String name, boolean isCounter, String help) {
    text.append("# HELP hyperslab_stage_").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE hyperslab_stage_").append(name);
    text.append(isCounter ? " counter\n" : " gauge\n");
  }

  /** {@return the state as one JSON object on one line} */
  String json() {
    StringBuilder text = new StringBuilder(1024).append("{\"address\":");
    quote(text, address);
    metrics().forEach(metric -> member(text, metric.name, metric.value));
    text.append(",\"outcomes\":{\"submitted\":").append(compactor.submitted());
    outcomes().forEach((outcome, count) -> member(text, outcome, count));
    text.append("},\"clients\":[");
    String separator = "";
    for (Client client : clients) {
      text.append(separator).append("{\"client\":");
      quote(text, client.name);
      member(text, "session", client.number);
      OF_CLIENTS.forEach(metric -> member(text, metric.name, metric.value.applyAsLong(client)));
      text.append(",\"away\":").append(client.away).append('}');
      separator = ",";
    }
    text.append("],\"slow\":[");
    separator = "";
    for (String each : slow) {
      text.append(separator);
      quote(text, each);
      separator = ",";
    }
    return text.append("]}\n").toString();
  }

  private static void member(StringBuilder text, String name, long value) {
    text.append(",\"").append(name).append("\":").append(value);
  }

  /** Appends a text in quotes, as JSON and Prometheus have them. */
  private static void quote(StringBuilder text, String value) {
    text.append('"');
    value
        .chars()
        .forEach(c -> {
          if (c == '"' || c == '\\') {
            text.append('\\');
          }
          text.append(c < ' ' ? ' ' : (char) c);
        });
    text.append('"');
  }
}
