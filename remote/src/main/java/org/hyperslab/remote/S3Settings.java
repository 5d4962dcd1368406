package org.hyperslab.remote;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.store.RemoteStores;

/**
 * The endpoint and credentials of S3 requests. They are searched for in the places that AWS's own
 * tools use: options, environment variables, and the files {@code ~/.aws/credentials} and {@code
 * ~/.aws/config}, in this order. A profile may name a program that prints a key ({@code
 * credential_process}); profiles that say how to obtain one in other ways are refused.
 *
 * @param endpoint the server, if it is not Amazon's; buckets are then part of the path
 * @param region the region for signatures
 * @param credentials the credentials of requests; empty for requests without a signature
 * @param requesterPays whether requests say that their sender pays for them
 */
record S3Settings(
    Optional<URI> endpoint,
    String region,
    Optional<Credentials> credentials,
    boolean requesterPays) {

  /** The option that names the server: a URI such as {@code http://127.0.0.1:9000}. */
  static final String ENDPOINT = "s3.endpoint";

  /** The option that names the region. */
  static final String REGION = "s3.region";

  /** The option that names the profile in the files. */
  static final String PROFILE = "s3.profile";

  /** The option that disables signatures if it is {@code true}, for public buckets. */
  static final String ANONYMOUS = "s3.anonymous";

  /** The option that makes the sender pay for requests if it is {@code true}. */
  static final String REQUESTER_PAYS = "s3.requesterPays";

  private static final String AMAZON = ".amazonaws.com";
  private static final String DEFAULT_REGION = "us-east-1";
  private static final String DEFAULT_PROFILE = "default";

  /** The settings of profiles whose keys Hyperslab does not obtain. */
  private static final List<String> OTHER_WAYS =
      List.of(
          "sso_session",
          "sso_start_url",
          "login_session",
          "role_arn",
          "source_profile",
          "credential_source",
          "web_identity_token_file");

  private static final int MAX_FILE_BYTES = 1 << 20;
  private static final Pattern REGION_FORM = Pattern.compile("[a-z0-9-]{1,32}");

  /**
   * An access key of an account. Its text form does not contain the secret.
   *
   * @param id the name of the key
   * @param secret the signing key
   * @param token the token of a session; empty for a permanent key
   */
  record Credentials(String id, String secret, Optional<String> token) {
    @Override
    public String toString() {
      return "Credentials[" + id + "]";
    }
  }

  /**
   * Searches for settings.
   *
   * @param options the properties of an opening
   * @param environment the environment variables
   * @param home the user's folder
   * @throws InvalidUseException if a setting is malformed
   */
  static S3Settings find(Map<String, String> options, Map<String, String> environment, Path home) {
    Search search = new Search(options, environment, home);
    String region =
        search
            .first(REGION, "AWS_REGION", "AWS_DEFAULT_REGION")
            .or(() -> search.inConfig("region"))
            .orElse(DEFAULT_REGION);
    if (!REGION_FORM.matcher(region).matches()) {
      throw new InvalidUseException(
          "S3 region: actual=" + region + ", expected=a name such as eu-central-1");
    }
    Optional<URI> endpoint =
        search
            .first(ENDPOINT, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
            .or(() -> search.inConfig("endpoint_url"))
            .map(S3Settings::endpoint);
    boolean anonymous = search.says(ANONYMOUS, "AWS_NO_SIGN_REQUEST", "yes");
    Optional<Credentials> credentials = anonymous ? Optional.empty() : search.credentials();
    boolean pays = search.says(REQUESTER_PAYS, "AWS_REQUEST_PAYER", "requester");
    if (pays && credentials.isEmpty()) {
      throw new InvalidUseException(
          REQUESTER_PAYS + ": actual=requests without a key, expected=the key of who pays");
    }
    return new S3Settings(endpoint, region, credentials, pays);
  }

  private static URI endpoint(String text) {
    try {
      URI uri = URI.create(text);
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean bare = uri.getRawPath().isEmpty() || uri.getRawPath().equals("/");
      boolean plain = uri.getRawUserInfo() == null && uri.getRawQuery() == null;
      if (web && uri.getHost() != null && bare && plain) {
        return uri;
      }
    } catch (IllegalArgumentException | NullPointerException notAUri) {
      // Reported below.
    }
    throw new InvalidUseException(
        "S3 endpoint: actual="
            + RemoteStores.shown(text)
            + ", expected=a URI such as http://127.0.0.1:9000, without a user");
  }

  /** Returns the URI of an object. */
  URI uri(S3Address object) {
    String base = bucketUri(object.bucket()).toString();
    return URI.create(base + (base.endsWith("/") ? "" : "/") + object.path());
  }

  /**
   * Returns the URI of a bucket. A bucket whose name contains dots is part of the path, since no
   * certificate covers such a host name.
   */
  URI bucketUri(String bucket) {
    if (endpoint.isPresent()) {
      return URI.create(endpoint.get().toString().replaceFirst("/$", "") + "/" + bucket);
    }
    return bucket.contains(".")
        ? URI.create("https://s3." + region + AMAZON + "/" + bucket)
        : URI.create("https://" + bucket + ".s3." + region + AMAZON + "/");
  }

  /** Returns whether an address is one of Amazon's, as it is if no endpoint is set. */
  static boolean isAmazon(URI uri) {
    return uri.getHost() != null && uri.getHost().endsWith(AMAZON);
  }

  /** A search for settings; each file is read at most once. */
  private static final class Search {
    private final Map<String, String> options;
    private final Map<String, String> environment;
    private final Path home;
    private final String profile;

    Search(Map<String, String> options, Map<String, String> environment, Path home) {
      this.options = options;
      this.environment = environment;
      this.home = home;
      this.profile = first(PROFILE, "AWS_PROFILE").orElse(DEFAULT_PROFILE);
    }

    Optional<String> first(String option, String... variables) {
      String value = options.get(option);
      for (int i = 0; value == null && i < variables.length; i++) {
        value = environment.get(variables[i]);
      }
      return Optional.ofNullable(value).filter(text -> !text.isEmpty());
    }

    /** Returns whether an option is true or, if it is not given, a variable says so in its way. */
    boolean says(String option, String variable, String word) {
      String given = options.get(option);
      String text = environment.getOrDefault(variable, "");
      return given != null
          ? Boolean.parseBoolean(given)
          : text.equalsIgnoreCase(word) || text.equalsIgnoreCase("true");
    }

    Optional<String> inConfig(String name) {
      return Optional.ofNullable(configured().get(name));
    }

    private Map<String, String> configured() {
      String section = profile.equals(DEFAULT_PROFILE) ? DEFAULT_PROFILE : "profile " + profile;
      return section("AWS_CONFIG_FILE", "config", section);
    }

    Optional<Credentials> credentials() {
      String id = environment.get("AWS_ACCESS_KEY_ID");
      String secret = environment.get("AWS_SECRET_ACCESS_KEY");
      if (id != null && secret != null && !options.containsKey(PROFILE)) {
        return Optional.of(
            new Credentials(id, secret, Optional.ofNullable(environment.get("AWS_SESSION_TOKEN"))));
      }
      Map<String, String> kept = configured();
      kept.putAll(section("AWS_SHARED_CREDENTIALS_FILE", "credentials", profile));
      id = kept.get("aws_access_key_id");
      secret = kept.get("aws_secret_access_key");
      if (id != null && secret != null) {
        return Optional.of(
            new Credentials(id, secret, Optional.ofNullable(kept.get("aws_session_token"))));
      }
      if (kept.containsKey("credential_process")) {
        return Optional.of(AwsKeyProcess.ask(kept.get("credential_process"), profile));
      }
      OTHER_WAYS.stream().filter(kept::containsKey).findFirst().ifPresent(this::refuse);
      if (first(PROFILE, "AWS_PROFILE").isPresent()) {
        throw new InvalidUseException(
            "S3 profile: actual="
                + profile
                + ", expected=a section of ~/.aws/credentials or ~/.aws/config with"
                + " aws_access_key_id and aws_secret_access_key, or credential_process");
      }
      return Optional.empty();
    }

    private void refuse(String way) {
      throw new InvalidUseException(
          "S3 profile: actual="
              + profile
              + ", whose keys are obtained by "
              + way
              + ", expected=aws_access_key_id and aws_secret_access_key, or credential_process; set"
              + " the variables that 'aws configure export-credentials --profile "
              + profile
              + " --format env' prints, or s3.anonymous=true for a public bucket");
    }

    /**
     * Returns the lines {@code name = value} of a section; empty if there is no such file or
     * section.
     */
    private Map<String, String> section(String variable, String file, String wanted) {
      String named = environment.get(variable);
      Path path = named != null ? Path.of(named) : home.resolve(".aws").resolve(file);
      Map<String, String> values = new HashMap<>();
      boolean inside = false;
      for (String line : text(path).lines().map(String::strip).toList()) {
        if (line.startsWith("[") && line.endsWith("]")) {
          inside = line.substring(1, line.length() - 1).strip().equals(wanted);
        } else if (inside && line.indexOf('=') > 0 && !line.startsWith("#")) {
          int at = line.indexOf('=');
          values.put(
              line.substring(0, at).strip().toLowerCase(Locale.ROOT),
              line.substring(at + 1).strip());
        }
      }
      return values;
    }

    private static String text(Path path) {
      try (InputStream in = Files.newInputStream(path)) {
        return new String(in.readNBytes(MAX_FILE_BYTES), StandardCharsets.UTF_8);
      } catch (IOException absent) {
        return "";
      }
    }
  }
}
