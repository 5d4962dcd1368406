/**
 * Brings what most programs need: the API ({@code org.hyperslab.api}) and the connector for files
 * on this machine. It has no packages of its own.
 */
module org.hyperslab {
  requires transitive org.hyperslab.api;
  requires org.hyperslab.plugins.nativevol;
  requires org.hyperslab.remote;
}
