/** Remote staging servers: wire, client, server, task engine, compactor and journal. */
module org.hyperslab.plugins.forwarding {
  requires org.hyperslab.vol;
}
