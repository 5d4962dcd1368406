package org.hyperslab.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.store.RemoteStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests listings of buckets and folders, also those of servers that mean ill. */
final class RemoteListingTest {

  private static final int MOST = 1000;

  private RangeServer server;
  private final List<String> bodies = new ArrayList<>();
  private String type = "application/xml";
  private String status = "200 OK";

  @BeforeEach
  void start() throws IOException {
    server = new RangeServer();
    server.lie =
        (out, first, last) -> {
          int index = Math.min(server.requests.get(), bodies.size()) - 1;
          byte[] body = bodies.get(index).getBytes(StandardCharsets.UTF_8);
          String head =
              "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                  .formatted(status, type, body.length);
          out.write(head.getBytes(StandardCharsets.US_ASCII));
          out.write(body);
        };
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void pages(String... texts) {
    server.requests.set(0);
    server.received.clear();
    bodies.clear();
    bodies.addAll(List.of(texts));
  }

  private RemoteStores.Listing bucket(String name, boolean recursive, int most) {
    String endpoint = server.uri("").toString();
    return RemoteStores.list(
        name, Map.of("s3.endpoint", endpoint, "s3.anonymous", "true"), recursive, most);
  }

  private static String page(String content) {
    return "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/\">"
        + "<EncodingType>url</EncodingType>"
        + content
        + "</ListBucketResult>";
  }

  private static String object(String key, long bytes) {
    return "<Contents><Key>%s</Key><Size>%d</Size><Owner><ID>1</ID></Owner></Contents>"
        .formatted(key, bytes);
  }

  private static String more(String token) {
    return "<IsTruncated>true</IsTruncated><NextContinuationToken>"
        + token
        + "</NextContinuationToken>";
  }

  private static List<String> names(RemoteStores.Listing listing) {
    return listing.entries().stream().map(RemoteStores.Entry::name).toList();
  }

  @Test
  void listsABucketPageByPage() {
    pages(
        page(
            object("a/", 0)
                + object("a/run%201.h5", 12)
                + object("a/x%2By.h5", 13)
                + "<CommonPrefixes><Prefix>a/sub+dir/</Prefix></CommonPrefixes>"
                + more("t/1+")),
        page(object("a/z.h5", 1L << 40) + "<IsTruncated>false</IsTruncated>"));
    RemoteStores.Listing listing = bucket("s3://bucket/a/", false, MOST);
    assertThat(listing.complete()).isTrue();
    assertThat(listing.entries())
        .containsExactly(
            new RemoteStores.Entry("run 1.h5", false, 12),
            new RemoteStores.Entry("x+y.h5", false, 13),
            new RemoteStores.Entry("sub dir/", true, -1),
            new RemoteStores.Entry("z.h5", false, 1L << 40));
    assertThat(server.received).hasSize(2);
    assertThat(server.received.remove())
        .startsWith(
            "GET /bucket?delimiter=%2F&encoding-type=url&list-type=2&max-keys=1000&prefix=a%2F ");
    assertThat(server.received.remove()).contains("continuation-token=t%2F1%2B&delimiter");
  }

  @Test
  void aListingIsBounded() {
    pages(page(object("a", 1) + object("b", 1) + more("1")), page(object("c", 1) + more("2")));
    RemoteStores.Listing listing = bucket("s3://bucket", true, 3);
    assertThat(names(listing)).containsExactly("a", "b", "c");
    assertThat(listing.complete()).isFalse();
    assertThat(server.received.remove()).doesNotContain("delimiter");
    pages(page(more("same")));
    assertThatThrownBy(() -> bucket("s3://bucket/", true, 3)).hasMessageContaining("leads nowhere");
    pages(page(object("a", 1) + more("same")));
    assertThatThrownBy(() -> bucket("s3://bucket/", true, MOST))
        .hasMessageContaining("leads nowhere");
  }

  @Test
  void refusesListsThatMeanIll() {
    String bomb =
        "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>"
            + "<ListBucketResult><Contents><Key>&b;</Key><Size>1</Size></Contents></ListBucketResult>";
    String file =
        "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/hosts\">]>"
            + "<ListBucketResult><Contents><Key>&a;</Key><Size>1</Size></Contents></ListBucketResult>";
    String outside =
        "<?xml version=\"1.0\"?><!DOCTYPE x SYSTEM \""
            + server.uri("/evil.dtd")
            + "\"><ListBucketResult/>";
    for (String xml :
        new String[] {
          bomb,
          file,
          outside,
          "",
          "<html/>",
          "<ListBucketResult>",
          "<Error><Code>Odd</Code></Error>",
          page("<Contents><Size>1</Size></Contents>"),
          page("<Contents><Key>a</Key></Contents>"),
          page(object("a", -1)),
          page(object("%zz", 1)),
          page(object("outside", 1)),
          page("<IsTruncated>true</IsTruncated>"),
          page("<a>".repeat(20) + "</a>".repeat(20)),
          page("<Contents><Key>" + "a".repeat(20_000) + "</Key><Size>1</Size></Contents>"),
        }) {
      pages(xml);
      assertThatThrownBy(() -> bucket("s3://bucket/in/", false, MOST))
          .as(xml)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("s3://bucket/in/");
      assertThat(server.requests).as(xml).hasValue(1);
    }
  }

  @Test
  void saysWhyABucketCannotBeListed() {
    pages("<Error><Code>AccessDenied</Code></Error>");
    status = "403 Forbidden";
    assertThatThrownBy(() -> bucket("s3://bucket/a/", false, MOST))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("HTTP status 403 AccessDenied; the credentials may not list");
    pages("<Error><Code>NoSuchBucket</Code></Error>");
    status = "404 Not Found";
    assertThatThrownBy(() -> bucket("s3://bucket/a/", false, MOST))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("NoSuchBucket");
    for (String name : new String[] {"s3://", "s3://B/", "s3:///a/", "s3://bucket/\n"}) {
      assertThatThrownBy(() -> bucket(name, false, MOST)).isInstanceOf(InvalidUseException.class);
    }
  }

  private RemoteStores.Listing folder(boolean recursive) {
    type = "text/html;charset=utf-8";
    return RemoteStores.list(server.uri("/data/").toString(), Map.of(), recursive, MOST);
  }

  @Test
  void listsThePagesOfFoldersThatServersMake() {
    pages(
        """
        <html><body><h1>Index of /data</h1><table>
        <tr><th><a href="?C=N;O=D">Name</a></th><th><a href='?C=S'>Size</a></th></tr>
        <tr><td><a href="/">Parent</a> <a href="../">..</a> <A class="x" HREF = 'run%201.h5'>r</a>
        <a href=plain.h5>p</a><a href="/data/whole.h5">w</a><a href="sub/">s</a>
        <a href="a+b&amp;c.h5">ab</a><a href="sub/deep.h5">d</a><a href="http://else/data/x.h5">x</a>
        <a href="javascript:alert(1)">j</a><a href="//else/data/y.h5">y</a><a href="a b">bad</a>
        <a href="../data/back.h5">b</a><a href="plain.h5#part">again</a></body></html>
        """);
    RemoteStores.Listing listing = folder(false);
    assertThat(names(listing))
        .containsExactly("a+b&c.h5", "back.h5", "plain.h5", "run 1.h5", "sub/", "whole.h5");
    assertThat(listing.entries().get(4)).isEqualTo(new RemoteStores.Entry("sub/", true, -1));
  }

  @Test
  void listsFoldersBelowUpToADepth() {
    pages("<a href='x.h5'>x</a><a href='d/'>d</a>");
    RemoteStores.Listing listing = folder(true);
    assertThat(names(listing)).contains("x.h5", "d/", "d/x.h5", "d/d/d/x.h5").hasSize(66);
  }

  @Test
  void saysThatAServerListsNothing() {
    pages("file");
    type = "application/octet-stream";
    assertThatThrownBy(
            () -> RemoteStores.list(server.uri("/data/").toString(), Map.of(), false, MOST))
        .isInstanceOf(StorageException.class)
        .hasMessageContaining("application/octet-stream");
    status = "404 Not Found";
    assertThatThrownBy(() -> folder(false)).isInstanceOf(NotFoundException.class);
  }
}
