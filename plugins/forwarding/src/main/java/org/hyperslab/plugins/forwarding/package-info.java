/** Remote staging servers: wire, client, server, task engine, compactor and journal. */
package org.hyperslab.plugins.forwarding;
