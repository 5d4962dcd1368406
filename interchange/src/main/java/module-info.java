/** What readers and writers of other formats share: JSON, and NumPy's types and headers. */
@SuppressWarnings("module") // this module is compiled before those to which it exports
module org.hyperslab.interchange {
  requires transitive org.hyperslab.api;
  requires com.fasterxml.jackson.core;

  // For the modules of this project only; may change from release to release.
  exports org.hyperslab.interchange.json to
      org.hyperslab.convert,
      org.hyperslab.tools,
      org.hyperslab.web;
  exports org.hyperslab.interchange.numpy to
      org.hyperslab.convert,
      org.hyperslab.web;
}
