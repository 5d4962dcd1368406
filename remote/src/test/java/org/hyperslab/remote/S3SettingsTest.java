package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S3SettingsTest {

  @TempDir Path home;

  @BeforeEach
  void writeFiles() throws IOException {
    Files.createDirectories(home.resolve(".aws"));
    Files.writeString(
        home.resolve(".aws/credentials"),
        """
        [default]
        aws_access_key_id = first
        aws_secret_access_key = one
        # aws_session_token = no
        [other]
        aws_access_key_id=second
        aws_secret_access_key=two
        aws_session_token=three
        """);
    Files.writeString(
        home.resolve(".aws/config"),
        "[default]\nregion = eu-central-1\n[profile other]\nregion = ap-south-1\n"
            + "endpoint_url = http://127.0.0.1:9000/\n");
  }

  private S3Settings found(Map<String, String> options, Map<String, String> environment) {
    return S3Settings.find(options, environment, home);
  }

  @Test
  void filesAreReadByProfile() {
    S3Settings usual = found(Map.of(), Map.of());
    assertThat(usual.region()).isEqualTo("eu-central-1");
    assertThat(usual.endpoint()).isEmpty();
    assertThat(usual.credentials())
        .contains(new S3Settings.Credentials("first", "one", Optional.empty()));
    S3Settings other = found(Map.of(), Map.of("AWS_PROFILE", "other"));
    assertThat(other.region()).isEqualTo("ap-south-1");
    assertThat(other.credentials())
        .contains(new S3Settings.Credentials("second", "two", Optional.of("three")));
    assertThat(other.uri(S3Address.parse("s3://bucket/a b/c+d.h5")))
        .hasToString("http://127.0.0.1:9000/bucket/a%20b/c%2Bd.h5");
  }

  @Test
  void programsOfProfilesAreAskedForKeys() throws IOException {
    Path program = home.resolve("keys and more.sh");
    Files.writeString(
        program,
        """
        echo '{"Version": 1, "AccessKeyId": "'$1'", "SecretAccessKey": "a\\/b+c=",
          "SessionToken" : "t"}'
        """);
    Files.writeString(
        home.resolve(".aws/config"),
        "[profile asked]\ncredential_process = sh \""
            + program
            + "\" 'the id'\n"
            + "[profile fails]\ncredential_process = sh -c 'echo s3cr3t; exit 3'\n"
            + "[profile silent]\ncredential_process = sh -c 'echo {}'\n"
            + "[profile missing]\ncredential_process = /nonexistent/program\n"
            + "[profile keys]\naws_access_key_id = a\naws_secret_access_key = b\n");
    assertThat(found(Map.of("s3.profile", "asked"), Map.of()).credentials())
        .contains(new S3Settings.Credentials("the id", "a/b+c=", Optional.of("t")));
    assertThat(found(Map.of("s3.profile", "keys"), Map.of()).credentials())
        .contains(new S3Settings.Credentials("a", "b", Optional.empty()));
    for (String wrong : new String[] {"fails", "silent", "missing"}) {
      assertThatThrownBy(() -> found(Map.of(), Map.of("AWS_PROFILE", wrong)))
          .as(wrong)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("credential_process")
          .hasMessageContaining("profile " + wrong)
          .message()
          .doesNotContain("s3cr3t");
    }
  }

  @Test
  void profilesWithOtherWaysAreRefusedWithAdvice() throws IOException {
    Files.writeString(
        home.resolve(".aws/config"),
        "[profile sso]\nsso_session = corp\nsso_account_id = 1\n"
            + "[profile role]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = default\n"
            + "[default]\nsso_start_url = https://corp.awsapps.com/start\n");
    for (String profile : new String[] {"sso", "role"}) {
      assertThatThrownBy(() -> found(Map.of(), Map.of("AWS_PROFILE", profile)))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining(profile)
          .hasMessageContaining("aws configure export-credentials --profile " + profile);
    }
    Files.delete(home.resolve(".aws/credentials"));
    assertThatThrownBy(() -> found(Map.of(), Map.of()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("sso_start_url");
    assertThat(found(Map.of("s3.anonymous", "true"), Map.of()).credentials()).isEmpty();
    assertThatThrownBy(() -> found(Map.of(), Map.of("AWS_PROFILE", "none")))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("none");
  }

  @Test
  void variablesStandBeforeFilesAndOptionsBeforeVariables() {
    Map<String, String> environment =
        Map.of(
            "AWS_ACCESS_KEY_ID", "id",
            "AWS_SECRET_ACCESS_KEY", "secret",
            "AWS_REGION", "us-west-2",
            "AWS_ENDPOINT_URL", "http://a:1");
    S3Settings settings = found(Map.of("s3.endpoint", "http://b:2"), environment);
    assertThat(settings.region()).isEqualTo("us-west-2");
    assertThat(settings.uri(S3Address.parse("s3://bucket/k"))).hasToString("http://b:2/bucket/k");
    assertThat(settings.credentials().orElseThrow().id()).isEqualTo("id");
    assertThat(found(Map.of("s3.profile", "other"), environment).credentials().orElseThrow().id())
        .isEqualTo("second");
    assertThat(found(Map.of("s3.anonymous", "true"), environment).credentials()).isEmpty();
  }

  @Test
  void variablesAndOptionsSayWhoPaysAndWhoIsUnknown() {
    Map<String, String> payer = Map.of("AWS_REQUEST_PAYER", "requester");
    assertThat(found(Map.of(), Map.of()).requesterPays()).isFalse();
    assertThat(found(Map.of(), payer).requesterPays()).isTrue();
    assertThat(found(Map.of("s3.requesterPays", "false"), payer).requesterPays()).isFalse();
    assertThat(found(Map.of("s3.requesterPays", "true"), Map.of()).requesterPays()).isTrue();
    assertThat(found(Map.of(), Map.of("AWS_NO_SIGN_REQUEST", "YES")).credentials()).isEmpty();
    assertThatThrownBy(() -> found(Map.of("s3.anonymous", "true"), payer))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("s3.requesterPays");
  }

  @Test
  void bucketsAreHostsUnlessTheirNamesHaveDots() {
    S3Settings settings = found(Map.of("s3.region", "us-east-2"), Map.of());
    assertThat(settings.uri(S3Address.parse("s3://bucket/dir/key")))
        .hasToString("https://bucket.s3.us-east-2.amazonaws.com/dir/key");
    assertThat(settings.uri(S3Address.parse("s3://my.bucket/key")))
        .hasToString("https://s3.us-east-2.amazonaws.com/my.bucket/key");
  }

  @Test
  void malformedValuesAreRefusedWithoutRevealingSecrets() {
    for (String name : new String[] {"s3://B/k", "s3://bucket", "s3://bucket/", "s3://bu/k\n"}) {
      assertThatThrownBy(() -> S3Address.parse(name))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("s3://BUCKET/KEY");
    }
    for (String endpoint :
        new String[] {"ftp://x", "http:", "http://h/path", "a b", "http://u:pw1@h"}) {
      assertThatThrownBy(() -> found(Map.of("s3.endpoint", endpoint), Map.of()))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("endpoint")
          .message()
          .doesNotContain("pw1");
    }
    assertThatThrownBy(() -> found(Map.of("s3.region", "evil.com/"), Map.of()))
        .isInstanceOf(InvalidUseException.class);
    assertThatThrownBy(() -> found(Map.of("s3.profile", "none"), Map.of()))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("none");
    assertThat(found(Map.of(), Map.of()).toString()).doesNotContain("one");
  }
}
