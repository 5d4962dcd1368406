/**
 * Brings what most programs need: the API ({@code org.hyperslab.vol}) and the connector for files
 * on this machine. It has no packages of its own.
 */
module org.hyperslab {
  requires transitive org.hyperslab.vol;
  requires org.hyperslab.plugins.nativevol;
}
