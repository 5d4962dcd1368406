/** Provides the stores of remote files: resources of web servers, and objects in buckets (S3). */
module org.hyperslab.remote {
  requires transitive org.hyperslab.format;
  requires java.net.http;
  requires java.xml; // lists of buckets

  exports org.hyperslab.remote;

  provides org.hyperslab.format.store.RemoteStoreProvider with
      org.hyperslab.remote.HttpStores;
}
