/**
 * Defines the public API: files, groups, datasets, attributes and links. Programs that pass a
 * connector of their own to a {@link org.hyperslab.Session} also require {@code org.hyperslab.spi}.
 */
@SuppressWarnings("module") // this module is compiled before those to which it exports
module org.hyperslab.api {
  requires transitive org.hyperslab.format;
  requires transitive org.hyperslab.model;
  requires org.hyperslab.spi;
  requires static org.jspecify;

  exports org.hyperslab;
  exports org.hyperslab.scales to
      org.hyperslab.convert,
      org.hyperslab.netcdf,
      org.hyperslab.web;
}
