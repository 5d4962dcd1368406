/**
 * Defines the meaning of the bytes of an HDF5 file: dataspaces and selections, datatypes and
 * conversion, filters, on-disk structures and byte stores. It knows nothing of open files, users or
 * networks.
 */
@SuppressWarnings("module") // this module is compiled before those to which it exports
module org.hyperslab.format {
  requires static java.management; // asked for the collector of JVMs with a defect

  // Loaded when a filter needs them; a program may omit them.
  requires static aircompressor.v3;
  requires static org.apache.commons.compress;

  uses org.hyperslab.format.filter.Filter;
  uses org.hyperslab.format.filter.FilterProvider;
  uses org.hyperslab.format.store.RemoteStoreProvider;

  exports org.hyperslab.error;
  exports org.hyperslab.format.filter;
  exports org.hyperslab.format.space;
  exports org.hyperslab.format.store;
  exports org.hyperslab.format.type;
  exports org.hyperslab.format.type.value;

  // The other packages are for the modules of this project and may change from release to release.
  exports org.hyperslab.format.filter.bare to
      org.hyperslab.convert;
  exports org.hyperslab.format.codec to
      org.hyperslab.plugins.codec,
      org.hyperslab.plugins.libhdf5;
  exports org.hyperslab.format.freespace to
      org.hyperslab.plugins.nativevol;
  exports org.hyperslab.format.header to
      org.hyperslab.plugins.nativevol;
  exports org.hyperslab.format.heap to
      org.hyperslab.plugins.nativevol;
  exports org.hyperslab.format.index.chunk to
      org.hyperslab.plugins.nativevol;
  exports org.hyperslab.format.index.dense to
      org.hyperslab.plugins.nativevol;
  exports org.hyperslab.format.index.fractal to
      org.hyperslab.plugins.nativevol;
  exports org.hyperslab.format.index.grid to
      org.hyperslab.plugins.mpiio,
      org.hyperslab.plugins.nativevol;
  exports org.hyperslab.format.index.shared to
      org.hyperslab.plugins.nativevol;
  exports org.hyperslab.format.index.symbol to
      org.hyperslab.plugins.nativevol;
  exports org.hyperslab.format.io to
      org.hyperslab.api,
      org.hyperslab.convert,
      org.hyperslab.interchange,
      org.hyperslab.model,
      org.hyperslab.netcdf,
      org.hyperslab.plugins.codec,
      org.hyperslab.plugins.forwarding,
      org.hyperslab.plugins.libhdf5,
      org.hyperslab.plugins.nativevol,
      org.hyperslab.spi,
      org.hyperslab.testkit,
      org.hyperslab.tools,
      org.hyperslab.web;
  exports org.hyperslab.format.memory to
      org.hyperslab.api,
      org.hyperslab.convert,
      org.hyperslab.mpi,
      org.hyperslab.mpiio,
      org.hyperslab.plugins.compacting,
      org.hyperslab.plugins.forwarding,
      org.hyperslab.plugins.libhdf5,
      org.hyperslab.plugins.log,
      org.hyperslab.plugins.mpiio,
      org.hyperslab.plugins.nativevol,
      org.hyperslab.remote,
      org.hyperslab.spi;
  exports org.hyperslab.format.metadata to
      org.hyperslab.plugins.nativevol;
  exports org.hyperslab.format.superblock to
      org.hyperslab.convert,
      org.hyperslab.model,
      org.hyperslab.plugins.libhdf5,
      org.hyperslab.plugins.nativevol,
      org.hyperslab.tools,
      org.hyperslab.web;
  exports org.hyperslab.format.type.convert to
      org.hyperslab.api,
      org.hyperslab.convert,
      org.hyperslab.plugins.codec,
      org.hyperslab.plugins.forwarding,
      org.hyperslab.plugins.jhdf,
      org.hyperslab.plugins.mpiio,
      org.hyperslab.plugins.nativevol,
      org.hyperslab.spi,
      org.hyperslab.testkit,
      org.hyperslab.tools;
}
