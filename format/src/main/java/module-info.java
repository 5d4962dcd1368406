/**
 * What the bytes of an HDF5 file mean: dataspaces and selections, datatypes and conversion,
 * filters, on-disk structures and byte stores. Nothing here knows of files being open, of users or
 * of networks.
 */
module org.hyperslab.format {
  requires java.net.http;

  // Loaded when a filter needs them; a program may leave them out.
  requires static aircompressor.v3;
  requires static org.apache.commons.compress;

  exports org.hyperslab.error;
  exports org.hyperslab.format.memory;
  exports org.hyperslab.format.store;
  exports org.hyperslab.format.io;
  exports org.hyperslab.format.metadata;
  exports org.hyperslab.format.superblock;
  exports org.hyperslab.format.type;
  exports org.hyperslab.format.btree;
  exports org.hyperslab.format.shared;
  exports org.hyperslab.format.chunk;
  exports org.hyperslab.format.space;
  exports org.hyperslab.format.header;
  exports org.hyperslab.format.filter;

  uses org.hyperslab.format.filter.Filter;
  uses org.hyperslab.format.filter.FilterProvider;

  exports org.hyperslab.format.heap;
  exports org.hyperslab.format.group;
  exports org.hyperslab.format.type.convert;
  exports org.hyperslab.format.dense;
  exports org.hyperslab.format.fractal;
  exports org.hyperslab.format.freespace;
  exports org.hyperslab.format.type.value;
}
