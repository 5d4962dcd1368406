/**
 * What a user says and how it travels: the public API, operations as values, and the contract that
 * every connector keeps.
 */
module org.hyperslab.vol {
  requires transitive org.hyperslab.format;

  uses org.hyperslab.vol.ConnectorFactory;

  exports org.hyperslab;
  exports org.hyperslab.model;
  exports org.hyperslab.vol;
}
