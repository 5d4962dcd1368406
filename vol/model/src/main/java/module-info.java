/**
 * Defines what the public API and connectors share: options, descriptions of files, groups and
 * datasets, and pages of lists.
 */
module org.hyperslab.model {
  requires transitive org.hyperslab.format;
  requires static org.jspecify;

  exports org.hyperslab.model;
}
